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

    /// What a test that needs FTS5 says where it is not run.
    public static let needsFTS5: Comment = "this SQLCipher was built without FTS5"

    private static func holds(_ sql: String, _ name: String) -> Bool {
        let count = try? DatabaseQueue().read {
            try Int.fetchOne($0, sql: sql, arguments: [name])
        }
        return count ?? 0 > 0
    }
}
