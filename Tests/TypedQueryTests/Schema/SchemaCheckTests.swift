import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite("The schema check")
struct SchemaCheckTests {
    @Test(.proves("GEN-002"))
    func `is one line of a test`() throws {
        let database = try SchemaDatabase(Ship.sql + ";" + Crate.sql)
        let queue = database.queue
        #expect(try queue.read { try $0.mismatches(of: HarbourTables.all) } == [])
        #expect(try queue.read { try $0.mismatches(of: [Ship.self, Crate.self]) } == [])
        let schemas = HarbourTables.all.map { $0.schema }
        #expect(try queue.read { try $0.mismatches(of: schemas) } == [])
        try queue.write { try $0.execute(sql: "ALTER TABLE ships DROP COLUMN due_at") }
        let mismatches = try queue.read { try $0.mismatches(of: HarbourTables.all) }
        #expect(mismatches.map(\.kind) == [.missingColumn])
    }

    @Test(.proves("GEN-003"))
    func `a mismatch tells where it is, what both sides say, and a correction`() throws {
        let sql = "CREATE TABLE crates (id INTEGER PRIMARY KEY, name TEXT NOT NULL, due INTEGER)"
        let mismatches = try SchemaDatabase(sql).read { try $0.mismatches(of: [Crate.self]) }
        let mismatch = try #require(mismatches.first)
        #expect(mismatches.count == 1)
        #expect(mismatch.severity == .error && mismatch.kind == .affinity)
        #expect(mismatch.table == "crates" && mismatch.column == "due")
        #expect(mismatch.expected == "Date? is stored as text")
        #expect(mismatch.found == "the column is INTEGER")
        #expect(mismatch.correction == "'@Column(as: Date.UnixTimeRepresentation.self)'")
        #expect(
            mismatch.description == "error: crates.due: Date? is stored as text, "
                + "the column is INTEGER — '@Column(as: Date.UnixTimeRepresentation.self)'")
    }

    @Test(.proves("GEN-001", "GEN-004", "GEN-005"))
    func `a document that may be missing takes NULL`() throws {
        let schema = Manifest.schema
        #expect(schema.columns.map(\.isOptional) == [false, true, true, true, true, false])
        #expect(
            schema.columns[1].type == "Array<String>?"
                && schema.columns[1].type == schema.columns[4].type)
        let columns = ["goods TEXT", "weights BLOB", "counts BLOB", "marks TEXT"]
        func table(_ end: String) -> String {
            "CREATE TABLE manifests (id INTEGER PRIMARY KEY, "
                + columns.map { $0 + end + ", " }.joined() + "gaps TEXT NOT NULL);"
        }
        let free = try SchemaDatabase(
            table("") + "INSERT INTO manifests (id, gaps) VALUES (1, '[]')")
        #expect(try free.read { try $0.mismatches(of: [Manifest.self], sampling: 1) } == [])
        let manifest = try #require(try free.read { try Manifest.fetchOne($0) })
        #expect(manifest.goods == nil && manifest.marks == nil && manifest.counts == nil)
        let bound = try SchemaDatabase(table(" NOT NULL"))
        let warnings = try bound.read { try $0.mismatches(of: [Manifest.self]) }
        #expect(warnings.map(\.column) == ["goods", "weights", "counts", "marks"])
        #expect(warnings.allSatisfy { $0.severity == .warning })
        // The statement that makes the table takes what the type takes.
        let made = try SchemaDatabase(
            try SchemaDatabase().read { try $0.mismatches(of: [schema]) }.repair.joined(
                separator: ";"))
        #expect(try made.read { try $0.mismatches(of: [schema]) } == [])
        let terms = Manifest.TableColumns.allColumns
        #expect(
            terms[1] is TableColumn<JSONOf<[String]?>>
                && terms[2] is TableColumn<JSONBOf<[Int]>?>)
    }

    @Test(
        .proves("GEN-004"),
        arguments: SchemaCase.errors + SchemaCase.kinds + SchemaCase.affinities)
    func `finds errors, and its statements repair them`(_ example: SchemaCase) throws {
        try example.check()
    }

    @Test(.proves("GEN-005"), arguments: SchemaCase.warnings)
    func `warns, and its statements repair it`(_ example: SchemaCase) throws {
        try example.check()
    }

    @Test(.proves("GEN-006"), arguments: SchemaCase.notes)
    func `notes what matters in few places`(_ example: SchemaCase) throws {
        try example.check()
    }

    @Test(.proves("GEN-007"))
    func `decodes as many rows as asked, and reports the first failure of each column`() throws {
        let database = try SchemaDatabase(
            Crate.sql + "; " + Ship.sql + """
                ; INSERT INTO crates VALUES (1, 'x', NULL), (2, 'y', 'soon'), (3, x'00', 'later');
                INSERT INTO ships (id, name, builtAt, flags, berth) VALUES (1, 'x', 0, '{', 'A');
                """)
        try database.read { db in
            func failures(_ count: Int) throws -> [String] {
                try db.mismatches(of: [Crate.self, Ship.self], sampling: count).map {
                    #expect($0.severity == .error && $0.kind == .decoding)
                    return "\($0.table).\($0.column ?? "")"
                }
            }
            #expect(try failures(0) == [])
            #expect(try failures(1) == ["ships.flags"])
            #expect(try failures(2) == ["crates.due", "ships.flags"])
            #expect(try failures(9) == ["crates.name", "crates.due", "ships.flags"])
            let due = try db.mismatches(of: [Crate.self], sampling: 9).first { $0.column == "due" }
            #expect(due?.found.contains("soon") == true, "\(due?.found ?? "")")
        }
    }

    @Test(.proves("GEN-008"))
    func `a missing table names the near ones`() throws {
        func found(_ sql: String) throws -> [String] {
            try SchemaDatabase(sql).read { try $0.mismatches(of: [Crate.self]) }.map(\.found)
        }
        #expect(try found("CREATE TABLE crate (id)") == ["the database has \"crate\""])
        #expect(try found("CREATE TABLE tales (id)") == ["the database has no such table"])
        #expect(
            try found("CREATE TABLE rates (id); CREATE VIEW creates AS SELECT 1")
                == ["the database has \"creates\", \"rates\""])
    }

    @Test(.proves("TYP-09"))
    func `for a key of several columns it asks for what the macro takes`() throws {
        let sql = "CREATE TABLE notices (title TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY"
        for (key, word) in [
            ("(title)", "'@Column(primaryKey: true)'"), ("(title, body)", "@Selection"),
        ] {
            let found = try SchemaDatabase("\(sql) \(key))").read {
                try $0.mismatches(of: [KeylessNotice.self])
            }
            let mismatch = try #require(found.first { "\($0.kind)" == "primaryKey" })
            #expect(mismatch.correction?.contains(word) == true, "\(mismatch)")
        }
    }

    @Test(.proves("GEN-009", "TYP-09"))
    func `understands views, full text, attached and temporary tables`() throws {
        let database = try SchemaDatabase(
            """
            CREATE VIEW crates AS SELECT 'x' AS name;
            CREATE VIRTUAL TABLE notices USING fts5(title, body, tokenize = 'porter ascii');
            """)
        let other = try FixtureDatabase()
        _ = try other.open()
        let moved = "CREATE VIRTUAL TABLE notices USING fts5(body, title)"
        try database.queue.inDatabase { db in
            func found(_ types: any StrongroomTables.Table.Type...) throws -> [String] {
                try db.mismatches(of: types).map { "\($0.severity) \($0.kind)" }
            }
            #expect(try found(CrateView.self, Notice.self) == [])
            #expect(try found(NumberedNotice.self) == [])
            // The number of a column is that of its declaration.
            try db.execute(sql: "DROP TABLE notices; " + moved)
            #expect(try found(Notice.self) == ["error columnOrder"])
            #expect(try found(NumberedNotice.self) == ["error columnOrder"])
            try db.execute(sql: "DROP TABLE notices; CREATE TABLE notices (title TEXT, body TEXT)")
            #expect(try found(Notice.self).first == "error tableKind")
            // A view on a table that is gone.
            try db.execute(sql: "DROP VIEW crates; CREATE VIEW crates AS SELECT name FROM gone")
            #expect(try found(CrateView.self) == ["error unreadable"])
            // A temporary table hides one of the file.
            try db.execute(sql: "CREATE TEMP TABLE crates (id INTEGER PRIMARY KEY)")
            #expect(try found(Crate.self) == ["error missingColumn", "error missingColumn"])
            let repair = try db.mismatches(of: [Crate.self]).repair
            #expect(repair.allSatisfy { $0.hasPrefix("ALTER TABLE \"temp\".\"crates\"") })
            for statement in repair { try db.execute(sql: statement) }
            #expect(try found(Crate.self) == [])
            // One of an attached database, which the type names.
            #expect(try found(Spare.self) == ["error missingTable"])
            try db.attach(other.path, as: "aux", passphrase: other.key)
            try db.execute(sql: "CREATE TABLE spare (id INTEGER PRIMARY KEY, count INTEGER)")
            #expect(try found(Spare.self) == ["error missingTable"])
            for statement in try db.mismatches(of: [Spare.self]).repair {
                try db.execute(sql: statement)
            }
            #expect(try found(Spare.self) == [])
            try db.execute(
                sql: """
                    DROP TABLE aux.spare;
                    CREATE TABLE aux.spare (id INTEGER PRIMARY KEY, count INT);
                    CREATE INDEX aux.byCount ON spare (count);
                    INSERT INTO aux.spare VALUES (1, NULL)
                    """)
            #expect(try found(Spare.self) == ["error nullability"])
            for statement in try db.mismatches(of: [Spare.self]).repair {
                try db.execute(sql: statement)
            }
            #expect(try found(Spare.self) == [])
            #expect(try Int.fetchOne(db, sql: "SELECT count FROM aux.spare") == 0)
            let index = "SELECT count(*) FROM aux.sqlite_master WHERE name = 'byCount'"
            #expect(try Int.fetchOne(db, sql: index) == 1)
        }
    }

    @Test(.proves("GEN-013"))
    func `writes nothing`() throws {
        let tables = try HundredTables()
        let before = try Data(contentsOf: URL(fileURLWithPath: tables.fixture.path))
        let reader = try tables.fixture.open { $0.readonly = true }
        #expect(try reader.read { try $0.mismatches(of: tables.schemas) } == [])
        #expect(try Data(contentsOf: URL(fileURLWithPath: tables.fixture.path)) == before)
        let changes = try tables.queue.writeWithoutTransaction { db in
            let count = db.totalChangesCount
            _ = try db.mismatches(of: tables.schemas)
            return db.totalChangesCount - count
        }
        #expect(changes == 0)
    }

    @Test(.proves("GEN-013"))
    func `compares 100 tables in 50 ms`() async {
        // In a process of its own: the threads of other tests contend for this one's memory.
        await #expect(processExitsWith: .success) {
            let tables = try HundredTables()
            var best = Duration.seconds(60)
            for _ in 0..<5 {
                try tables.queue.read { db in
                    let taken = try ProcessorTime.ofThread {
                        _ = try db.mismatches(of: tables.schemas)
                    }
                    best = min(best, taken)
                }
            }
            guard best < .milliseconds(50) else { throw TooSlow(time: best) }
        }
    }
}

private struct TooSlow: Error {
    let time: Duration
}

/// A database of 100 tables, and what an app says of them.
private struct HundredTables {
    let schemas: [TableSchema]
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        let columns = [
            TableSchema.Column("id", type: "Int", affinity: .integer),
            TableSchema.Column("name", type: "String", affinity: .text),
            TableSchema.Column("size", type: "Double", affinity: .real),
            TableSchema.Column("code", type: "String", affinity: .text),
        ]
        schemas = (0..<100).map { number in
            var schema = TableSchema("T\(number)", name: "t\(number)", columns: columns)
            schema.columns[0].keyPosition = 1
            return schema
        }
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            for schema in schemas {
                try db.execute(
                    sql: """
                        CREATE TABLE \(schema.name) (id INTEGER PRIMARY KEY, name TEXT NOT NULL,
                            size REAL NOT NULL, code TEXT NOT NULL)
                        """)
            }
        }
    }
}
