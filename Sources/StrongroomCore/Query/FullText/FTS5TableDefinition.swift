/// Describes a table of FTS5: see `FTS5`.
///
/// <https://www.sqlite.org/fts5.html#fts5_table_creation_and_initialization>
public final class FTS5TableDefinition {
    private let configuration: VirtualTableConfiguration
    private(set) var columns: [FTS5ColumnDefinition] = []
    private(set) var synchronizedTable: String?
    private var givenContent: String?

    /// What cuts texts into tokens: `unicode61` if nil.
    public var tokenizer: FTS5TokenizerDescriptor?

    /// The table that has the texts, or `""` for a table that keeps none; nil for one that does.
    ///
    /// `synchronize(withTable:)` sets it, and has the index follow that table.
    public var content: String? {
        get { givenContent }
        set {
            givenContent = newValue
            synchronizedTable = nil
        }
    }

    /// The column of the content table that has the number of the row.
    public var contentRowID: String?

    /// The lengths of prefixes for which there is an index of their own.
    public var prefixes: Set<Int>?

    /// Whether the sizes of texts are stored: 0 or 1.
    public var columnSize: Int?

    /// What the index knows about the places of tokens: `full`, `column` or `none`.
    public var detail: String?

    init(configuration: VirtualTableConfiguration) {
        self.configuration = configuration
    }

    /// Adds a column.
    ///
    ///     try db.create(virtualTable: "note", using: FTS5()) { t in
    ///         t.column("title")
    ///         t.column("body")
    ///     }
    @discardableResult
    public func column(_ name: String) -> FTS5ColumnDefinition {
        let column = FTS5ColumnDefinition(name: name)
        columns.append(column)
        return column
    }

    /// Has the index follow a table, which has the texts, by triggers.
    ///
    /// The columns must have the names of those of the other table, whose rows are indexed at once.
    /// `Database.dropFTS5SynchronizationTriggers(forTable:)` ends it.
    ///
    ///     try db.create(virtualTable: "bookIndex", using: FTS5()) { t in
    ///         t.synchronize(withTable: "book")
    ///         t.column("title")
    ///     }
    ///
    /// - Precondition: The full-text table is not temporary.
    public func synchronize(withTable tableName: String) {
        guard !configuration.isTemporary else {
            fatalError("Temporary external content FTS5 tables are not supported.")
        }
        content = tableName
        synchronizedTable = tableName
    }

    func arguments(in db: Database) throws -> [String] {
        var contentRowID = contentRowID
        if let synchronizedTable, contentRowID == nil {
            contentRowID = try SynchronizedTable.rowID(
                of: synchronizedTable, columns: columns.map(\.name), db)
        }
        var arguments = columns.map(\.sql)
        func append(_ option: String, _ value: String?) {
            if let value { arguments.append("\(option)=\(value.sqlLiteral)") }
        }
        append("tokenize", tokenizer?.sql)
        append("content", content)
        append("content_rowid", contentRowID)
        append("prefix", prefixes.map { $0.sorted().map(String.init).joined(separator: " ") })
        append("columnsize", columnSize.map(String.init))
        append("detail", detail)
        return arguments
    }
}

/// Describes a column of a table of FTS5.
public final class FTS5ColumnDefinition {
    let name: String
    private var isIndexed = true

    init(name: String) {
        self.name = name
    }

    /// Leaves the column out of searches.
    ///
    ///     try db.create(virtualTable: "note", using: FTS5()) { t in
    ///         t.column("body")
    ///         t.column("language").notIndexed()
    ///     }
    @discardableResult
    public func notIndexed() -> Self {
        isIndexed = false
        return self
    }

    var sql: String {
        name.quotedDatabaseIdentifier + (isIndexed ? "" : " UNINDEXED")
    }
}
