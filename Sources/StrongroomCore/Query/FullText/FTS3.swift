/// Full-text search by FTS3, the oldest kind: see `FTS4` and `FTS5`.
///
/// <https://www.sqlite.org/fts3.html>
public struct FTS3: VirtualTableModule, Sendable {
    public typealias TableDefinition = FTS3TableDefinition

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

    public var moduleName: String { "fts3" }

    public func makeTableDefinition(
        configuration: VirtualTableConfiguration
    ) -> FTS3TableDefinition {
        FTS3TableDefinition()
    }

    public func moduleArguments(
        for definition: FTS3TableDefinition, in db: Database
    ) -> [String] {
        definition.arguments
    }

    public func database(
        _ db: Database, didCreate tableName: String, using definition: FTS3TableDefinition
    ) {}

    /// The tokens into which a tokenizer cuts a text.
    ///
    ///     FTS3.tokenize("SQLite database", withTokenizer: .porter) // ["sqlite", "databas"]
    ///
    /// Where SQLCipher was built without FTS3, or has no such tokenizer, there are no tokens.
    public static func tokenize(
        _ string: String, withTokenizer tokenizer: FTS3TokenizerDescriptor = .simple
    ) -> [String] {
        let tokens = try? DatabaseQueue().writeWithoutTransaction { db in
            try db.execute(
                sql: "CREATE VIRTUAL TABLE token USING fts3tokenize(\(tokenizer.tokenizeSQL))")
            return try String.fetchAll(
                db, sql: "SELECT token FROM token WHERE input = ? ORDER BY position",
                arguments: [string])
        }
        return tokens ?? []
    }
}

/// Describes a table of FTS3.
public final class FTS3TableDefinition {
    private var columns: [String] = []

    /// What cuts texts into tokens: `simple` if nil.
    public var tokenizer: FTS3TokenizerDescriptor?

    init() {}

    /// Adds a column.
    ///
    ///     try db.create(virtualTable: "note", using: FTS3()) { t in t.column("body") }
    public func column(_ name: String) {
        columns.append(name)
    }

    var arguments: [String] {
        columns.map(\.quotedDatabaseIdentifier)
            + (tokenizer.map { ["tokenize=\($0.sql)"] } ?? [])
    }
}
