import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

private typealias Tables = JournalTables

@Suite struct ConnectionTriggersTests {
    private static let log = Leaf.createTemporaryTrigger(
        "log",
        after: .insert { new in
            LogLine.insert {
                $0.text
            } values: {
                new.text
            }
        })
    private static let page = #""page ""one""'s""#

    /// A migrator with the first migrations.
    private static func migrator(_ count: Int) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        if count > 0 {
            migrator.registerMigration("tables") { try $0.execute(sql: Journal.schema) }
        }
        guard count > 1 else { return migrator }
        migrator.registerMigration("again") { db in
            // As SQLite says to change a table: both are named by the trigger.
            try db.execute(
                sql: """
                    CREATE TABLE "new" ("id" INTEGER PRIMARY KEY, "pageID" INTEGER, "text" TEXT,
                        "data" BLOB, "number" REAL, "more" TEXT);
                    INSERT INTO "new" SELECT *, NULL FROM "logLines";
                    DROP TABLE "logLines";
                    ALTER TABLE "new" RENAME TO "logLines";
                    CREATE TABLE "pages" AS SELECT * FROM \(page);
                    DROP TABLE \(page);
                    ALTER TABLE "pages" RENAME TO \(page);
                    INSERT INTO \(page) ("id", "text") VALUES (9, 'by the migration');
                    """)
        }
        guard count > 2 else { return migrator }
        migrator.registerMigration("fails") { db in
            try db.execute(sql: "DELETE FROM \(page)")
            throw CancellationError()
        }
        return migrator
    }

    @Table("counted") fileprivate struct Counted {
        let id: Int
        var copies = 0
    }

    private static let counting = Counted.createTemporaryTrigger(
        "counting",
        after: .update {
            $0.copies
        } forEachRow: { _, new in
            LogLine.insert {
                $0.text
            } values: {
                "counted"
            }
        })

    @Test("A trigger on a column that a later migration adds waits for it", .proves("TRG-011"))
    func columnOfLaterMigration() throws {
        func migrator(_ count: Int) -> DatabaseMigrator {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1") { db in
                try db.execute(sql: Journal.schema)
                try db.execute(sql: "CREATE TABLE counted (id INTEGER PRIMARY KEY)")
            }
            guard count > 1 else { return migrator }
            migrator.registerMigration("2") { db in
                try db.execute(
                    sql: "ALTER TABLE counted ADD COLUMN copies INTEGER NOT NULL DEFAULT 0")
            }
            return migrator
        }
        let folder = try TemporaryDirectory()
        var configuration = Configuration()
        configuration.add(triggers: Self.counting)
        for begun in [0, 1] {
            let path = folder.path(of: "\(begun).db")
            if begun == 1 {
                let old = try DatabasePool(path: path)
                try migrator(1).migrate(old)
                try old.close()
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try migrator(2).migrate(pool)
            try pool.write { db in
                try db.execute(
                    sql: "INSERT INTO counted VALUES (1, 0); UPDATE counted SET copies = 1")
                #expect(try LogLine.select(\.text).fetchAll(db) == ["counted"])
            }
            try pool.close()
        }
        // What no migration brings is an error, once all have run.
        let queue = try DatabaseQueue(
            path: folder.path(of: "never.db"), configuration: configuration)
        #expect(throws: DatabaseError.self) { try migrator(1).migrate(queue) }
    }

    private func add(_ writer: any DatabaseWriter, _ text: String) throws -> [String?] {
        try writer.write { db in
            try Leaf.insert {
                $0.text
            } values: {
                text
            }.execute(db)
            return try LogLine.order(by: \.id).select(\.text).fetchAll(db)
        }
    }

    @Test("Each writer has its triggers, and readers have none", .proves("TRG-011"))
    func writers() throws {
        for kind in WriterKind.allCases {
            let fixture = try FixtureDatabase()
            try fixture.open().write { try $0.execute(sql: Journal.schema) }
            var configuration = Configuration()
            // Before the key is given: they are made after everything else.
            configuration.add(triggers: Self.log)
            configuration.prepareDatabase { try $0.usePassphrase(FixtureDatabase.rawKey) }
            let writer: any DatabaseWriter =
                switch kind {
                case .queue: try DatabaseQueue(path: fixture.path, configuration: configuration)
                case .pool: try DatabasePool(path: fixture.path, configuration: configuration)
                }
            #expect(try add(writer, "one") == ["one"])
            let names = try writer.read { db in
                try String.fetchAll(db, sql: "SELECT name FROM temp.sqlite_master")
            }
            #expect(names == (kind == .queue ? ["log"] : []))
            try writer.close()
            // Nothing of it is in the file.
            let plain = try fixture.open()
            #expect(try add(plain, "two") == ["one"])
            try plain.close()
            configuration.readonly = true
            let reader = try DatabaseQueue(path: fixture.path, configuration: configuration)
            #expect(
                try reader.read {
                    try String.fetchAll($0, sql: "SELECT name FROM temp.sqlite_master")
                }
                    == [])
        }
    }

    @Test("A migration runs without triggers, and they are there after it", .proves("TRG-011"))
    func migrations() throws {
        for kind in WriterKind.allCases {
            let fixture = try FixtureDatabase()
            let writer = try fixture.open(kind) { $0.add(triggers: Self.log) }
            try Self.migrator(1).migrate(writer)
            #expect(try add(writer, "one") == ["one"])
            try Self.migrator(2).migrate(writer)
            #expect(try add(writer, "two") == ["one", "two"])
            #expect(throws: CancellationError.self) { try Self.migrator(3).migrate(writer) }
            #expect(try add(writer, "three") == ["one", "two", "three"])
            // Erased, it is filled again, and the trigger is there again.
            try writer.erase()
            #expect(throws: DatabaseError.self) { try add(writer, "none") }
            try Self.migrator(1).migrate(writer)
            #expect(try add(writer, "four") == ["four"])
        }
    }

    @Test("What another process has migrated meanwhile has its triggers", .proves("TRG-011"))
    func otherProcess() throws {
        let fixture = try FixtureDatabase()
        let writer = try fixture.open { $0.add(triggers: Self.log) }
        try Self.migrator(1).migrate(try fixture.open())
        #expect(try add(writer, "one") == [])
        try Self.migrator(1).migrate(writer)
        #expect(try add(writer, "two") == ["two"])
        try Self.migrator(1).migrate(writer)
        #expect(try add(writer, "three") == ["two", "three"])
    }

    @Test("A permanent trigger of that name stays, and fires as well", .proves("TRG-011"))
    func names() throws {
        let fixture = try FixtureDatabase()
        try fixture.open().write { db in
            try db.execute(sql: Journal.schema)
            try Leaf.createTrigger(
                "log",
                after: .insert { _ in
                    LogLine.insert {
                        $0.text
                    } values: {
                        "file"
                    }
                }
            ).execute(db)
        }
        let writer = try fixture.open { $0.add(triggers: Self.log) }
        #expect(try Set(add(writer, "one")) == ["file", "one"])
        try Self.migrator(0).migrate(writer)
        #expect(try add(writer, "two").count == 4)
    }

    @Test("Opening tells what is wrong with a trigger", .proves("TRG-011"))
    func refusals() throws {
        let fixture = try FixtureDatabase()
        try fixture.open().write { try $0.execute(sql: Journal.schema) }
        func refusal(_ triggers: CreateTrigger...) -> String {
            let error = #expect(throws: (any Error).self) {
                try fixture.open { configuration in
                    for trigger in triggers { configuration.add(triggers: trigger) }
                }
            }
            return error.map { "\($0)" } ?? ""
        }
        let permanent = Leaf.createTrigger("log", after: .insert { _ in Values(1) })
        #expect(
            refusal(permanent) == "trigger \"log\" is permanent: execute it once, in a migration")
        let onTable = Leaf.createTemporaryTrigger("log", insteadOf: .insert { _ in Values(1) })
        #expect(refusal(onTable).contains("cannot create INSTEAD OF trigger on table"))
        let empty = Leaf.createTemporaryTrigger("log", after: .insert { _ in })
        #expect(refusal(empty).contains("a trigger needs a statement"))
        let same = Leaf.createTemporaryTrigger("LOG", after: .delete { _ in Values(1) })
        #expect(refusal(Self.log, same) == #"two of these triggers have one name: ["log", "log"]"#)
        // What is refused leaves no open connection behind.
        #expect(try add(try fixture.open(), "one") == [])
    }
}
