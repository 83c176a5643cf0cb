import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// Random histories of one repository that two hosts use: what each of them reports is compared with what
/// was done to the files.
@Suite struct RepositoryHistoryTests {
    private let fixture: BackupFixture

    init() throws {
        fixture = try BackupFixture(wal: false, rowCount: 120)
    }

    /// What was done so far, and the files as they should be.
    private struct History {
        let folder: String
        let hosts: [BackupRepository]
        let stranger: BackupRepository
        /// Whether a host has found damage, and no verification of its own has succeeded since.
        var hasFailed = [false, false]
        /// The keys with which it has found it.
        var failedKeys: [Set<String>] = [[], []]
        /// The packs that were damaged, as they were, and whether they are there with all their bytes.
        var originals: [URL: (bytes: Data, isWhole: Bool)] = [:]
        var keyText = BackupFixture.keyText
        var keyCount = 0
        var steps: [String] = []

        mutating func note(_ host: Int, isSound: Bool, _ keys: Set<String> = [], kept: Set<String>)
        {
            guard isSound else {
                hasFailed[host] = true
                failedKeys[host].formUnion(keys)
                return
            }
            guard failedKeys[host].intersection(kept).isSubset(of: keys) else { return }
            hasFailed[host] = false
            failedKeys[host] = []
        }
    }

    private static let steps = [
        "create", "create", "full", "verify", "verify", "verify with key", "sample", "remove",
        "cut",
        "flip", "mend", "mend", "repair", "prune", "rekey",
    ]

    @Test(.proves("OPR-30"))
    func `No history makes a host say that all is well, or damaged, against the facts`() throws {
        var count = 0
        var seen: Set<RepositoryStatus.State> = []
        _ = try Fuzzing().run("history", inputs: 25) { generator in
            count += 1
            try FileManager.default.createDirectory(
                atPath: fixture.path("\(count)"), withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: fixture.path("\(count)")) }
            var history = try start(fixture.path("\(count)"))
            for _ in 0..<12 {
                let step = generator.pick(Self.steps)
                let host = Int.random(in: 0...1, using: &generator)
                history.steps.append("\(step) \(host)")
                try take(step, host, &history, &generator)
                try check(&history, &seen)
            }
        }
        #expect(seen.count >= 5, "\(seen)")
    }

    private func start(_ folder: String) throws -> History {
        let path = folder + "/app.db"
        let file = DatabaseFile(path: path, key: try BackupFixture.databaseKey)
        try FileManager.default.copyItem(atPath: fixture.file.path, toPath: path)
        var repository = try BackupRepository.create(at: folder + "/r")
        try repository.backUp(file)
        let stranger = repository
        let hosts = (0...1).map { number in
            repository.memory = BackupMemory(folder: folder + "/state\(number)")
            return repository
        }
        return History(folder: folder, hosts: hosts, stranger: stranger)
    }

    private func take(
        _ step: String, _ number: Int, _ history: inout History,
        _ generator: inout SeededGenerator
    ) throws {
        let host = history.hosts[number]
        switch step {
        case "verify", "verify with key", "sample":
            let key = try BackupFixture.key(history.keyText)
            let report = try host.verify(
                key: step == "verify with key" ? .database(key) : nil,
                sample: step == "sample" ? 0.5 : 1)
            guard !report.isSound || step != "sample" else { return }
            history.note(number, isSound: report.isSound, report.keys, kept: report.keptKeys)
        case "repair":
            let report = try host.repair()
            for report in [report.before, report.after] {
                history.note(number, isSound: report.isSound, kept: report.keptKeys)
            }
        case "remove", "cut", "flip": try damage(step, &history, &generator)
        case "mend":
            for (url, original) in history.originals { try original.bytes.write(to: url) }
            history.originals = [:]
        default: try write(step, number, &history)
        }
    }

    /// What writes fails at damage.
    private func write(_ step: String, _ number: Int, _ history: inout History) throws {
        let host = history.hosts[number]
        let key = try BackupFixture.key(history.keyText)
        let file = DatabaseFile(path: history.folder + "/app.db", key: key)
        do {
            switch step {
            case "prune": try host.prune(keeping: RetentionPolicy(last: 1), key: key)
            case "rekey": try rekey(number, file, &history)
            default:
                try SQLCipherShell(path: file.path, key: .content(history.keyText))
                    .run("UPDATE t SET n = n + 1 WHERE id = 7")
                let backup = try host.backUp(file, full: step == "full")
                if !backup.notices.isEmpty { history.note(number, isSound: false, kept: []) }
            }
        } catch let error as BackupError where error.code == .damaged {}
    }

    private func rekey(_ number: Int, _ file: DatabaseFile, _ history: inout History) throws {
        history.keyCount += 1
        let digits = String(repeating: "0123456789abcdef", count: 3) + "0000000000000"
        let text = "x'\(digits)\(100 + history.keyCount)'"
        let key = try #require(file.key)
        let newKey = try BackupFixture.key(text)
        let result = Result { try history.hosts[number].rekey(from: key, to: newKey) }
        if case .failure(let error as BackupError) = result, error.code == .damaged {
            history.note(number, isSound: false, kept: [])
        }
        // It may fail when it removes what is not needed any more.
        if try !history.stranger.keyIdentifiers(of: newKey).isEmpty {
            try file.rotateKey(to: newKey)
            history.keyText = text
        }
        _ = try result.get()
    }

    private func damage(
        _ kind: String, _ history: inout History, _ generator: inout SeededGenerator
    ) throws {
        let folder = URL(fileURLWithPath: history.stranger.path + "/packs")
        let packs = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).filter { history.originals[$0] == nil }.sorted { $0.path < $1.path }
        guard !packs.isEmpty else { return }
        let pack = generator.pick(packs)
        var bytes = try Data(contentsOf: pack)
        history.originals[pack] = (bytes, isWhole: kind == "flip")
        switch kind {
        case "remove": try FileManager.default.removeItem(at: pack)
        case "cut": try bytes.dropLast(100).write(to: pack)
        default:
            bytes[40] ^= 1
            try bytes.write(to: pack)
        }
    }

    /// Whether a backup could not be restored for want of packs alone.
    private func lacksPacks(_ history: History) throws -> Bool {
        guard history.originals.values.contains(where: { !$0.isWhole }) else { return false }
        let copy = history.folder + "/copy"
        try FileManager.default.copyItem(atPath: history.stranger.path, toPath: copy)
        defer { try? FileManager.default.removeItem(atPath: copy) }
        for (url, original) in history.originals where original.isWhole {
            try original.bytes.write(
                to: URL(fileURLWithPath: copy + "/packs/" + url.lastPathComponent))
        }
        return try !BackupRepository(path: copy).verify().damagedBackups.isEmpty
    }

    private func check(_ history: inout History, _ seen: inout Set<RepositoryStatus.State>) throws {
        let isMissing = try lacksPacks(history)
        for (number, host) in history.hosts.enumerated() {
            let state = try host.status().state()
            seen.insert(state)
            let story = "\(history.steps): \(state) on \(number)"
            try Fuzzing.expect((state == .packsMissing) == isMissing, story)
            let hasFailed = state == .verificationFailed
            try Fuzzing.expect(isMissing || hasFailed == history.hasFailed[number], story)
        }
        let state = try history.stranger.status().state()
        try Fuzzing.expect((state == .packsMissing) == isMissing, "\(history.steps): \(state)")
    }
}
