/// A table and its number of rows.
public struct TableRowCount: Sendable, Equatable {
    /// The name of the table.
    public var name: String
    /// How many rows it has.
    public var rowCount: Int
    /// Whether it is an internal table of SQLite or of a virtual table.
    public internal(set) var isInternal = false
}

/// What `DatabaseFile.transfer(to:)` wrote and verified.
public struct TransferReport: Sendable {
    /// How the content was copied.
    public enum Kind: String, Sendable {
        /// From a plaintext file into an encrypted one.
        case encrypted
        /// From an encrypted file into a plaintext one.
        case decrypted
        /// From one file into another of the same kind.
        case copied
    }

    /// How the content was copied.
    public var kind: Kind
    /// How many pages the new file has.
    public var pageCount: Int
    /// The page size in bytes.
    public var pageSize: Int
    /// The tables, with the number of rows that source and new file both have.
    public var tables: [TableRowCount]
    /// The virtual tables, whose content is in internal tables.
    public internal(set) var virtualTables: [String] = []
    /// What the copy lacks because the log of the source is damaged, a sentence each without a full stop.
    public internal(set) var notices: [String] = []

    /// The size of the new file.
    public var byteCount: Int64 { Int64(pageCount) * Int64(pageSize) }
    /// The rows of all tables.
    public var rowCount: Int { tables.reduce(0) { $0 + $1.rowCount } }
}
