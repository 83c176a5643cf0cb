import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct VirtualTableTests {
    /// A module as an app may write one.
    struct Search: VirtualTableModule {
        struct Failure: Error {}

        final class TableDefinition {
            let configuration: VirtualTableConfiguration
            var columns: [String] = []
            var fails = false

            init(_ configuration: VirtualTableConfiguration) {
                self.configuration = configuration
            }
        }

        let moduleName = "fts4"

        func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition {
            TableDefinition(configuration)
        }

        func moduleArguments(for definition: TableDefinition, in db: Database) -> [String] {
            definition.columns.map(\.quotedDatabaseIdentifier)
        }

        func database(
            _ db: Database, didCreate tableName: String, using definition: TableDefinition
        ) throws {
            if definition.fails { throw Failure() }
            try db.execute(
                literal: "INSERT INTO \(identifier: tableName)(rowid) VALUES (\(7))")
        }
    }

    let schema: SchemaFixture

    init() throws {
        schema = try SchemaFixture()
    }

    @Test(.proves("SCH-005", "SCH-007"))
    func `Virtual tables are created by the name of a module`() throws {
        let sql = try schema.sql { db in
            try db.create(virtualTable: "a", using: "fts4(x, y)")
            try db.create(virtualTable: "a", options: .ifNotExists, using: "fts4")
            try db.create(virtualTable: "a", ifNotExists: true, using: "fts4")
            try db.create(virtualTable: "a", options: [.temporary, .ifNotExists], using: "fts4")
            try db.create(virtualTable: "b", ifNotExists: true, using: Search())
        }
        let creations = sql.filter { $0.hasPrefix("CREATE") }
        #expect(
            creations.prefix(5) == [
                #"CREATE VIRTUAL TABLE "a" USING fts4(x, y)"#,
                #"CREATE VIRTUAL TABLE IF NOT EXISTS "a" USING fts4"#,
                #"CREATE VIRTUAL TABLE IF NOT EXISTS "a" USING fts4"#,
                #"CREATE VIRTUAL TABLE IF NOT EXISTS temp."a" USING fts4"#,
                #"CREATE VIRTUAL TABLE IF NOT EXISTS "b" USING fts4"#,
            ])
    }

    @Test(.proves("SCH-005", "SCH-006", "SCH-041"))
    func `A module describes, creates and completes a table`() throws {
        let sql = try schema.sql { db in
            try db.create(
                virtualTable: "book", options: [.temporary, .ifNotExists], using: Search()
            ) { t in
                #expect(t.configuration.isTemporary && t.configuration.ifNotExists)
                t.columns = ["title", "the \"text\""]
            }
            try db.create(virtualTable: "main", using: Search()) { t in
                #expect(!t.configuration.isTemporary && !t.configuration.ifNotExists)
            }
            // Nothing happens to a table that is there.
            try db.create(virtualTable: "main", options: .ifNotExists, using: Search()) {
                $0.fails = true
            }
        }
        #expect(
            sql.first { $0.hasPrefix("CREATE") } == """
                CREATE VIRTUAL TABLE IF NOT EXISTS temp."book" USING \
                fts4("title", "the ""text""\")
                """)
        try schema.queue.read { db throws in
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM book") == [7])
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM main") == [7])
        }
    }

    @Test(.proves("SCH-005"))
    func `A table that can't be completed is gone`() throws {
        try schema.queue.writeWithoutTransaction { db in
            #expect(throws: Search.Failure.self) {
                try db.create(virtualTable: "book", using: Search()) { $0.fails = true }
            }
            #expect(try !db.tableExists("book"))
            #expect(!db.isInsideTransaction)
            try db.inTransaction {
                #expect(throws: Search.Failure.self) {
                    try db.create(virtualTable: "book", using: Search()) { $0.fails = true }
                }
                try db.create(virtualTable: "book", using: Search())
                return .commit
            }
            #expect(try db.tableExists("book"))
        }
    }
}
