import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// A text that C would read up to its NUL, and take for another.
@Suite struct NULTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE p(id INTEGER PRIMARY KEY);
                    CREATE TABLE t(id INTEGER PRIMARY KEY, a UNIQUE, b REFERENCES p);
                    CREATE VIEW v AS SELECT * FROM t;
                    CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END
                    """)
        }
    }

    @Test("A name with a NUL names no table, view, trigger or schema", .proves("LOD-05"))
    func names() throws {
        try queue.read { db throws in
            for name in ["t\0x", "t\0", "\0t", "T\0x"] {
                #expect(try !db.tableExists(name))
                #expect(try !db.tableExists(name, in: "main"))
            }
            #expect(try !db.viewExists("v\0x"))
            #expect(try !db.table("t\0x", hasUniqueKey: ["a"]))
            #expect(try !db.triggerExists("g\0x"))
            let questions: [() throws -> Void] = [
                { _ = try db.columns(in: "t\0x") },
                { _ = try db.primaryKey("t\0x") },
                { _ = try db.indexes(on: "t\0x") },
                { _ = try db.foreignKeys(on: "t\0x") },
                { _ = try db.tableExists("t", in: "main\0x") },
                { _ = try db.columns(in: "t", in: "main\0") },
                { _ = try db.foreignKeyViolations(in: "t\0x").next() },
                { _ = try Table("t\0x").fetchCount(db) },
                { _ = try Row.fetchAll(db, Table("t").filter(key: ["a\0x": 1])) },
            ]
            for question in questions {
                #expect(DatabaseError.thrown(by: question) != nil)
            }
        }
        let error = DatabaseError.thrown {
            try queue.writeWithoutTransaction { _ = try $0.checkpoint(.passive, on: "main\0x") }
        }
        #expect(error?.resultCode == .SQLITE_ERROR)
    }

    @Test("A path with a NUL is refused, and no file is made or read", .proves("LOD-05"))
    func paths() throws {
        let path = fixture.directory.path(of: "other") + "\0.sqlite"
        let configuration = FixtureDatabase.configuration()
        let key = try Data(FixtureDatabase.rawKey.utf8).withUnsafeBytes {
            try CipherKey(parsing: $0)
        }
        let accesses: [() throws -> Void] = [
            { _ = try DatabaseQueue(path: path, configuration: configuration) },
            { _ = try DatabasePool(path: path, configuration: configuration) },
            { _ = try DatabaseQueue(path: fixture.path + "\0x", configuration: configuration) },
            { _ = try DatabaseQueue(named: "a\0b") },
            { try queue.inDatabase { try $0.attach(path, as: "x", passphrase: "y") } },
            {
                try queue.inDatabase {
                    try $0.attach(fixture.path + "\0", as: "x", passphrase: nil)
                }
            },
            {
                try queue.inDatabase {
                    try $0.execute(sql: "ATTACH ? AS x KEY ''", arguments: [path])
                }
            },
            { try queue.vacuum(into: path) },
            {
                try queue.inDatabase {
                    try $0.execute(sql: "VACUUM INTO ?", arguments: [path])
                }
            },
            { _ = try CipherKey(contentsOfFile: path) },
            { try key.write(toNewFile: path) },
            { _ = try DatabaseFile(path: fixture.path + "\0x", key: key).open() },
            { _ = try DatabaseFile(path: fixture.path + "\0x", key: key).check() },
            {
                try DatabaseFile(path: fixture.path, key: key).transfer(
                    to: DatabaseFile(path: path, key: key))
            },
        ]
        for (number, access) in accesses.enumerated() {
            do {
                try access()
                Issue.record("access \(number) went through")
            } catch {
                #expect("\(error)".contains("NUL"), "access \(number): \(error)")
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
        #expect(names.filter { $0.hasPrefix("other") } == [])
    }

    @Test("A text with a NUL is stored, found and counted whole", .proves("LOD-05"))
    func values() throws {
        try queue.write {
            try $0.execute(sql: "CREATE TABLE s AS SELECT ? AS a", arguments: ["x\0y"])
        }
        let text = try queue.read {
            try String.fetchOne($0, sql: "SELECT a FROM s WHERE a = ?", arguments: ["x\0y"])
        }
        #expect(text == "x\0y")
    }
}
