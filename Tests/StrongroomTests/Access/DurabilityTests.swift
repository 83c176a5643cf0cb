import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct DurabilityTests {
    /// What `PRAGMA synchronous` answers.
    private static let names = ["OFF", "NORMAL", "FULL", "EXTRA"]

    private func synchronous(_ writer: any DatabaseWriter) throws -> String? {
        let number = try writer.writeWithoutTransaction {
            try Int.fetchOne($0, sql: "PRAGMA synchronous")
        }
        return number.map { Self.names[$0] }
    }

    @Test(
        "What the app asked for stays, and NORMAL is for those who asked for nothing",
        .proves("LOD-03"), arguments: WriterKind.allCases)
    func requestedDurability(kind: WriterKind) throws {
        for name in Self.names {
            for sql in ["synchronous = \(name)", "main.Synchronous(\(name))"] {
                let fixture = try FixtureDatabase()
                let writer = try fixture.open(kind) {
                    $0.journalMode = .wal
                    $0.prepareDatabase { try $0.execute(sql: "PRAGMA \(sql)") }
                }
                #expect(try synchronous(writer) == name)
                try writer.vacuum()
                #expect(try synchronous(writer) == name)
            }
        }
        for sql in ["PRAGMA synchronous", "PRAGMA temp.synchronous = OFF", "SELECT 1"] {
            let fixture = try FixtureDatabase()
            let writer = try fixture.open(kind) {
                $0.journalMode = .wal
                $0.prepareDatabase { try $0.execute(sql: sql) }
            }
            #expect(try synchronous(writer) == "NORMAL")
        }
    }

    @Test("A queue in another journal mode, and a reader, are left as they are", .proves("LOD-03"))
    func otherConnections() throws {
        let fixture = try FixtureDatabase()
        #expect(try synchronous(fixture.open()) == "FULL")
        let extra = try fixture.open {
            $0.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = EXTRA") }
        }
        #expect(try synchronous(extra) == "EXTRA")
    }

    @Test(
        "A commit to a file that was replaced, renamed or deleted fails and is rolled back",
        .proves("LOD-04"), arguments: WriterKind.allCases)
    func movedFile(kind: WriterKind) throws {
        for move in [Self.replace, Self.rename, Self.delete] {
            let fixture = try FixtureDatabase()
            let writer = try fixture.open(kind) { $0.journalMode = .wal }
            try writer.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
            try move(fixture)
            let accesses: [(Database) throws -> Void] = [
                { db in
                    try db.inTransaction {
                        try db.execute(sql: "INSERT INTO t VALUES (2)")
                        return .commit
                    }
                },
                { db in
                    try db.execute(sql: "SAVEPOINT s; INSERT INTO t VALUES (3)")
                    defer { try? db.rollback() }
                    try db.execute(sql: "RELEASE s")
                },
                { try $0.execute(sql: "INSERT INTO t VALUES (4)") },
                { try $0.execute(sql: "CREATE TABLE u(a)") },
            ]
            for access in accesses {
                let error = DatabaseError.thrown { try writer.writeWithoutTransaction(access) }
                #expect(error?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
            }
            let count = { (db: Database) in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") }
            // What was read still is, and a transaction that changes nothing is committed.
            #expect(try writer.writeWithoutTransaction(count) == 1)
            #expect(try writer.write(count) == 1)
            guard let pool = writer as? DatabasePool else { continue }
            for opening in [{ _ = try pool.read(count) }, { _ = try pool.makeSnapshot() }] {
                let error = DatabaseError.thrown(by: opening)
                #expect(error?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
            }
        }
    }

    /// Puts a database with another key in its place.
    private static func replace(_ fixture: FixtureDatabase) throws {
        let other = fixture.directory.path(of: "other")
        try DatabaseQueue(
            path: other, configuration: FixtureDatabase.configuration(passphrase: "other")
        ).write { try $0.execute(sql: "CREATE TABLE u(b)") }
        try #require(Foundation.rename(other, fixture.path) == 0)
    }

    private static func rename(_ fixture: FixtureDatabase) throws {
        try #require(Foundation.rename(fixture.path, fixture.path + "-old") == 0)
    }

    private static func delete(_ fixture: FixtureDatabase) throws {
        try #require(unlink(fixture.path) == 0)
    }
}
