import CSQLCipher
import Strongroom
import StrongroomTestSupport
import Testing

/// What tests are told of SQLCipher is what it does.
@Suite struct LinkedEngineTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
    }

    private func runs(_ sql: String) -> Bool {
        (try? queue.write { try $0.execute(sql: sql) }) != nil
    }

    @Test(
        "A module that is there makes tables", .proves("POR-10"),
        arguments: ["fts3", "fts4", "fts5"])
    func modules(name: String) {
        #expect(LinkedEngine.hasModule(name) == runs("CREATE VIRTUAL TABLE t USING \(name)(a)"))
    }

    @Test("The newest module of full-text search finds words", .proves("POR-10"))
    func fullText() throws {
        try queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE t USING \(LinkedEngine.fullTextModule)(a);
                    INSERT INTO t VALUES ('to be')
                    """)
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'be'")
            #expect(count == 1)
        }
    }

    @Test(
        "A function that is there can be called", .proves("POR-10"), arguments: ["json", "jsonb"])
    func functions(name: String) {
        #expect(LinkedEngine.hasFunction(name) == runs("SELECT \(name)('[]')"))
    }

    @Test("Parentheses in patterns are read where they are said to be", .proves("POR-10"))
    func patterns() throws {
        try queue.write { db throws in
            try db.execute(
                sql: "CREATE VIRTUAL TABLE t USING fts3(a); INSERT INTO t VALUES ('to be')")
            let pattern = "SELECT count(*) FROM t WHERE t MATCH '(to OR nothing) AND be'"
            let count = try? Int.fetchOne(db, sql: pattern)
            #expect(LinkedEngine.hasEnhancedQuerySyntax == (count == 1))
        }
    }

    @Test("The version is that of the library which is loaded", .proves("POR-10"))
    func version() throws {
        let compiled = try #require(LinkedEngine.cipherVersion)
        #expect(compiled.hasPrefix("4."))
        let options = try queue.read { try String.fetchAll($0, sql: "PRAGMA compile_options") }
        for option in options.prefix(20) {
            #expect(LinkedEngine.hasOption(option))
        }
        #expect(!LinkedEngine.hasOption("NO_SUCH_OPTION"))
    }
}
