import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("The last backup is the one that was made last")
struct BackupOrderTests {
    private let fixture: BackupFixture
    private static let start = Date(timeIntervalSince1970: 1_770_000_000)
    private static let day: TimeInterval = 86_400

    init() throws {
        fixture = try BackupFixture(rowCount: 50)
    }

    /// Makes a backup at a time, counted in days, of a state that has the number of the backup in it.
    private func backUp(
        day: Double, _ file: DatabaseFile? = nil, _ authority: BackupAuthority = .known
    ) throws -> Backup {
        let count = try fixture.repository.backups().count
        let keyText = file == nil ? BackupFixture.keyText : BackupFixture.otherKeyText
        try fixture.shell("app.db", key: keyText).run("UPDATE t SET n = \(count + 1)")
        var repository = fixture.repository
        repository.now = { Self.start.addingTimeInterval(day * Self.day) }
        return try repository.backUp(file ?? fixture.file, authority: authority)
    }

    private func restoredState(_ key: String = BackupFixture.keyText) throws -> SQLCipherShell.Cell
    {
        try fixture.repository.restore(
            to: fixture.path("out.db"), key: BackupFixture.key(key), overwrite: true)
        return try fixture.shell("out.db", key: key).cell("SELECT n FROM t LIMIT 1")
    }

    @Test("A clock that was ahead once changes neither the last nor the newest", .proves("LOD-08"))
    func clockAhead() throws {
        let first = try backUp(day: 300)
        let second = try backUp(day: 0)
        let third = try backUp(day: 1)
        #expect(!first.isDatedBack && first.notices.isEmpty)
        #expect(second.isDatedBack && second.notices.first?.contains("the clock") == true)
        #expect(!third.isDatedBack)
        let list = try fixture.repository.backups()
        #expect(list.map(\.number) == [1, 2, 3])
        #expect(list.map(\.isDatedBack) == [false, true, true])
        #expect(try restoredState() == .integer(3))
        let day = Self.start.addingTimeInterval(2 * Self.day)
        #expect(try fixture.repository.backup(at: day).number == 3)
        #expect(try fixture.repository.backup(at: day + 400 * Self.day).number == 3)
        #expect(try fixture.repository.backup(at: day - 1.5 * Self.day).number == 2)
        #expect(throws: BackupError.self) { try fixture.repository.backup(at: day - 9 * Self.day) }

        func kept(_ policy: RetentionPolicy) throws -> [Int] {
            try fixture.repository.prune(keeping: policy, dryRun: true).kept.map(\.number)
        }
        #expect(try kept(RetentionPolicy(last: 2)) == [2, 3])
        #expect(try kept(RetentionPolicy(daily: 1)) == [3])
        // The wrong date takes up a day of its own, and no more.
        #expect(try kept(RetentionPolicy(daily: 3)) == [1, 2, 3])
        try fixture.repository.prune(
            keeping: RetentionPolicy(last: 1), key: BackupFixture.databaseKey)
        #expect(try fixture.repository.backups().map(\.number) == [3])
        #expect(try backUp(day: 2).number == 4)
        #expect(
            try fixture.repository.prune(
                keeping: RetentionPolicy(last: 1), key: BackupFixture.databaseKey
            ).kept[0].number == 4)
    }

    @Test("With a clock that is ahead now, the new backup is kept all the same", .proves("LOD-08"))
    func newestIsAhead() throws {
        _ = try backUp(day: 0)
        _ = try backUp(day: 300)
        _ = try backUp(day: 1)
        _ = try backUp(day: 1.1)
        let plan = try fixture.repository.prune(
            keeping: RetentionPolicy(daily: 2), dryRun: true)
        #expect(plan.kept.map(\.number) == [2, 4])
    }

    @Test("What is encrypted again under another key stays in its place", .proves("LOD-08"))
    func rekeyed() throws {
        let key = try #require(fixture.file.key)
        let newKey = try BackupFixture.key(BackupFixture.otherKeyText)
        _ = try backUp(day: 0)
        _ = try backUp(day: 1)
        try fixture.file.rotateKey(to: newKey)
        var rotated = fixture.file
        rotated.key = newKey
        let introduced = BackupAuthority.introduced(by: key)
        #expect(try backUp(day: 2, rotated, introduced).base == nil)
        // Twice: the place is that of the first of them.
        let thirdText = "x'" + String(repeating: "17", count: 32) + "'"
        let thirdKey = try BackupFixture.key(thirdText)
        try fixture.repository.rekey(from: key, to: thirdKey)
        try fixture.repository.rekey(
            from: thirdKey, to: BackupFixture.key("x'" + String(repeating: "29", count: 32) + "'"))
        let list = try fixture.repository.backups()
        #expect(list.map(\.number) == [6, 7, 3])
        #expect(list.map(\.isDatedBack) == [false, false, false])
        #expect(try restoredState(BackupFixture.otherKeyText) == .integer(3))
        let report = try fixture.repository.prune(keeping: RetentionPolicy(last: 1), key: newKey)
        #expect(report.kept.map(\.number) == [3])
        // What it was is still found when the others are pruned.
        #expect(try fixture.repository.backups().map(\.number) == [3])
    }
}
