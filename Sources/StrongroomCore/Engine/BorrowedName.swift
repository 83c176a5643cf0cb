/// A name that SQLite tells with a call, and that is good during the call only.
// Safety: the text is SQLite's until the call ends, which whoever gets a name keeps to.
@safe package struct BorrowedName {
    private let start: UnsafePointer<CChar>

    init(_ start: UnsafePointer<CChar>) {
        unsafe self.start = start
    }

    package var string: String { unsafe String(cString: start) }

    /// Tells the names of a schema apart without a look at them: SQLite has each once, and in its
    /// place as long as a statement runs.
    package var address: UInt { unsafe UInt(bitPattern: start) }
}
