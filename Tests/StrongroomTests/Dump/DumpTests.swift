import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct DumpTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.write {
            try $0.execute(
                sql: """
                    CREATE TABLE team(name TEXT PRIMARY KEY, color) WITHOUT ROWID;
                    CREATE TABLE Player(a, id INTEGER PRIMARY KEY);
                    CREATE TABLE seat(row, number, PRIMARY KEY (number, row));
                    CREATE TABLE "odd 'one'"(rowid, a);
                    CREATE INDEX byColor ON team(color);
                    CREATE VIEW players AS SELECT a AS name FROM Player ORDER BY id DESC;
                    INSERT INTO team VALUES ('Reds', 'red'), ('Blues', 'blue');
                    INSERT INTO Player VALUES ('B', 2), ('A', 1), ('C', 3);
                    INSERT INTO seat VALUES ('b', 1), ('a', 2), ('a', 1);
                    INSERT INTO "odd 'one'" VALUES (9, 'first'), (1, 'second');
                    """)
        }
    }

    @Test(.proves("DMP-001"))
    func `All statements run, and print what they give`() throws {
        let name = "O'Brien"
        let sql: SQL = """
            INSERT INTO Player VALUES (\(name), 4); SELECT a FROM Player WHERE a = \(name);
            SELECT 1, 2 WHERE 0; SELECT 3, 4
            """
        #expect(try DumpedText.of { try queue.dumpSQL(sql, to: $0) } == "O'Brien\n3|4\n")
        let again = try DumpedText.of { output in
            try queue.read { try $0.dumpSQL("SELECT a FROM Player WHERE id = 4", to: output) }
        }
        #expect(again == "O'Brien\n")
        let output = DumpedText()
        #expect(throws: DatabaseError.self) {
            try queue.dumpSQL("SELECT 1; SELECT missing", to: output)
        }
        #expect(output.text == "1\n")
        // Inside another access too.
        let nested = try queue.inDatabase { _ in
            try DumpedText.of { try queue.dumpSQL("SELECT 5", to: $0) }
        }
        #expect(nested == "5\n")
    }

    @Test func `A request prints its rows`() throws {
        let request: SQLRequest<Row> = "SELECT * FROM Player WHERE id > \(1)"
        let text = try DumpedText.of { try queue.dumpRequest(request, format: .quote(), to: $0) }
        #expect(text == "'B',2\n'C',3\n")
        #expect(
            try queue.read { db in
                try DumpedText.of { try db.dumpRequest(request, format: .line(), to: $0) }
            } == " a = B\nid = 2\n\n a = C\nid = 3\n")
    }

    private func tables(
        _ names: [String], _ header: DumpTableHeaderOptions = .automatic,
        stableOrder: Bool = false
    ) throws -> String {
        try DumpedText.of {
            try queue.dumpTables(names, tableHeader: header, stableOrder: stableOrder, to: $0)
        }
    }

    @Test(.proves("DMP-003", "DMP-005"))
    func `Tables come in the order of their keys`() throws {
        #expect(try tables(["team"]) == "Blues|blue\nReds|red\n")
        #expect(try tables(["player"]) == "A|1\nB|2\nC|3\n")
        #expect(try tables(["seat"]) == "a|1\nb|1\na|2\n")
        // A column that is named rowid is not the rowid.
        #expect(try tables(["odd 'one'"]) == "9|first\n1|second\n")
        #expect(try tables(["players"]) == "C\nB\nA\n")
        #expect(try tables(["players"], stableOrder: true) == "A\nB\nC\n")
        #expect(try tables(["team"], .always) == "team\nBlues|blue\nReds|red\n")
        #expect(try tables([]) == "")
        #expect(
            try tables(["players", "team"]) == """
                players
                C
                B
                A

                team
                Blues|blue
                Reds|red

                """)
        let unknown = "team; DROP TABLE team"
        let error = #expect(throws: DatabaseError.self) { try tables(["team", unknown]) }
        #expect(error?.message == "no such table: \(unknown)")
        #expect(try tables(["team"]) == "Blues|blue\nReds|red\n")
    }

    @Test func `A temporary table stands before one of the same name`() throws {
        try queue.inDatabase { db throws in
            try db.execute(
                sql: """
                    CREATE TEMP TABLE players(a PRIMARY KEY);
                    INSERT INTO temp.players VALUES (2), (1)
                    """)
            #expect(try DumpedText.of { try db.dumpTables(["players"], to: $0) } == "1\n2\n")
        }
    }

    @Test(.needsFTS5, .proves("DMP-004"))
    func `The content is the schema, then all tables`() throws {
        try queue.write {
            try $0.execute(
                sql: """
                    DROP TABLE seat; DROP TABLE "odd 'one'";
                    CREATE VIRTUAL TABLE document USING fts5(body);
                    CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT);
                    CREATE TABLE grdb_migrations(identifier TEXT PRIMARY KEY);
                    CREATE TRIGGER t AFTER INSERT ON Player BEGIN SELECT 1; END;
                    INSERT INTO document VALUES ('words'); INSERT INTO counted VALUES (1);
                    INSERT INTO grdb_migrations VALUES ('v1')
                    """)
        }
        let schema = """
            sqlite_master
            CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT);
            CREATE VIRTUAL TABLE document USING fts5(body);
            CREATE TABLE Player(a, id INTEGER PRIMARY KEY);
            CREATE TRIGGER t AFTER INSERT ON Player BEGIN SELECT 1; END;
            CREATE VIEW players AS SELECT a AS name FROM Player ORDER BY id DESC;
            CREATE TABLE team(name TEXT PRIMARY KEY, color) WITHOUT ROWID;
            CREATE INDEX byColor ON team(color);

            """
        #expect(try DumpedText.of { try queue.dumpSchema(to: $0) } == schema)
        #expect(
            try DumpedText.of { try queue.dumpContent(format: .quote(), to: $0) } == schema + """

                counted
                1

                document
                'words'

                Player
                'A',1
                'B',2
                'C',3

                team
                'Blues','blue'
                'Reds','red'

                """)
        let empty = try DumpedText.of { try DatabaseQueue().dumpContent(to: $0) }
        #expect(empty == "sqlite_master\n")
    }

    @Test func `A dump of an encrypted file sees one state`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open { $0.journalMode = .wal }
        try queue.write {
            try $0.execute(sql: "CREATE TABLE a(n); CREATE TABLE b(n); INSERT INTO a VALUES (1)")
        }
        let other = try fixture.open()
        /// Writes into the table that is still to come when the first row is printed.
        final class Writing: TextOutputStream {
            let other: DatabaseQueue
            var text = ""

            init(_ other: DatabaseQueue) {
                self.other = other
            }

            func write(_ string: String) {
                if string == "1\n" {
                    #expect(throws: Never.self) {
                        try other.write { try $0.execute(sql: "INSERT INTO b VALUES (2)") }
                    }
                }
                text += string
            }
        }
        let output = Writing(other)
        try queue.dumpTables(["a", "b"], to: output)
        #expect(output.text == "a\n1\n\nb\n")
        #expect(try DumpedText.of { try queue.dumpTables(["b"], to: $0) } == "2\n")
    }

    @Test(.proves("DMP-008"))
    func `Without a stream the standard output is printed to`() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            let queue = try DatabaseQueue()
            print("before")
            try queue.dumpSQL("SELECT 1, 'é'")
            try queue.inDatabase { try $0.dumpSchema() }
            print("after")
        }
        let text = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
        #expect(text.contains("before\n1|é\nsqlite_master\nafter\n"))
    }
}
