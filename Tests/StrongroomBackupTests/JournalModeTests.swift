import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("A backup where others decide how the database is written")
struct JournalModeTests {
    @Test(
        "has what was committed, also if the database got a log while it began",
        .proves("LOD-09"))
    func becomesLogged() throws {
        let fixture = try BackupFixture(wal: false)
        let other = try fixture.file.open()
        let hasSwitched = Locked(false)
        var file = fixture.file
        file.configuration.prepareDatabase { db in
            // Just before the transaction begins, after the mode was asked for.
            db.trace(options: .statement) { event in
                guard "\(event)".hasPrefix("BEGIN"),
                    hasSwitched.withLock({ done in
                        defer { done = true }
                        return !done
                    })
                else { return }
                try? other.writeWithoutTransaction { db in
                    try db.execute(sql: "PRAGMA journal_mode = WAL; UPDATE t SET n = 9")
                }
            }
        }
        let backup = try fixture.repository.backUp(file)
        #expect(hasSwitched.withLock { $0 })
        #expect(backup.madeWritersWait == false)
        try fixture.repository.restore(to: fixture.path("out.db"), key: file.key)
        #expect(
            try fixture.shell("out.db").cell("SELECT count(*) FROM t WHERE n = 9")
                == .integer(2000))
        try other.close()
    }

    @Test(
        "has what is in the log, also through a read-only mount", .proves("LOD-07"),
        .mayMountViews, arguments: [true, false])
    func readOnlyView(isInUse: Bool) throws {
        let fixture = try BackupFixture()
        let pool = try fixture.open()
        try pool.write { try $0.execute(sql: "UPDATE t SET n = 9") }
        if !isInUse {
            for suffix in ["", "-wal", "-shm"] {
                try FileManager.default.copyItem(
                    atPath: fixture.file.path + suffix, toPath: fixture.path("left.db") + suffix)
            }
        }
        let view = try ReadOnlyView(of: fixture.folder.path)
        var file = fixture.file
        file = DatabaseFile(
            path: view.path(of: isInUse ? "app.db" : "left.db"), key: fixture.file.key)
        let backup = try fixture.repository.backUp(file)
        #expect(backup.madeWritersWait == false)
        try fixture.repository.restore(to: fixture.path("out.db"), key: file.key)
        #expect(
            try fixture.shell("out.db").cell("SELECT count(*) FROM t WHERE n = 9")
                == .integer(2000))
        try pool.close()
    }
}
