/// How a table is created. <https://www.sqlite.org/lang_createtable.html>
public struct TableOptions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Nothing happens if there is a table of that name already, whatever its columns.
    public static let ifNotExists = TableOptions(rawValue: 1 << 0)
    /// Only this connection sees the table, and it is gone with the connection.
    public static let temporary = TableOptions(rawValue: 1 << 1)
    /// Rows have no number, and stand in the order of the primary key.
    /// <https://www.sqlite.org/withoutrowid.html>
    public static let withoutRowID = TableOptions(rawValue: 1 << 2)
    /// Columns hold values of their type only. <https://www.sqlite.org/stricttables.html>
    public static let strict = TableOptions(rawValue: 1 << 3)
}

/// How a virtual table is created. <https://www.sqlite.org/lang_createvtab.html>
public struct VirtualTableOptions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Nothing happens if there is a table of that name already.
    public static let ifNotExists = VirtualTableOptions(rawValue: 1 << 0)
    /// Only this connection sees the table, and it is gone with the connection.
    public static let temporary = VirtualTableOptions(rawValue: 1 << 1)
}

/// How a view is created. <https://www.sqlite.org/lang_createview.html>
public struct ViewOptions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Nothing happens if there is a view of that name already.
    public static let ifNotExists = ViewOptions(rawValue: 1 << 0)
    /// Only this connection sees the view, and it is gone with the connection.
    public static let temporary = ViewOptions(rawValue: 1 << 1)
}

/// How an index is created. <https://www.sqlite.org/lang_createindex.html>
public struct IndexOptions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Nothing happens if there is an index of that name already.
    public static let ifNotExists = IndexOptions(rawValue: 1 << 0)
    /// No two rows may have the same values.
    public static let unique = IndexOptions(rawValue: 1 << 1)
}
