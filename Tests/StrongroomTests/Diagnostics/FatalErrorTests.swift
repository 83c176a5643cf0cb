import Strongroom
import StrongroomTestSupport
import Testing

/// What stops a program, because only a change of the program mends it; and what throws instead,
/// because the schema or the content of a database decides it.
@Suite struct FatalErrorTests {
    struct Team: TableRecord, FetchableRecord {
        init(row: Row) {}

        static let members = hasMany(Member.self)
        static let leaders = hasMany(Member.self, key: "leaders")
    }

    struct Member: TableRecord, FetchableRecord {
        init(row: Row) {}
    }

    static func withDatabase(_ body: (Database) throws -> Void) throws {
        try DatabaseQueue().write { db in
            try db.execute(
                sql: """
                    CREATE TABLE team(id INTEGER PRIMARY KEY);
                    CREATE TABLE member(
                        teamId INT REFERENCES team, leaderOf INT REFERENCES team, name TEXT);
                    """)
            try body(db)
        }
    }

    private func expect(_ text: String, from result: ExitTest.Result?) {
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains(text))
    }

    @Test(.proves("ERR-011"))
    func `A row that is read as what it is not stops the program`() async {
        let null = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try FatalErrorTests.withDatabase { db in
                _ = try Row.fetchOne(db, sql: "SELECT NULL AS a")!["a"] as Int
            }
        }
        expect("could not decode Int from database value NULL", from: null)
        let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try FatalErrorTests.withDatabase { db in
                _ = try Row.fetchOne(db, sql: "SELECT 'x' AS a")!["a"] as Int
            }
        }
        expect("could not decode Int from database value \"x\"", from: text)
        let column = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try FatalErrorTests.withDatabase { db in
                _ = try Row.fetchOne(db, sql: "SELECT 1 AS a")!["b"] as Int
            }
        }
        expect("column not found: \"b\"", from: column)
    }

    @Test(.proves("ERR-011"))
    func `Accesses inside accesses, open transactions and unknown migrations stop the program`()
        async
    {
        let nested = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let queue = try DatabaseQueue()
            try queue.read { _ in try queue.read { _ in } }
        }
        expect("Database methods are not reentrant", from: nested)
        let open = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try DatabaseQueue().inDatabase { try $0.beginTransaction() }
        }
        expect("A transaction has been left opened at the end of a database access", from: open)
        let migration = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try DatabaseMigrator().migrate(DatabaseQueue(), upTo: "v1")
        }
        expect("undefined migration", from: migration)
    }

    /// The differences DIF-33 and those of associations.
    @Test(.proves("ERR-011"))
    func `What the schema decides throws`() throws {
        try Self.withDatabase { db throws in
            let key = DatabaseError.thrown { _ = try Member.fetchOne(db, key: ["name": "Ann"]) }
            #expect(key?.message?.contains("has no unique key on") == true)
            let foreignKey = DatabaseError.thrown {
                _ = try Team.including(all: Team.members).fetchAll(db)
            }
            #expect(foreignKey?.message?.contains("Ambiguous foreign key") == true)
            let alias = TableAlias<Member>()
            let using = Team.hasMany(Member.self, key: "a", using: ForeignKey(["teamId"]))
            let other = Team.hasMany(Member.self, key: "b", using: ForeignKey(["leaderOf"]))
            let reuse = DatabaseError.thrown {
                _ = try Team.joining(required: using.aliased(alias))
                    .joining(required: other.aliased(alias)).fetchAll(db)
            }
            #expect(reuse?.message == "A table alias stands for two tables of one request.")
        }
    }
}
