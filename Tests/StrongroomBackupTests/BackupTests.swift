import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite struct BackupTests {
    @Test(
        "A backup is, byte for byte, the file that a checkpoint makes of the state",
        .proves("BKP-001"))
    func roundTrip() throws {
        let fixture = try BackupFixture()
        let pool = try fixture.open()
        // What is in the log, over pages that are in the main file, and behind its end.
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.write { db in
            try db.execute(sql: "UPDATE t SET n = 1 WHERE id % 500 = 0")
            try db.execute(sql: "INSERT INTO t (a) SELECT a FROM t LIMIT 500")
        }
        let backup = try fixture.repository.backUp(fixture.file, tag: "first")
        #expect(backup.number == 1 && backup.tag == "first" && backup.base == nil)
        #expect(backup.userVersion == 7 && backup.databaseName == "app.db")
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.close()

        let original = try fixture.content("app.db")
        try fixture.repository.restore(to: fixture.path("restored.db"), key: fixture.file.key)
        #expect(try fixture.content("restored.db") == original)
        try fixture.repository.restore(to: fixture.path("keyless.db"))
        #expect(try fixture.content("keyless.db") == original)
        let decoded = try fixture.decode(
            1, to: "decoded.db", verificationKey: fixture.verificationKey())
        #expect(decoded.isSuccess, "\(decoded.errorText)")
        #expect(try fixture.content("decoded.db") == original)
        let shell = fixture.shell("restored.db")
        #expect(try shell.cell("SELECT count(*) FROM t") == .integer(2500))
        #expect(try shell.cell("PRAGMA integrity_check") == .text("ok"))
    }

    @Test("An increment stores the pages that changed, and is as complete", .proves("BKP-002"))
    func increments() throws {
        let fixture = try BackupFixture(rowCount: 20000)
        let pool = try fixture.open()
        let first = try fixture.repository.backUp(fixture.file)
        #expect(first.storedPageCount == first.pageCount)
        var originals = [try snapshot(pool, fixture)]
        for round in 1...3 {
            try pool.write { db in
                for number in 1...9 {
                    try db.execute(
                        sql: "UPDATE t SET n = n + 1 WHERE id = ?",
                        arguments: [number * 2000 + round])
                }
            }
            let backup = try fixture.repository.backUp(fixture.file)
            #expect(backup.storedPageCount == 9 && backup.base == round)
            #expect(backup.storedByteCount <= 100_000)
            originals.append(try snapshot(pool, fixture))
        }
        let unchanged = try fixture.repository.backUp(fixture.file)
        #expect(unchanged.storedPageCount == 0)
        originals.append(originals[3])
        for (index, original) in originals.enumerated() {
            let name = "restored-\(index).db"
            try fixture.repository.restore("\(index + 1)", to: fixture.path(name))
            #expect(try fixture.content(name) == original)
            #expect(try fixture.decode(index + 1, to: "decoded-\(index).db").isSuccess)
            #expect(try fixture.content("decoded-\(index).db") == original)
        }
    }

    /// The file as a checkpoint leaves it.
    private func snapshot(_ pool: DatabasePool, _ fixture: BackupFixture) throws -> Data {
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        return try Data(contentsOf: URL(fileURLWithPath: fixture.file.path))
    }

    @Test(
        "A rollback journal's database, and other settings, are backed up as well",
        .proves("BKP-001", "BKP-009"),
        arguments: [
            ["PRAGMA cipher_page_size = 8192"], ["PRAGMA cipher_compatibility = 3"],
            ["PRAGMA cipher_use_hmac = OFF"], [],
        ])
    func settings(_ settings: [String]) throws {
        let fixture = try BackupFixture(wal: false, settings: settings)
        try fixture.repository.backUp(fixture.file)
        let original = try fixture.content("app.db")
        try fixture.repository.restore(to: fixture.path("out.db"), key: fixture.file.key)
        #expect(try fixture.content("out.db") == original)
        let decoded = try fixture.decode(
            1, to: "decoded.db", verificationKey: fixture.verificationKey())
        #expect(decoded.isSuccess, "\(decoded.errorText)")
        #expect(try fixture.content("decoded.db") == original)

        // What the list says is enough to open it years later.
        let pragmas = try #require(fixture.repository.backups().first).cipherPragmas
        #expect(pragmas.isEmpty == settings.isEmpty)
        let shell = fixture.shell("out.db", settings: pragmas)
        #expect(try shell.cell("SELECT count(*) FROM t") == .integer(2000))
        let list = try Subprocess.run(
            PackageFiles.program("strongroom"), ["backup", "list", fixture.repository.path])
        #expect(list.isSuccess)
        #expect(list.outputText.contains("settings of 1: ") == !settings.isEmpty)
        #expect(pragmas.allSatisfy { list.outputText.contains($0) })
    }

    @Test(
        "A wrong key is refused, and leaves nothing behind, with authentication or without",
        .proves("BKP-020"))
    func wrongKey() throws {
        let fixture = try BackupFixture()
        var wrong = fixture.file
        wrong.key = try BackupFixture.key(BackupFixture.otherKeyText)
        let files = try fixture.repositoryFiles()
        for authenticating in [true, false] {
            #expect {
                try fixture.repository.backUp(wrong, authenticating: authenticating)
            } throws: {
                ($0 as? DatabaseFileError)?.code == .wrongKey
            }
        }
        #expect(try fixture.repositoryFiles().filter { !$0.key.hasPrefix("lock") } == files)
        try fixture.repository.backUp(fixture.file)
        #expect {
            try fixture.repository.restore(to: fixture.path("out.db"), key: wrong.key)
        } throws: {
            ($0 as? BackupError)?.code == .wrongKey
        }
        #expect(!FileManager.default.fileExists(atPath: fixture.path("out.db")))
    }
}
