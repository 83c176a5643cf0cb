import Foundation
import Strongroom
import StrongroomCore
import StrongroomKeyrings
import StrongroomTestSupport
import Synchronization
import Testing

@testable import StrongroomBackup

/// Files that were opened or looked at, by a table of calls that counts them.
private final class OpenedFiles: Sendable {
    private let names = Mutex<[String]>([])
    private let lookedAt = Mutex<[String]>([])

    var fileSystem: FileSystem {
        var fileSystem = FileSystem.system
        fileSystem.inFolder.status = { [self] folder, name throws(SystemError) in
            lookedAt.withLock { $0.append(name) }
            return try FolderCalls.system.status(folder, name)
        }
        fileSystem.inFolder.openForReading = { [self] folder, name throws(SystemError) in
            names.withLock { $0.append(name) }
            return try FolderCalls.system.openForReading(folder, name)
        }
        return fileSystem
    }

    /// How many manifests some work opens.
    func manifests(during work: () throws -> Void) rethrows -> Int {
        names.withLock { $0 = [] }
        try work()
        return names.withLock { $0.count { $0.hasSuffix(".backup") } }
    }

    /// How many packs some work opens or looks at, one by one.
    func packs(during work: () throws -> Void) rethrows -> Int {
        names.withLock { $0 = [] }
        lookedAt.withLock { $0 = [] }
        try work()
        return names.withLock { $0.count { $0.hasSuffix(".pack") } }
            + lookedAt.withLock { $0.count { $0.hasSuffix(".pack") } }
    }
}

/// What a backup and a status read does not grow with the number of backups.
@Suite struct ManyBackupsTests {
    private let fixture: BackupFixture
    private let opened = OpenedFiles()
    private let host: BackupRepository

    init() throws {
        fixture = try BackupFixture(rowCount: 300)
        var host = fixture.repository
        host.memory = BackupMemory(folder: fixture.path("state"))
        host.fileSystem = opened.fileSystem
        self.host = host
    }

    /// Reads everything, as a host that has never seen the repository.
    private var stranger: BackupRepository {
        var repository = host
        repository.memory = nil
        return repository
    }

    private var backups: URL { URL(fileURLWithPath: host.path + "/backups") }

