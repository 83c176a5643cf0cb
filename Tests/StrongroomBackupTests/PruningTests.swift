import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite struct PruningTests {
    private static let seed = UInt64(ProcessInfo.processInfo.processIdentifier)

    @Test("What is kept restores after every prune, whatever went", .proves("BKP-013"))
    func random() throws {
        let fixture = try BackupFixture(rowCount: 3000)
        var repository = fixture.repository
        var random = SeededGenerator(seed: Self.seed)
        var originals: [Int: Data] = [:]
        let start = Date(timeIntervalSince1970: 1_770_000_000)
        for day in 1...24 {
            repository.now = { start.addingTimeInterval(Double(day) * 86_400) }
            let change = [
                "UPDATE t SET n = n + 1 WHERE id % 211 = \(day)",
                "INSERT INTO t (a) SELECT hex(randomblob(200)) FROM t LIMIT 50",
                "DELETE FROM t WHERE id % 97 = \(day)", "VACUUM", "SELECT 1",
            ].randomElement(using: &random)
            try fixture.shell("app.db").run(try #require(change))
            let backup = try repository.backUp(fixture.file)
            try repository.restore(backup.id, to: fixture.path("state.db"), overwrite: true)
            originals[backup.number] = try fixture.content("state.db")
            guard day.isMultiple(of: 3) else { continue }
            let policy = RetentionPolicy(
                last: Int.random(in: 1...4, using: &random),
                daily: Int.random(in: 0...5, using: &random),
                weekly: Int.random(in: 0...3, using: &random),
                monthly: Int.random(in: 0...2, using: &random))
            let plan = try repository.prune(keeping: policy, dryRun: true)
            let report = try repository.prune(keeping: policy, key: BackupFixture.databaseKey)
            #expect(plan.kept.map(\.number) == report.kept.map(\.number))
            #expect(try repository.backups().map(\.number) == report.kept.map(\.number))
            let verification = try repository.verify(key: .database(#require(fixture.file.key)))
            #expect(verification.isSound, "\(verification.problems), seed \(Self.seed)")
            for backup in report.kept {
                try repository.restore(backup.id, to: fixture.path("out.db"), overwrite: true)
                #expect(try fixture.content("out.db") == originals[backup.number])
            }
        }
        // What one backup needs is left, and little more: a quarter at most, and its index.
        let report = try repository.prune(
            keeping: RetentionPolicy(last: 1), key: BackupFixture.databaseKey)
        let size = try #require(report.kept.first).byteCount
        #expect(report.remainingByteCount < size * 3 / 2)
        #expect(try fixture.decode(report.kept[0].number, to: "decoded.db").isSuccess)
        #expect(try fixture.content("decoded.db") == originals[report.kept[0].number])
    }

    @Test(
        "On a disk that is full, prune makes room step by step, or tells how much is missing",
        .proves("BKP-013"))
    func fullDisk() throws {
        let fixture = try BackupFixture(rowCount: 3000)
        for number in 1...8 {
            // Half of the pages of each are changed again by the next.
            let first = number * 200
            try fixture.shell("app.db").run(
                "UPDATE t SET n = \(number) WHERE id BETWEEN \(first) AND \(first + 400)")
            try fixture.repository.backUp(fixture.file)
        }
        let other = fixture.path("other")
        try FileManager.default.copyItem(atPath: fixture.repository.path, toPath: other)
        let roomy = try BackupRepository(path: other).prune(
            keeping: RetentionPolicy(last: 1), key: BackupFixture.databaseKey)
        #expect(roomy.missingByteCount == 0)
        let none = try BackupRepository(
            path: fixture.repository.path, fileSystem: .full(freeByteCount: 0))
        let refused = try none.prune(
            keeping: RetentionPolicy(last: 1), key: BackupFixture.databaseKey)
        #expect(refused.missingByteCount > 10_000 && refused.freedByteCount == 0)
        let little = try BackupRepository(
            path: fixture.repository.path,
            fileSystem: .full(freeByteCount: refused.missingByteCount + 2000))
        let report = try little.prune(
            keeping: RetentionPolicy(last: 1), key: BackupFixture.databaseKey)
        #expect(report.missingByteCount == 0)
        #expect(report.remainingByteCount == roomy.remainingByteCount)
        #expect(try fixture.repository.verify().isSound)
    }

    @Test("A policy keeps the newest of each period that has one", .proves("BKP-014"))
    func policy() throws {
        let fixture = try BackupFixture(rowCount: 10)
        var repository = fixture.repository
        // Sunday, 2026-11-01, at 22:00, and every 12 hours after that.
        let start = try Date("2026-11-01T22:00:00Z", strategy: .iso8601)
        for index in 0..<70 {
            repository.now = { start.addingTimeInterval(Double(index) * 43_200) }
            try repository.backUp(fixture.file)
        }
        func kept(_ policy: RetentionPolicy) throws -> [Int] {
            try repository.prune(keeping: policy, dryRun: true).kept.map(\.number)
        }
        #expect(try kept(RetentionPolicy(last: 3)) == [68, 69, 70])
        // 70 is of Sunday, 2026-12-06, at 10:00; 69 of the day before, at 22:00.
        #expect(try kept(RetentionPolicy(daily: 3)) == [67, 69, 70])
        // Weeks end on Sunday at 22:00.
        #expect(try kept(RetentionPolicy(weekly: 3)) == [43, 57, 70])
        #expect(try kept(RetentionPolicy(monthly: 5)) == [59, 70])
        #expect(try kept(RetentionPolicy(last: 1, monthly: 2)) == [59, 70])
        #expect(throws: BackupError.self) {
            try repository.prune(keeping: RetentionPolicy(), key: BackupFixture.databaseKey)
        }
        let found = try repository.backup(at: start.addingTimeInterval(43_200 * 2 + 5))
        #expect(found.number == 3)
        #expect(throws: BackupError.self) { try repository.backup(at: start - 1) }
    }

    @Test(
        "Backups of a leaked key are encrypted under another, and the old pages go",
        .proves("BKP-015"))
    func rekey() throws {
        let fixture = try BackupFixture(rowCount: 8000)
        let repository = fixture.repository
        for round in 1...3 {
            try fixture.shell("app.db").run("UPDATE t SET n = \(round) WHERE id % 300 = 7")
            try repository.backUp(fixture.file, tag: "round \(round)")
        }
        let before = try repository.backups()
        let oldPages = try fixture.repositoryFiles().filter { $0.key.hasPrefix("packs/") }
        let key = try #require(fixture.file.key)
        let newKey = try BackupFixture.key(BackupFixture.otherKeyText)
        #expect { try repository.rekey(from: newKey, to: key) } throws: {
            ($0 as? BackupError)?.code == .wrongKey
        }
        let backups = try repository.rekey(from: key, to: newKey, threads: 3)
        #expect(backups.map(\.tag) == before.map(\.tag))
        #expect(backups.map(\.date) == before.map(\.date))
        // What did not change between two of them is stored once.
        #expect(backups[1].storedPageCount == before[1].storedPageCount)
        let newPages = try fixture.repositoryFiles().filter { $0.key.hasPrefix("packs/") }
        #expect(Set(newPages.keys).isDisjoint(with: oldPages.keys))
        #expect(try repository.verify(key: .database(newKey)).isSound)
        for (round, backup) in zip(1..., backups) {
            #expect(throws: BackupError.self) {
                try repository.restore(backup.id, to: fixture.path("no.db"), key: key)
            }
            try repository.restore(backup.id, to: fixture.path("\(round).db"), key: newKey)
            let shell = fixture.shell("\(round).db", key: BackupFixture.otherKeyText)
            #expect(try shell.cell("SELECT count(*) FROM t WHERE n = \(round)") == .integer(27))
            #expect(try shell.cell("PRAGMA integrity_check") == .text("ok"))
        }
        // The leaked key signs no more.
        #expect { try repository.backUp(fixture.file) } throws: {
            ($0 as? BackupError)?.code == .notIntroduced
        }
        try fixture.file.rotateKey(to: newKey)
        var rotated = fixture.file
        rotated.key = newKey
        #expect(try repository.backUp(rotated).base == nil)
    }
}

extension FileSystem {
    /// One with little room: what is written takes of it, what is removed adds to it.
    fileprivate static func full(freeByteCount: Int64) -> FileSystem {
        let free = Locked(freeByteCount)
        var fileSystem = FileSystem.system
        fileSystem.writeAt = { descriptor, bytes, offset throws(SystemError) in
            let fits = free.withLock {
                $0 -= Int64(bytes.count)
                return $0 >= 0
            }
            guard fits else {
                free.withLock { $0 += Int64(bytes.count) }
                throw SystemError("pwrite", "", number: ENOSPC)
            }
            return try FileSystem.system.writeAt(descriptor, bytes, offset)
        }
        fileSystem.inFolder.remove = { folder, name throws(SystemError) in
            let byteCount = try FolderCalls.system.status(folder, name)?.byteCount ?? 0
            try FolderCalls.system.remove(folder, name)
            free.withLock { $0 += byteCount }
        }
        return fileSystem
    }
}
