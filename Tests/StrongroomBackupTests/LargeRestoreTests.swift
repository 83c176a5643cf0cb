import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup
@testable import StrongroomCore

/// Above 64 MB, SQLCipher authenticates the beginning of a restored file while the rest is written.
@Suite("Restoring a large database", .serialized)
struct LargeRestoreTests {
    private let fixture: BackupFixture

    init() throws {
        fixture = try BackupFixture(rowCount: 10)
        try fixture.shell("app.db").run(
            """
            CREATE TABLE big (b BLOB);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 18000)
              INSERT INTO big SELECT zeroblob(3900) FROM c;
            PRAGMA wal_checkpoint(TRUNCATE);
            """)
    }

    private func restore() throws {
        try fixture.repository.backUp(fixture.file)
        try fixture.repository.restore(
            to: fixture.path("out.db"), key: BackupFixture.databaseKey)
    }

    /// In a process of its own: what other tests read is counted, too.
    @Test("SQLCipher reads the first pages of it once more", .proves("BKP-017", "SCL-05"))
    func sound() async {
        await #expect(processExitsWith: .success) {
            let test = try LargeRestoreTests()
            try test.fixture.repository.backUp(test.fixture.file)
            let before = try LargeRestoreTests.readCount()
            try test.fixture.repository.restore(
                to: test.fixture.path("out.db"), key: BackupFixture.databaseKey)
            // Ours are read many at a time.
            let count = try LargeRestoreTests.readCount() - before
            let checkedCount = Int(CipherIntegrity.sampleByteCount) / 4096
            let pageCount = try test.fixture.content("out.db").count / 4096
            #expect(count > checkedCount && count < pageCount)
            #expect(try test.fixture.shell("out.db").cell("SELECT count(*) FROM big") == 18000)
        }
    }

    @Test("One that was not sound when it was backed up is not restored", .proves("BKP-017"))
    func damaged() throws {
        // Two tables have one root page, which every page's HMAC agrees with.
        try fixture.shell("app.db").run(
            """
            .dbconfig defensive off
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 't')
              WHERE name = 'big';
            """)
        let error = #expect(throws: BackupError.self) { try restore() }
        #expect(error?.code == .damaged)
        #expect(!FileManager.default.fileExists(atPath: fixture.path("out.db")))
    }

    /// What this process has asked the kernel to read, by its own count.
    private static func readCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscr: ") })
        return try #require(Int(line.dropFirst("syscr: ".count)))
    }
}
