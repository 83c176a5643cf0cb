import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Checking a database file")
struct IntegrityTests {
    let folder: TemporaryDirectory
    let file: DatabaseFile

    init() throws {
        folder = try TemporaryDirectory()
        file = DatabaseFile(
            path: folder.path(of: "app.db"), key: try EncryptedSample.key(EncryptedSample.rawKey))
        try SQLCipherShell(path: file.path, key: .content(EncryptedSample.rawKey)).create(
            """
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (id INTEGER PRIMARY KEY, a TEXT, parent INT REFERENCES parent);
            CREATE INDEX by_a ON child (a);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)
              INSERT INTO child (a) SELECT hex(randomblob(50)) FROM c;
            """)
    }

    private var shell: SQLCipherShell {
        SQLCipherShell(path: file.path, key: .content(EncryptedSample.rawKey))
    }

    private func change(_ edit: (inout Data) -> Void) throws {
        var content = try Data(contentsOf: URL(fileURLWithPath: file.path))
        edit(&content)
        try content.write(to: URL(fileURLWithPath: file.path))
    }

    @Test("finds nothing in a sound file, and leaves nothing beside it", arguments: [false, true])
    func sound(wal: Bool) throws {
        if wal { try shell.run("PRAGMA journal_mode = WAL;") }
        let content = try Data(contentsOf: URL(fileURLWithPath: file.path))
        let report = try file.check()
        #expect(report.isSound && !report.isDamaged)
        #expect(report.checks.contains(.cipherIntegrity) && report.checks.contains(.structure))
        #expect(report.checks.contains(.foreignKeys))
        #expect(report.checks.contains(.fileSize) == !wal)
        #expect(report.pageSize == 4096)
        #expect(report.pageCount == content.count / 4096)
        let quick = try file.check(quick: true)
        #expect(quick.isSound && quick.checks.contains(.quickStructure))
        #expect(!quick.checks.contains(.structure) && !quick.checks.contains(.foreignKeys))
        #expect(try folder.names() == ["app.db"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == content)
    }

    @Test("lists the very pages that are damaged")
    func damagedPages() throws {
        try change { content in
            content[4096 * 19 + 7] ^= 1
            content[4096 * 30 + 4090] ^= 1
            content[4096 * 31 + 4060] ^= 1
        }
        let report = try file.check()
        #expect(report.isDamaged)
        #expect(report.problems.filter { $0.kind == .cipher }.map(\.page) == [20, 31, 32])
    }

    @Test("lists a damaged first page, though nothing else can be read then")
    func damagedFirstPage() throws {
        try change { $0[200] ^= 1 }
        let report = try file.check()
        #expect(report.isDamaged)
        #expect(report.problems.map(\.page) == [1])
        #expect(report.checks == [.cipherIntegrity])
    }

    @Test("sees that the end is missing, which no page tells")
    func truncated() throws {
        try change { $0 = $0.prefix($0.count - 4096) }
        let report = try file.check()
        #expect(report.isDamaged)
        #expect(report.problems.map(\.kind) == [.size])
    }

    @Test("sees a page that is cut")
    func truncatedInPage() throws {
        try change { $0 = $0.prefix($0.count - 3000) }
        let report = try file.check()
        #expect(report.problems.contains { $0.kind == .cipher && $0.message.contains("size") })
    }

    @Test("finds rows that refer to nothing, which is no damage")
    func foreignKeys() throws {
        try shell.run("INSERT INTO parent VALUES (1); UPDATE child SET parent = id WHERE id < 4;")
        let report = try file.check()
        #expect(!report.isSound && !report.isDamaged)
        #expect(
            report.problems.map(\.message) == [
                "row 2 of child refers to a missing row of parent",
                "row 3 of child refers to a missing row of parent",
            ])
        try shell.run("UPDATE child SET parent = id + 1;")
        let many = try file.check()
        #expect(many.problems.count == 101)
        #expect(many.problems.last?.message == "and 1900 more such rows")
        #expect(try file.check(quick: true).isSound)
    }

    @Test("finds an index that does not agree with its table, unless it is quick")
    func structure() throws {
        try shell.run(
            """
            .dbconfig defensive off
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = 'CREATE INDEX by_a ON child (a DESC)' WHERE name = 'by_a';
            """)
        let report = try file.check()
        #expect(report.problems.contains { $0.kind == .structure })
        #expect(try file.check(quick: true).isSound)
    }

    @Test("finds rows that break a constraint, which is no damage")
    func constraints() throws {
        try shell.run(
            """
            CREATE TABLE checked (a INT CHECK (a > 0));
            PRAGMA ignore_check_constraints = ON;
            INSERT INTO checked VALUES (-1);
            """)
        let report = try file.check()
        #expect(report.problems.map(\.kind) == [.constraint])
        #expect(!report.isDamaged)
    }

    @Test("tells a wrong key, and the like, from damage")
    func wrongKey() throws {
        func code(_ key: CipherKey?, _ path: String) throws -> DatabaseFileError.Code? {
            #expect(throws: DatabaseFileError.self) {
                try DatabaseFile(path: path, key: key).check()
            }?.code
        }
        #expect(try code(EncryptedSample.key(EncryptedSample.otherRawKey), file.path) == .wrongKey)
        #expect(try code(nil, file.path) == .keyRequired)
        try SQLCipherShell(path: folder.path(of: "plain.db")).create("CREATE TABLE t (a);")
        #expect(try code(file.key, folder.path(of: "plain.db")) == .plaintext)
        #expect(try code(file.key, folder.path(of: "missing.db")) == .notFound)
        #expect(try DatabaseFile(path: folder.path(of: "plain.db")).check().isSound)
    }

    @Test("examines a file that others write, without a false alarm")
    func whileWriting() throws {
        let queue = try file.open(
            {
                var configuration = Configuration()
                configuration.journalMode = .wal
                return configuration
            }())
        for round in 0..<10 {
            try queue.write { db in
                try db.execute(
                    sql: "UPDATE child SET a = hex(randomblob(50)) WHERE id % 7 = ?",
                    arguments: [round % 7])
            }
            #expect(try file.check().isSound)
        }
        try queue.close()
    }

    @Test("ends when progress says stop")
    func cancellation() {
        struct Stop: Error {}
        #expect(throws: Stop.self) { try file.check { _ in throw Stop() } }
    }
}
