import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("Older packs, which a backup does not read as a whole")
struct OlderPackTests {
    @Test(
        "128 backups in a row read every entry again, also of databases that take turns",
        .proves("OPR-09"), arguments: [1, 2, 3, 4, 5, 6, 7, 8, 16, 64] as [UInt32])
    func turns(step: UInt32) {
        for first in [1, 5, 63, 4_000_000_000] as [UInt32] {
            let turns = (0..<128).map { PackTurn(of: first + $0 * step) }
            for slot in stride(from: 0, to: 70_000, by: 64) {
                #expect(turns.contains { $0.includes(slot, of: 12) })
            }
        }
        let one = (0..<4096).count { PackTurn(of: 9).includes($0, of: 3) }
        #expect(one == 64)
    }

    @Test("Damage in an older pack is found when its turn comes, and healed", .proves("OPR-09"))
    func found() throws {
        // More than the 32 MiB that each backup reads in any case come after the first pack.
        let fixture = try BackupFixture(rowCount: 500)
        try fixture.repository.backUp(fixture.file)
        let forged = ForgedRepository(fixture)
        let first = try #require(forged.names("packs").first)
        for _ in 0..<3 {
            try fixture.shell("app.db").run(
                "DROP TABLE IF EXISTS b; CREATE TABLE b AS SELECT randomblob(16000000) AS x")
            try fixture.repository.backUp(fixture.file)
        }
        // A page that the last backup refers to, too.
        let entry = try (20..<60).first { entry in
            try forged.flip("packs/" + first, at: 16 + entry * 4096 + 50)
            let isUsed = try fixture.repository.verify().damagedBackups.contains(4)
            if !isUsed { try forged.flip("packs/" + first, at: 16 + entry * 4096 + 50) }
            return isUsed
        }
        try #require(entry != nil)
        var backup = try fixture.repository.backUp(fixture.file)
        for _ in 0..<128 where backup.notices.isEmpty {
            backup = try fixture.repository.backUp(fixture.file)
        }
        #expect(
            backup.notices.contains { $0.contains("1 pages were stored again") },
            "backup \(backup.number): \(backup.notices)")
        let report = try fixture.repository.verify()
        #expect(!report.damagedBackups.contains(backup.number))
    }
}
