/// The text that a dump prints.
final class DumpedText: TextOutputStream {
    private(set) var text = ""

    func write(_ string: String) {
        text += string
    }

    /// What `dump` prints.
    static func of(_ dump: (DumpedText) throws -> Void) rethrows -> String {
        let output = DumpedText()
        try dump(output)
        return output.text
    }
}
