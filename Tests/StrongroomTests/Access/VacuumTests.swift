import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct VacuumTests {
    let fixture: FixtureDatabase
    let target: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
        target = try FixtureDatabase(named: "copy.sqlite")
    }

    private func fill(_ writer: any DatabaseWriter) throws {
        try writer.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t(a);
                    INSERT INTO t
                    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                    SELECT 'row ' || i FROM n;
                    DELETE FROM t WHERE rowid > 100
                    """)
        }
    }

    private func pool() throws -> DatabasePool {
        try DatabasePool(path: fixture.path, configuration: FixtureDatabase.configuration())
    }

    private func pageCount(_ reader: any DatabaseReader) throws -> Int {
        try reader.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    }

    @Test(.proves("CCY-029", "BAK-008"))
    func `Vacuuming gives space back, in place and into a new file`() throws {
        let pool = try pool()
        try fill(pool)
        let size = try pageCount(pool)
        try pool.vacuum(into: target.path)
        #expect(try target.shell().cell("SELECT COUNT(*) FROM t") == 100)
        #expect(try target.shell().cell("PRAGMA integrity_check") == "ok")
        #expect(try pageCount(target.open()) < size / 4)
        let error = #expect(throws: DatabaseError.self) { try pool.vacuum(into: target.path) }
        #expect(error?.resultCode == .SQLITE_ERROR)
        #expect(error?.message == "output file already exists")
        #expect(try target.shell().cell("SELECT COUNT(*) FROM t") == 100)
        #expect(try pageCount(pool) == size)
        try pool.vacuum()
        #expect(try pageCount(pool) < size / 4)
    }

    @Test(.proves("CCY-029"))
    func `Tasks vacuum likewise`() async throws {
        let queue = try fixture.open()
        try fill(queue)
        let size = try pageCount(queue)
        try await queue.vacuum(into: target.path)
        #expect(try target.shell().cell("SELECT COUNT(*) FROM t") == 100)
        let error = await #expect(throws: DatabaseError.self) {
            try await queue.vacuum(into: target.path)
        }
        #expect(error?.message == "output file already exists")
        try await queue.vacuum()
        #expect(try pageCount(queue) < size / 4)
    }

    /// `Documentation/SQLCipher.md`, "Copies": SQLCipher reports success for each of these.
    @Test(
        arguments: [
            "cipher_page_size = 8192", "cipher_use_hmac = OFF", "cipher_hmac_algorithm = HMAC_SHA1",
            "cipher_kdf_algorithm = PBKDF2_HMAC_SHA1", "cipher_compatibility = 3",
            "cipher_plaintext_header_size = 32",
        ])
    func `A copy that nothing would open is refused, and says what to use`(setting: String) throws {
        let queue = try fixture.open { configuration in
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA \(setting)") }
        }
        try fill(queue)
        let error = #expect(throws: DatabaseError.self) { try queue.vacuum(into: target.path) }
        #expect(error?.resultCode == .SQLITE_ERROR)
        #expect(error?.message?.contains("strongroom copy") == true)
        #expect(try target.directory.names() == [])
        try queue.vacuum()
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } == 100)
    }

    @Test func `A copy opens with the source's own iterations`() throws {
        let setting = "PRAGMA kdf_iter = 1000"
        let queue = try fixture.open { configuration in
            configuration.prepareDatabase { try $0.execute(sql: setting) }
        }
        try fill(queue)
        try queue.vacuum(into: target.path)
        var shell = target.shell()
        shell.settings = [setting]
        #expect(try shell.cell("SELECT COUNT(*) FROM t") == 100)
    }

    /// As URIs, the first would write in clear, and the second under another key.
    @Test(
        arguments: [
            "file:a.sqlite?key=", "file:b.sqlite?key=other", "file:c", "d?key=e", ":memory:",
            "e%20f",
        ])
    func `A path is a path, whatever it looks like`(name: String) throws {
        let queue = try fixture.open()
        try fill(queue)
        try queue.vacuum(into: "\(target.directory.path)/\(name)")
        #expect(try target.directory.names() == [name])
        let shell = SQLCipherShell(
            path: target.directory.path(of: name), key: .passphrase(FixtureDatabase.rawKey))
        #expect(try shell.cell("SELECT COUNT(*) FROM t") == 100)
    }

    /// The folder is that of the process, so the process is one of its own.
    @Test func `A relative path that begins as a URI is a path`() async {
        await #expect(processExitsWith: .success) { try Self.vacuumIntoRelativePaths() }
    }

    private static func vacuumIntoRelativePaths() throws {
        let source = try FixtureDatabase()
        let folder = try TemporaryDirectory()
        let queue = try source.open()
        try queue.write { try $0.execute(sql: "CREATE TABLE canary_table(a)") }
        try #require(chdir(folder.path) == 0)
        for name in ["file:a?key=", "file:b?key=other", ":memory:"] {
            try queue.vacuum(into: name)
            let copy = SQLCipherShell(
                path: folder.path(of: name), key: .passphrase(FixtureDatabase.rawKey))
            try #require(copy.cell("SELECT COUNT(*) FROM canary_table") == 0)
        }
        try #require(folder.names() == [":memory:", "file:a?key=", "file:b?key=other"])
        let findings = try CanaryScanner("canary_table").findings(inDirectory: folder.path)
        try #require(findings.isEmpty)
    }

    @Test(arguments: ["", "a\0b", "missing/folder/copy.sqlite"])
    func `A path that leads nowhere is an error and leaves nothing`(name: String) throws {
        let queue = try fixture.open()
        try fill(queue)
        let path = name.isEmpty ? "" : "\(target.directory.path)/\(name)"
        #expect(throws: DatabaseError.self) { try queue.vacuum(into: path) }
        #expect(try target.directory.names() == [])
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } == 100)
    }

    @Test func `A database in clear is vacuumed into a new one`() throws {
        let plain = try DatabaseQueue(path: fixture.path)
        try fill(plain)
        try plain.vacuum(into: target.path)
        #expect(try SQLCipherShell(path: target.path).cell("SELECT COUNT(*) FROM t") == 100)
    }
}