    private func manifest(_ number: Int) throws -> URL {
        let all = try FileManager.default.contentsOfDirectory(
            at: backups, includingPropertiesForKeys: nil)
        return try #require(
            all.first { $0.lastPathComponent.hasPrefix(String(format: "%08d-", number)) })
    }

    private func change() throws {
        try fixture.shell("app.db").run("UPDATE t SET n = n + 1 WHERE id = 7")
    }

    private func expectSameStatus(_ comment: Comment? = nil) throws {
        let (known, read) = (try host.status(), try stranger.status())
        #expect(known.problems == read.problems, comment)
        #expect(known.databases.map(\.name) == read.databases.map(\.name), comment)
        for (one, other) in zip(known.databases, read.databases) {
            #expect(
                one.last.hash == other.last.hash && one.backupCount == other.backupCount, comment)
            #expect(one.last.isDatedBack == other.last.isDatedBack, comment)
        }
    }

    @Test(.proves("SCL-01"), arguments: [false, true])
    func `a backup and a status open as many manifests after forty backups as after four`(
        hasKeyring: Bool
    ) throws {
        if hasKeyring {
            try Keyring.create(for: fixture.file, keepingKey: true) {
                try $0.addPassphrase("first", name: "me", work: 14)
            }
        }
        var counts: [[Int]] = []
        for number in 1...40 {
            if number % 3 == 0 { try change() }
            let backup = try opened.manifests { try host.backUp(fixture.file) }
            let first = try opened.manifests { try expectHostStatus(count: number) }
            let second = try opened.manifests { try expectHostStatus(count: number) }
            if number == 4 || number == 40 { counts.append([backup, first, second]) }
        }
        #expect(counts[0] == counts[1])
        #expect(counts[1].allSatisfy { $0 <= 4 }, "\(counts)")
        // The counter counts: one that remembers nothing reads all of them.
        #expect(try opened.manifests { _ = try stranger.status() } >= 40)
        try expectSameStatus()
    }

    @Test(.proves("OPR-171"))
    func `a backup looks at as many packs after three hundred backups as after twenty`() throws {
        var host = host
        // Nobody waits for the disk in this test.
        host.fileSystem.synchronize = { _ in }
        var counts: [Int] = []
        for number in 1...300 {
            try change()
            counts.append(try opened.packs { try host.backUp(fixture.file) })
            #expect(counts.count == number)
        }
        #expect(counts[299] <= counts[19], "\(counts[19]), \(counts[299])")
        #expect(counts[19] > 1, "the counter counts")
        try expectSameStatus()
    }

    private func expectHostStatus(count: Int) throws {
        let database = try #require(try host.status().databases.first)
        #expect(database.backupCount == count && database.last.number == count)
    }

    @Test(.proves("SCL-01"))
    func `backups of another host are read once`() throws {
        try host.backUp(fixture.file)
        #expect(try host.status().problems.isEmpty)
        var other = host
        other.memory = BackupMemory(folder: fixture.path("other"))
        for _ in 0..<10 {
            try change()
            try other.backUp(fixture.file)
        }
        #expect(try opened.manifests { try expectHostStatus(count: 11) } <= 22)
        #expect(try opened.manifests { try expectHostStatus(count: 11) } == 1)
        try expectSameStatus()
    }

    enum Harm: CaseIterable {
        case removedManifest, replacedManifest, changedManifest, removedPack, cutPack
    }

    @Test(.proves("SCL-01"), arguments: Harm.allCases)
    func `a status finds what is gone or replaced, although it reads few files`(harm: Harm) throws {
        for _ in 0..<6 {
            try change()
            try host.backUp(fixture.file)
            #expect(try host.status().problems.isEmpty)
        }
        let manager = FileManager.default
        let old = try manifest(2)
        let bytes = try Data(contentsOf: old)
        let pack = try #require(
            try manager.contentsOfDirectory(atPath: host.path + "/packs").sorted().first)
        let packURL = URL(fileURLWithPath: host.path + "/packs/" + pack)
        switch harm {
        case .removedManifest: try manager.removeItem(at: old)
        case .replacedManifest:
            // Of the same size, with the same times.
            let times = try manager.attributesOfItem(atPath: old.path)
            try Data(contentsOf: manifest(3)).prefix(bytes.count).write(to: old, options: .atomic)
            try manager.setAttributes(
                [.modificationDate: times[.modificationDate] as Any], ofItemAtPath: old.path)
        case .changedManifest:
            let handle = try FileHandle(forWritingTo: old)
            try handle.write(contentsOf: Data([bytes[0] ^ 1]))
            try handle.close()
        case .removedPack: try manager.removeItem(at: packURL)
        case .cutPack: try Data(contentsOf: packURL).dropLast().write(to: packURL)
        }
        for _ in 0..<2 {
            let finding = Self.finding(of: host)
            #expect(finding?.contains("missing") == true || finding?.contains("damaged") == true)
            #expect(finding == Self.finding(of: stranger))
        }
    }

    /// What a status finds to be wrong; nil for nothing.
    private static func finding(of repository: BackupRepository) -> String? {
        do {
            let problems = try repository.status().problems
            return problems.isEmpty ? nil : "missing or damaged: \(problems)"
        } catch {
            return "\(error)"
        }
    }

    @Test(.proves("SCL-01"))
    func `a repository that was put back is found, and so is a manifest that was put back`() throws
    {
        let older = fixture.path("older")
        for _ in 0..<3 { try host.backUp(fixture.file) }
        #expect(try host.status().problems.isEmpty)
        try FileManager.default.copyItem(atPath: host.path, toPath: older)
        for _ in 0..<3 { try host.backUp(fixture.file) }
        #expect(try host.status().problems.isEmpty)
        try FileManager.default.removeItem(atPath: host.path)
        try FileManager.default.moveItem(atPath: older, toPath: host.path)
        for work in [{ _ = try host.status() }, { _ = try host.backUp(fixture.file) }] {
            #expect {
                try work()
            } throws: {
                ($0 as? BackupError)?.code == .rolledBack
            }
        }
    }

    @Test(.proves("SCL-01"))
    func `what is known of backups is what is read of them, whatever happens to them`() throws {
        var host = host
        let key = try BackupFixture.databaseKey
        let other = try Self.otherDatabase(fixture)
        host.takesOtherDatabases = true
        let start = Date(timeIntervalSinceNow: -86_400 * 40)
        for day in 0..<20 {
            // The clock goes back for two days.
            let shift = (6...7).contains(day) ? -3 : 0
            host.now = { start.addingTimeInterval(Double(day + shift) * 86_400) }
            try change()
            try host.backUp(fixture.file)
            try expectSameStatus("day \(day)")
            switch day {
            case 3, 9:
                try host.backUp(other, authority: .introduced(by: key))
            case 5, 8, 14: try host.prune(keeping: RetentionPolicy(last: day / 2), key: key)
            case 11:
                let kept = try host.backups()
                try host.forget([kept[kept.count / 2].id], keys: [key])
            default: break
            }
            try expectSameStatus("day \(day), after it")
        }
    }

    private static func otherDatabase(_ fixture: BackupFixture) throws -> DatabaseFile {
        let path = fixture.path("other.db")
        try SQLCipherShell(path: path, key: .content(BackupFixture.otherKeyText))
            .create("CREATE TABLE t (a); INSERT INTO t VALUES (1);")
        return DatabaseFile(path: path, key: try BackupFixture.key(BackupFixture.otherKeyText))
    }

    @Test(.proves("SCL-01"))
    func `what is remembered may be removed, and is found again`() throws {
        for _ in 0..<5 { try host.backUp(fixture.file) }
        try expectSameStatus()
        try FileManager.default.removeItem(atPath: fixture.path("state/copies"))
        try host.backUp(fixture.file)
        try expectSameStatus()
        try FileManager.default.removeItem(atPath: fixture.path("state"))
        try expectSameStatus()
        try host.backUp(fixture.file)
        try expectSameStatus()
        #expect(try opened.manifests { try expectHostStatus(count: 7) } == 1)
    }
}
