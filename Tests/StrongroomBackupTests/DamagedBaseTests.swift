import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("A backup after what was stored before it was damaged")
struct DamagedBaseTests {
    private let fixture: BackupFixture
    private let forged: ForgedRepository
    private let key: CipherKey

    init() throws {
        fixture = try BackupFixture(rowCount: 2000)
        forged = ForgedRepository(fixture)
        key = try #require(fixture.file.key)
        try fixture.repository.backUp(fixture.file)
        try fixture.shell("app.db").run("UPDATE t SET n = 1 WHERE id % 100 = 0")
        try fixture.repository.backUp(fixture.file)
    }

    private enum Damage: String, CaseIterable {
        case page, node, table, end, missing, short
    }

    private func damage(_ damage: Damage, _ pack: String) throws {
        let name = "packs/" + pack
        let content = try forged.content(name)
        let tableStart = content.suffix(24).prefix(8).enumerated().reduce(0) {
            $0 | Int($1.element) << ($1.offset * 8)
        }
        switch damage {
        case .page: try forged.flip(name, at: 16 + 4096 + 50)
        // The root is the last entry.
        case .node: try forged.flip(name, at: tableStart - 1)
        case .table: try forged.flip(name, at: tableStart + 48 + 33)
        case .end: try forged.flip(name, at: content.count - 1)
        case .missing: try FileManager.default.removeItem(at: forged.url(name))
        case .short: try content.prefix(content.count / 2).write(to: forged.url(name))
        }
    }

    @Test(
        "What is damaged is stored again, and reported: the new backup is whole",
        .proves("OPR-09"), arguments: Damage.allCases, [0, 1])
    private func storedAgain(damage: Damage, packIndex: Int) throws {
        let packs = try forged.names("packs")
        #expect(packs.count == 2)
        try self.damage(damage, packs[packIndex])
        try fixture.shell("app.db").run("UPDATE t SET n = 2 WHERE id = 7")
        let backup = try fixture.repository.backUp(fixture.file)
        #expect(backup.notices.count == 1)
        #expect(backup.notices.first?.contains("stored again") == true)
        try fixture.repository.restore(to: fixture.path("out.db"), key: key)
        #expect(try fixture.shell("out.db").cell("SELECT n FROM t WHERE id = 7") == .integer(2))
        let report = try fixture.repository.verify(key: .database(key))
        #expect(!report.isSound && report.damagedBackups.isSubset(of: [1, 2]))
        #expect(!report.damagedBackups.isEmpty)
        // The next one has nothing to repair. After a full one, what was damaged can be forgotten.
        #expect(try fixture.repository.backUp(fixture.file).storedPageCount == 0)
        let full = try fixture.repository.backUp(fixture.file, full: true)
        #expect(full.notices.isEmpty)
        try fixture.repository.prune(
            keeping: RetentionPolicy(last: 1), key: BackupFixture.databaseKey)
        #expect(try fixture.repository.verify(key: .database(key)).isSound)
    }

    @Test("A full backup depends on no other", .proves("OPR-09"))
    func full() throws {
        let pool = try fixture.open()
        let backup = try fixture.repository.backUp(pool, full: true)
        try pool.close()
        #expect(backup.base == nil && backup.storedPageCount == backup.pageCount)
        for name in try forged.names("packs").dropLast() {
            try FileManager.default.removeItem(at: forged.url("packs/" + name))
        }
        try fixture.repository.restore(to: fixture.path("out.db"), key: key)
        let report = try fixture.repository.verify(key: .database(key))
        #expect(report.damagedBackups == [1, 2])
    }

    @Test("A full backup goes on where the last manifest is gone", .proves("OPR-09"))
    func lastManifestIsGone() throws {
        let name = try #require(try forged.names("backups").last)
        try FileManager.default.removeItem(at: forged.url("backups/" + name))
        #expect { try fixture.repository.backUp(fixture.file) } throws: { error in
            let error = error as? BackupError
            return error?.code == .damaged && error?.hint?.contains("full backup") == true
        }
        let backup = try fixture.repository.backUp(fixture.file, full: true)
        #expect(backup.number == 3 && backup.notices.count == 1)
        let report = try fixture.repository.verify(key: .database(key))
        #expect(report.damagedBackups == [2])
    }
}
