import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("A backup of a database whose file and log seem not to have changed")
struct UnchangedFileTests {
    private let fixture: BackupFixture
    private var repository: BackupRepository

    init() throws {
        fixture = try BackupFixture(rowCount: 2000)
        repository = fixture.repository
        repository.memory = BackupMemory(folder: fixture.path("state"))
        // Every change is some time ago.
        repository.now = { Date(timeIntervalSinceNow: 60) }
    }

    /// The database on a file system whose times stand still, as for whoever writes to the device.
    private var frozen: DatabaseFile {
        var file = fixture.file
        file.fileSystem.status = { path throws(SystemError) in
            var status = try FileSystem.system.status(path)
            (status.written, status.changed) = (1, 1)
            return status
        }
        return file
    }

    /// Changes a byte of a page.
    private func flip(page: Int) throws {
        let url = URL(fileURLWithPath: fixture.file.path)
        var content = try Data(contentsOf: url)
        content[(page - 1) * 4096 + 50] ^= 1
        try content.write(to: url, options: [])
    }

    private func restored() throws -> Data {
        try repository.restore(to: fixture.path("out.db"), overwrite: true)
        return try fixture.content("out.db")
    }

    @Test("No page is read, and the backup has those of the last one", .proves("BKP-028"))
    func unread() throws {
        let content = try fixture.content("app.db")
        try repository.backUp(frozen)
        try flip(page: 20)
        let second = try repository.backUp(frozen)
        #expect(second.number == 2 && second.storedPageCount == 0 && second.notices.isEmpty)
        #expect(try restored() == content)
        #expect(try repository.verify(key: .database(BackupFixture.databaseKey)).isSound)
    }

    private enum Reading: CaseIterable { case all, full, withoutMemory, soonAfter, othersMemory }

    @Test("All pages are read when asked, and where nothing is known", .proves("BKP-028"))
    func readAll() throws {
        for reading in Reading.allCases {
            let test = try UnchangedFileTests()
            try test.expectPagesRead(reading)
        }
    }

    private func expectPagesRead(_ reading: Reading) throws {
        var repository = repository
        let file = frozen
        // A change at the same instant would have the same time.
        if reading == .soonAfter { repository.now = { Date(timeIntervalSince1970: 3) } }
        try repository.backUp(file)
        try flip(page: 20)
        switch reading {
        case .all: repository.readsUnchangedFiles = true
        case .withoutMemory: repository.memory = nil
        case .othersMemory: repository.memory = BackupMemory(folder: fixture.path("other"))
        case .full, .soonAfter: break
        }
        #expect("\(reading)") {
            try repository.backUp(file, full: reading == .full)
        } throws: {
            ($0 as? BackupError)?.code == .damaged
        }
    }

    private static let changes = [
        "UPDATE t SET n = n + 1 WHERE id = 7",
        "UPDATE t SET n = n + 1 WHERE id = 7",
        "PRAGMA wal_checkpoint(PASSIVE)",
        "UPDATE t SET n = n + 1 WHERE id = 1900",
        "PRAGMA wal_checkpoint(TRUNCATE)",
        "UPDATE t SET n = n + 1 WHERE id = 1000",
        "PRAGMA wal_checkpoint(RESTART)",
        // From here on the log begins anew, and stays as long as it is.
        "UPDATE t SET n = n + 1 WHERE id = 1000",
        "UPDATE t SET n = n + 1 WHERE id = 7",
        "PRAGMA journal_mode = DELETE",
        "UPDATE t SET n = n + 1 WHERE id = 7",
        "VACUUM",
        "PRAGMA journal_mode = WAL",
        "UPDATE t SET n = n + 1 WHERE id = 7",
    ]

    @Test("Each commit is in the next backup, whatever has it", .proves("BKP-028"))
    func commits() throws {
        var configuration = fixture.file.configuration
        let key = try BackupFixture.databaseKey
        configuration.prepareDatabase { try $0.useKey(key) }
        // The connection keeps the log where it is.
        let queue = try DatabaseQueue(path: fixture.file.path, configuration: configuration)
        for change in Self.changes {
            _ = try queue.inDatabase { try Row.fetchAll($0, sql: change) }
            for _ in 0..<2 {
                try repository.backUp(fixture.file)
                _ = try restored()
                #expect(
                    try fixture.shell("out.db").cell("SELECT sum(n * id) FROM t")
                        == .integer(
                            queue.read { try Int64.fetchOne($0, sql: "SELECT sum(n * id) FROM t") }
                                ?? -1),
                    "\(change)")
            }
        }
        try queue.close()
    }

    @Test("What is damaged in the last backup is read and stored again", .proves("BKP-028"))
    func damagedBase() throws {
        let content = try fixture.content("app.db")
        let file = frozen
        try repository.backUp(file)
        let forged = ForgedRepository(fixture)
        try forged.flip("packs/" + forged.names("packs")[0], at: 16 + 4096 + 50)
        let backup = try repository.backUp(file)
        #expect(backup.storedPageCount == 1)
        #expect(backup.notices.first?.contains(": 1 pages were stored again") == true)
        #expect(try restored() == content)
    }
}
