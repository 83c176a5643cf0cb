/// Full-text search by FTS5.
///
///     try db.create(virtualTable: "book", using: FTS5()) { t in
///         t.tokenizer = .porter()
///         t.column("title")
///         t.column("text")
///     }
///     let books = try Book.matching(FTS5Pattern(matchingAllTokensIn: "sea storm"))
///         .order(Column.rank).fetchAll(db)
///
/// <https://www.sqlite.org/fts5.html>
public struct FTS5: VirtualTableModule, Sendable {
    public typealias TableDefinition = FTS5TableDefinition

    /// What becomes of accents.
    public enum Diacritics: Sendable {
        /// They stay: `é` is not `e`.
        case keep
        /// They go, but for letters with several of them; the default.
        case removeLegacy
        /// They go.
        case remove

        var number: String? {
            switch self {
            case .keep: "0"
            case .removeLegacy: nil
            case .remove: "2"
            }
        }
    }

    /// The module with which to create tables.
    public init() {}

    public var moduleName: String { "fts5" }

    public func makeTableDefinition(
        configuration: VirtualTableConfiguration
    ) -> FTS5TableDefinition {
        FTS5TableDefinition(configuration: configuration)
    }

    /// The arguments that stand for a definition.
    ///
    /// - Throws: `SQLITE_ERROR` where SQLCipher was built without FTS5, and when the table to
    ///   synchronize with can't be.
    public func moduleArguments(
        for definition: FTS5TableDefinition, in db: Database
    ) throws -> [String] {
        _ = try FullTextInterface.pointer(try db.connection())
        return try definition.arguments(in: db)
    }

    public func database(
        _ db: Database, didCreate tableName: String, using definition: FTS5TableDefinition
    ) throws {
        guard let contentTable = definition.synchronizedTable else { return }
        let table = SynchronizedTable(
            name: tableName, columns: definition.columns.map(\.name), contentTable: contentTable)
        try table.createFTS5Triggers(db)
    }

    /// FTS5's interface in C, good as long as the connection is open.
    ///
    /// Where SQLCipher was built without FTS5, every function of the interface answers
    /// `SQLITE_ERROR`, and creates or finds nothing.
    ///
    /// - Precondition: The connection is open.
    public static func api(_ db: Database) -> UnsafePointer<FTS5Interface> {
        guard let connection = db.openConnection else {
            fatalError("FTS5.api was called on a closed connection")
        }
        return FullTextInterface.pointerOrRefusal(connection)
    }
}
