import Strongroom
public import Testing

/// What the SQLCipher under test has: tests ask it, for builds differ.
public enum LinkedEngine {
    /// Whether virtual tables of that kind can be made: `fts5`, `fts4`, `rtree`.
    public static func hasModule(_ name: String) -> Bool {
        holds("SELECT count(*) FROM pragma_module_list WHERE name = ?", name)
    }

    /// Whether it was compiled with an option, which is named without `SQLITE_`.
    public static func hasOption(_ name: String) -> Bool {
        holds("SELECT sqlite_compileoption_used(?)", name)
    }

    /// Whether there is an SQL function of that name.
    public static func hasFunction(_ name: String) -> Bool {
        holds("SELECT count(*) FROM pragma_function_list WHERE name = ?", name)
    }

    public static let hasFTS5 = hasModule("fts5")

    /// The newest module of full-text search that there is.
    public static let fullTextModule = hasFTS5 ? "fts5" : "fts4"

    /// What SQLCipher says of its version. The `sqlcipher` shell may have another one in it.
    public static let cipherVersion: String? = {
        let configuration = FixtureDatabase.configuration()
        return try? DatabaseQueue(configuration: configuration).read { try $0.cipherVersion }
    }()

    /// Whether `UPDATE` and `DELETE` take `ORDER BY` and `LIMIT`: the option alone does not tell,
    /// for the grammar is made before it is compiled.
    public static let limitsChanges = runs(
        "CREATE TEMP TABLE t (a); DELETE FROM t ORDER BY a LIMIT 1")

    /// Whether FTS3 takes parentheses and `AND` in its patterns.
    public static let hasEnhancedQuerySyntax = hasOption("ENABLE_FTS3_PARENTHESIS")

    private static func runs(_ sql: String) -> Bool {
        (try? DatabaseQueue().writeWithoutTransaction { try $0.execute(sql: sql) }) != nil
    }

    private static func holds(_ sql: String, _ name: String) -> Bool {
        let count = try? DatabaseQueue().read {
            try Int.fetchOne($0, sql: sql, arguments: [name])
        }
        return count ?? 0 > 0
    }
}

extension Trait where Self == ConditionTrait {
    /// A test that is skipped where SQLCipher has no FTS5.
    public static var needsFTS5: Self {
        .enabled(if: LinkedEngine.hasFTS5, "this SQLCipher was built without FTS5")
    }

    /// A test that is skipped where `UPDATE` and `DELETE` take no `LIMIT`.
    public static var needsLimitedChanges: Self {
        .enabled(
            if: LinkedEngine.limitsChanges,
            "this SQLCipher was built without SQLITE_ENABLE_UPDATE_DELETE_LIMIT")
    }
}
