/// Full-text search by FTS4.
///
///     try db.create(virtualTable: "book", using: FTS4()) { t in
///         t.tokenizer = .porter
///         t.column("title")
///         t.column("text")
///     }
///     let books = try Book.matching(FTS3Pattern(matchingAllTokensIn: "sea storm")).fetchAll(db)
///
/// <https://www.sqlite.org/fts3.html>
public struct FTS4: VirtualTableModule, Sendable {
    public typealias TableDefinition = FTS4TableDefinition

    /// The module with which to create tables.
    public init() {}

    public var moduleName: String { "fts4" }

    public func makeTableDefinition(
        configuration: VirtualTableConfiguration
    ) -> FTS4TableDefinition {
        FTS4TableDefinition(configuration: configuration)
    }

    public func moduleArguments(
        for definition: FTS4TableDefinition, in db: Database
    ) -> [String] {
        definition.arguments
    }

    public func database(
        _ db: Database, didCreate tableName: String, using definition: FTS4TableDefinition
    ) throws {
        guard let contentTable = definition.synchronizedTable else { return }
        let table = SynchronizedTable(
            name: tableName, columns: definition.columns.map(\.name), contentTable: contentTable)
        try table.createFTS4Triggers(db)
    }
}

/// Describes a table of FTS4: see `FTS4`.
///
/// <https://www.sqlite.org/fts3.html#fts4_options>
public final class FTS4TableDefinition {
    private let configuration: VirtualTableConfiguration
    private(set) var columns: [FTS4ColumnDefinition] = []
    private(set) var synchronizedTable: String?
    private var givenContent: String?

    /// What cuts texts into tokens: `simple` if nil.
    public var tokenizer: FTS3TokenizerDescriptor?

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

    /// The SQL function that compresses texts.
    public var compress: String?

    /// The SQL function that gives back what was compressed.
    public var uncompress: String?

    /// `fts3` for an index that knows less of the sizes of texts, and is smaller.
    public var matchinfo: String?

    /// The lengths of prefixes for which there is an index of their own.
    public var prefixes: Set<Int>?

    init(configuration: VirtualTableConfiguration) {
        self.configuration = configuration
    }

    /// Adds a column.
    ///
    ///     try db.create(virtualTable: "note", using: FTS4()) { t in t.column("body") }
    @discardableResult
    public func column(_ name: String) -> FTS4ColumnDefinition {
        let column = FTS4ColumnDefinition(name: name)
        columns.append(column)
        return column
    }

    /// Has the index follow a table, which has the texts, by triggers.
    ///
    /// The columns must have the names of those of the other table, whose rows are indexed at once.
    /// `Database.dropFTS4SynchronizationTriggers(forTable:)` ends it.
    ///
    ///     try db.create(virtualTable: "bookIndex", using: FTS4()) { t in
    ///         t.synchronize(withTable: "book")
    ///         t.column("title")
    ///     }
    ///
    /// - Precondition: The full-text table is not temporary.
    public func synchronize(withTable tableName: String) {
        guard !configuration.isTemporary else {
            fatalError("Temporary external content FTS4 tables are not supported.")
        }
        content = tableName
        synchronizedTable = tableName
    }

    var arguments: [String] {
        var arguments = columns.filter { !$0.isLanguageID }.map(\.name.quotedDatabaseIdentifier)
        if let tokenizer { arguments.append("tokenize=\(tokenizer.sql)") }
        func append(_ option: String, _ value: String?) {
            if let value { arguments.append("\(option)=\(value.sqlLiteral)") }
        }
        append("content", content)
        append("compress", compress)
        append("uncompress", uncompress)
        append("matchinfo", matchinfo)
        append("prefix", prefixes.map { $0.sorted().map(String.init).joined(separator: ",") })
        for column in columns where !column.isIndexed { append("notindexed", column.name) }
        for column in columns where column.isLanguageID { append("languageid", column.name) }
        return arguments
    }
}

/// Describes a column of a table of FTS4.
public final class FTS4ColumnDefinition {
    let name: String
    private(set) var isIndexed = true
    private(set) var isLanguageID = false

    init(name: String) {
        self.name = name
    }

    /// Leaves the column out of searches.
    @discardableResult
    public func notIndexed() -> Self {
        isIndexed = false
        return self
    }

    /// Has the column hold the number of the row's language, which the tokenizer may know.
    ///
    /// It is hidden: a request has it when it is selected by its name.
    @discardableResult
    public func asLanguageId() -> Self {
        isLanguageID = true
        return self
    }
}
