/// A table and how many rows it has.
public struct TableRowCount: Sendable, Equatable {
    /// The name of the table.
    public var name: String
    /// How many rows it has.
    public var rowCount: Int
    /// Whether SQLite or a virtual table keeps it for itself.
    public internal(set) var isInternal = false
}

/// What `DatabaseFile.transfer(to:)` has written and verified.
public struct TransferReport: Sendable {
    /// What became of the content.
    public enum Kind: String, Sendable {
        /// From a plain file into an encrypted one.
        case encrypted
        /// From an encrypted file into a plain one.
        case decrypted
        /// From one file into another of the same sort.
        case copied
    }

    /// What became of the content.
    public var kind: Kind
    /// How many pages the new file has.
    public var pageCount: Int
    /// How many bytes a page has.
    public var pageSize: Int
    /// The tables, with the number of rows that source and new file both have.
    public var tables: [TableRowCount]
    /// The virtual tables, whose content lies in tables that are internal.
    public internal(set) var virtualTables: [String] = []

    /// The size of the new file.
    public var byteCount: Int64 { Int64(pageCount) * Int64(pageSize) }
    /// The rows of all tables.
    public var rowCount: Int { tables.reduce(0) { $0 + $1.rowCount } }
}
