import Strongroom
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct SchemaCheckTests {
    private func findings(_ sql: String, _ tables: [SyncedTable]) throws -> [SyncFinding] {
        let database = try FixtureDatabase()
        let queue = try database.open()
        return try queue.write { db throws in
            try db.execute(sql: sql)
            return try SyncSchema.check(db, tables)
        }
    }

    /// `refused noPrimaryKey t.a`
    private func words(_ sql: String, _ tables: [SyncedTable]) throws -> [String] {
        try findings(sql, tables).map { finding in
            #expect(!finding.message.isEmpty && !finding.remedy.isEmpty)
            #expect(finding.description.contains(finding.message))
            let place = finding.column.map { "\(finding.table).\($0)" } ?? finding.table
            return "\(finding.severity.rawValue) \(finding.reason.rawValue) \(place)"
        }
    }

    private static let good = """
        CREATE TABLE team (id TEXT PRIMARY KEY NOT NULL, parent TEXT REFERENCES team, name TEXT UNIQUE,
            score INTEGER, best REAL, low, high);
        CREATE INDEX tp ON team (parent);
        """

    @Test(.proves("SYN-274"))
    func `a schema that can be shared has no findings`() throws {
        let table = SyncedTable(
            "Team", merge: ["Score": .counter, "best": .maximum, "name": .latest],
            unique: ["name": .hold], onConflictingDelete: .editWins, acyclic: "parent",
            groups: [["low", "HIGH"]],
            renamedFrom: "crew", renamedColumns: ["name": "title"])
        #expect(try findings(Self.good, [table]) == [])
    }

    @Test(.proves("SYN-274"))
    func `all findings come at once, each with its table, column, reason and remedy`() throws {
        let sql = """
            CREATE TABLE nokey (a, b REAL); CREATE TABLE number (id INTEGER PRIMARY KEY, r REAL, c INTEGER CHECK (c > 0));
            CREATE TABLE child (id TEXT PRIMARY KEY, p TEXT REFERENCES elsewhere, n TEXT NOT NULL);
            CREATE TABLE elsewhere (id TEXT PRIMARY KEY NOT NULL); CREATE VIEW v AS SELECT 1;
            """
        let tables = [
            SyncedTable("nokey"), SyncedTable("number", merge: ["r": .counter, "c": .counter]),
            SyncedTable("child"), SyncedTable("v"), SyncedTable("gone"),
        ]
        #expect(
            try words(sql, tables) == [
                "refused noPrimaryKey nokey", "refused rowNumberKey number.id",
                "refused groupedColumn number.c", "refused unsuitableColumn number.r",
                "warning nullableKey child.id", "refused parentNotShared child.p",
                "warning slowForeignKey child.p",
                "warning noDefault child.n", "refused notATable v", "refused missingTable gone",
            ])
        let error = #expect(throws: SyncSchemaError.self) {
            let database = try FixtureDatabase()
            let queue = try database.open()
            try queue.write { db throws in
                try db.execute(sql: sql)
                _ = try SyncSchema(db, tables)
            }
        }
        #expect(
            error?.findings.count == 10 && error?.description.split(separator: "\n").count == 10)
    }

    @Test(.proves("SYN-066", "SYN-068"))
    func `keys that devices cannot share are refused`() throws {
        let sql =
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE u (a); CREATE TABLE w (a INT PRIMARY KEY, b) WITHOUT ROWID;"
        #expect(try words(sql, [SyncedTable("t")]) == ["refused rowNumberKey t.id"])
        #expect(try words(sql, [SyncedTable("t", keys: .application), SyncedTable("w")]) == [])
        #expect(try words(sql, [SyncedTable("t", keys: .mapped)]) == ["refused notAvailable t.id"])
        #expect(
            try words(sql, [SyncedTable("t", keys: KeyPolicy(rawValue: "own"))]) == [
                "refused unknownPolicy t"
            ])
        let finding = try #require(try findings(sql, [SyncedTable("u")]).first)
        #expect(finding.reason == .noPrimaryKey && finding.remedy.contains("PRIMARY KEY"))
    }

    @Test(.proves("SYN-274"))
    func `a foreign key to another column than the primary key is refused`() throws {
        let sql = """
            CREATE TABLE person (id TEXT PRIMARY KEY NOT NULL, mail TEXT UNIQUE, a TEXT, b TEXT, UNIQUE (a, b));
            CREATE TABLE letter (id TEXT PRIMARY KEY NOT NULL, sender TEXT REFERENCES person (mail),
                x TEXT, y TEXT, own TEXT REFERENCES person (ID), FOREIGN KEY (x, y) REFERENCES person (a, b));
            CREATE INDEX l1 ON letter (sender); CREATE INDEX l2 ON letter (x, y);
            CREATE INDEX l3 ON letter (own);
            """
        let found = try findings(sql, [SyncedTable("person"), SyncedTable("letter")])
        #expect(found.map(\.reason) == [.notPrimaryKey, .notPrimaryKey])
        #expect(
            Set(found.map(\.column)) == ["sender", "x"] && found.allSatisfy { $0.table == "letter" }
        )
        let sender = try #require(found.first { $0.column == "sender" })
        #expect(
            sender.description == """
                refused: letter.sender: it refers to other columns of person than its primary key: \
                refer to the primary key: REFERENCES person
                """)
    }

    @Test(.proves("SYN-050"))
    func `counters are integers outside of CHECK, or have bounds for what is shown`() throws {
        let sql = """
            CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, i INT, r REAL, s TEXT, n NUMERIC, x,
                c INTEGER CHECK (c >= 0), d INTEGER, g INTEGER AS (i + 1), CHECK (d > 1 OR i IS NULL));
            """
        #expect(
            try words(sql, [SyncedTable("t", merge: ["i": .counter], clamp: ["i": 0...9])]) == [])
        for column in ["r", "s", "n", "x", "id"] {
            #expect(
                try words(sql, [SyncedTable("t", merge: [column: .counter])]) == [
                    "refused unsuitableColumn t.\(column)"
                ])
        }
        for column in ["c", "d"] {
            #expect(
                try words(sql, [SyncedTable("t", merge: [column: .counter])]) == [
                    "refused groupedColumn t.\(column)"
                ])
            #expect(
                try words(
                    sql, [SyncedTable("t", merge: [column: .counter], clamp: [column: 0...9])])
                    == [])
        }
        #expect(
            try words(sql, [SyncedTable("t", merge: ["g": .counter])]) == [
                "refused unknownName t.g"
            ])
        #expect(
            try words(sql, [SyncedTable("t", clamp: ["i": 0...9])]) == [
                "refused unsuitableColumn t.i"
            ])
        #expect(
            try words(sql, [SyncedTable("t", merge: ["i": .counter], row: .whole)]).contains(
                "refused groupedColumn t.i"))
    }

    @Test(.proves("SYN-274"))
    func `what a later version has is refused by its name, and what no version has too`() throws {
        for policy in ["set", "union", "resolved", "manual", "asset"] {
            let found = try findings(
                Self.good, [SyncedTable("team", merge: ["low": MergePolicy(rawValue: policy)])])
            #expect(found.map(\.reason) == [.notAvailable])
            #expect(found.first?.message.contains(policy) == true)
        }
        var owned = SyncedTable("team")
        owned.owners = ["parent"]
        for table in [
            SyncedTable("team", unique: ["name": .suffix]),
            SyncedTable("team", unique: ["name": .merge]), owned,
        ] { #expect(try findings(Self.good, [table]).map(\.reason) == [.notAvailable]) }
        for table in [
            SyncedTable("team", merge: ["low": MergePolicy(rawValue: "lowest")]),
            SyncedTable("team", unique: ["name": UniquePolicy(rawValue: "x")]),
            SyncedTable("team", onConflictingDelete: ConflictingDeletePolicy(rawValue: "x")),
            SyncedTable("team", row: RowPolicy(rawValue: "x")),
            SyncedTable("team", groups: [["low"]]),
        ] { #expect(try findings(Self.good, [table]).map(\.reason) == [.unknownPolicy]) }
        for table in [
            SyncedTable("team", merge: ["lo": .maximum]),
            SyncedTable("team", unique: ["low": .hold]),
            SyncedTable("team", acyclic: "x"), SyncedTable("team", groups: [["low", "x"]]),
            SyncedTable("team", absent: ["x": "1"]),
            SyncedTable("team", renamedColumns: ["x": "y"]),
        ] { #expect(try findings(Self.good, [table]).map(\.reason) == [.unknownName]) }
        #expect(
            try findings(Self.good, [SyncedTable("team", acyclic: "name")]).map(\.reason) == [
                .notSelfReference
            ])
        #expect(
            try findings(Self.good, [SyncedTable("team", groups: [["id", "low"]])]).map(\.reason)
                == [.unsuitableColumn])
        #expect(
            try findings(Self.good, [SyncedTable("team", merge: ["parent": .maximum])]).map(
                \.reason) == [.unsuitableColumn])
        #expect(
            try findings(
                Self.good,
                [SyncedTable("team", merge: ["low": .maximum], groups: [["low", "high"]])]
            ).map(\.reason)
                == [.groupedColumn])
        #expect(
            try findings(Self.good, [SyncedTable("team"), SyncedTable("TEAM")]).map(\.reason) == [
                .declaredTwice
            ])
        #expect(
            try findings(Self.good, [SyncedTable("team", renamedColumns: ["low": "high"])]).map(
                \.reason) == [.declaredTwice])
        for table in ["sqlite_master", "sqlite_schema"] {
            #expect(try findings(Self.good, [SyncedTable(table)]).map(\.severity) == [.refused])
        }
        #expect(
            try words(
                "CREATE VIRTUAL TABLE f USING fts5 (a)",
                [SyncedTable("f"), SyncedTable("f_content")])
                == ["refused notATable f", "refused notATable f_content"])
    }

    @Test(.proves("SYN-133"))
    func `a foreign key without an index is named`() throws {
        let sql = """
            CREATE TABLE p (a TEXT NOT NULL, b TEXT NOT NULL, PRIMARY KEY (a, b));
            CREATE TABLE c (id TEXT PRIMARY KEY NOT NULL, a TEXT, b TEXT, FOREIGN KEY (a, b) REFERENCES p);
            """
        let tables = [SyncedTable("p"), SyncedTable("c")]
        let finding = try #require(try findings(sql, tables).first)
        #expect(
            finding.reason == .slowForeignKey && finding.severity == .warning
                && finding.column == "a")
        #expect(finding.remedy == #"CREATE INDEX "c_a_b" ON "c" ("a", "b")"#)
        #expect(try findings(sql + finding.remedy, tables) == [])
        #expect(try findings(sql + "CREATE INDEX i ON c (b, a, id)", tables) == [])
        for index in [
            "CREATE INDEX i ON c (a)", "CREATE INDEX i ON c (a, b) WHERE a > ''",
            "CREATE INDEX i ON c (a, lower(b))",
        ] {
            #expect(try words(sql + index, tables) == ["warning slowForeignKey c.a"])
        }
    }

    @Test(.proves("SYN-142"))
    func `columns that older versions cannot fill are named`() throws {
        let sql =
            "CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, a INT NOT NULL, b INT NOT NULL DEFAULT 0, c INT)"
        #expect(try words(sql, [SyncedTable("t")]) == ["warning noDefault t.a"])
        #expect(try words(sql, [SyncedTable("t", absent: ["A": "b * 100"])]) == [])
        let database = try FixtureDatabase()
        let queue = try database.open()
        try queue.write { db throws in
            try db.execute(sql: sql)
            let schema = try SyncSchema(db, [SyncedTable("t", absent: ["A": "b * 100"])])
            #expect(schema.tables[0].columns.map(\.absentSQL) == ["b * 100", nil, nil])
            #expect(try SyncSchema(db, [SyncedTable("t")]).warnings.count == 1)
        }
    }
}
