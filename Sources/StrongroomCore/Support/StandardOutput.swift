internal import LibC

enum StandardOutput {
    /// Writes to the buffer of C's standard output, so that the order is that of the program's own
    /// prints.
    static func write(_ text: String) {
        for byte in text.utf8 { putchar(CInt(byte)) }
    }
}
