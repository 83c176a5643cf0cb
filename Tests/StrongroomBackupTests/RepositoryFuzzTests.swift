import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// Repositories that a seed damages, of which most have hashes, seals and signatures that are right.
@Suite struct RepositoryFuzzTests {
    private let fixture: BackupFixture
    private let sealing: BackupKey
    private let key: CipherKey

    init() throws {
        fixture = try BackupFixture(rowCount: 200)
        sealing = try fixture.backupKey()
        key = try BackupFixture.databaseKey
        for round in 1...3 {
            try fixture.shell("app.db").run("UPDATE t SET n = \(round) WHERE id % 40 = 7")
            try fixture.repository.backUp(fixture.file)
        }
        try fixture.repository.prune(keeping: RetentionPolicy(last: 2), key: key)
    }

    /// A copy that is damaged, without waiting for the disk, which has nothing to say here.
    private func damaged(
        _ name: String, by sealing: BackupKey?, _ generator: inout SeededGenerator
    ) throws -> (path: String, what: String) {
        let path = fixture.path(name)
        try FileManager.default.copyItem(atPath: fixture.repository.path, toPath: path)
        let damaged = DamagedRepository(path: path, sealing: sealing)
        return (path, try damaged.damage(&generator))
    }

    private static let hasty: FileSystem = {
        var fileSystem = FileSystem.system
        fileSystem.beginSynchronizing = { _, _, _ in }
        fileSystem.synchronize = { (_) throws(SystemError) in }
        fileSystem.inFolder.synchronize = { (_) throws(SystemError) in }
        return fileSystem
    }()

    @Test(.proves("HST-15"))
    func `Whatever a repository has, every operation ends, with a result or an error of its own`()
        throws
    {
        var refused = 0
        var count = 0
        _ = try Fuzzing().run("repository") { generator in
            count += 1
            let (path, what) = try damaged("fuzz-\(count)", by: sealing, &generator)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let operations: [(String, (BackupRepository) throws -> Void)] = [
                ("list", { _ = try $0.backups() }), ("status", { _ = try $0.status() }),
                ("verify", { _ = try $0.verify() }),
                ("verify with the key", { _ = try $0.verify(key: .database(key)) }),
                ("restore", { try $0.restore(to: fixture.path("o.db"), overwrite: true) }),
                (
                    "restore with the key",
                    { try $0.restore(to: fixture.path("o.db"), key: key, overwrite: true) }
                ),
                ("plan", { _ = try $0.prune(keeping: RetentionPolicy(last: 1), dryRun: true) }),
                ("create", { try $0.backUp(fixture.file) }),
                ("create full", { try $0.backUp(fixture.file, full: true) }),
                ("prune", { try $0.prune(keeping: RetentionPolicy(last: 1), key: key) }),
                (
                    "rekey",
                    {
                        let newKey = try BackupFixture.key(BackupFixture.otherKeyText)
                        try $0.rekey(from: key, to: newKey)
                    }
                ),
            ]
            for (name, operation) in operations {
                let start = ContinuousClock.now
                do {
                    try operation(BackupRepository(path: path, fileSystem: Self.hasty))
                } catch is BackupError {
                    refused += 1
                } catch is DatabaseFileError {
                    refused += 1
                }
                let elapsed = ContinuousClock.now - start
                try Fuzzing.expect(elapsed < .seconds(20), "\(name) took \(elapsed): \(what)")
            }
        }
        #expect(refused > count)
    }

    @Test(.proves("BKP-010", "BKP-011", "HST-17"))
    func `A second reader, written from the description, agrees on 200 damaged repositories`()
        throws
    {
        let verificationKey = try fixture.verificationKey()
        let signer = try #require(try fixture.repository.verify().signer)
        var generator = SeededGenerator(seed: 19)
        var sound: [Bool: Int] = [:]
        var paths: [String] = []
        var whats: [String: String] = [:]
        for number in 0..<200 {
            let isForger = number.isMultiple(of: 3)
            let (path, what) = try damaged(
                "damaged-\(number)", by: isForger ? nil : sealing, &generator)
            paths.append(path)
            whats[path] = what
        }
        for (words, ours) in try readers(verificationKey, signer) {
            let theirs = try verdicts(paths, words)
            for path in paths {
                let mine = ours(path)
                sound[mine, default: 0] += 1
                let other = try #require(theirs[path])
                let agree: Comment = "\(whats[path] ?? ""), \(words.prefix(1)): \(other.problems)"
                #expect(mine == other.isSound, agree)
            }
        }
        // Both kinds came up, or it would have proved nothing.
        #expect(sound[true] ?? 0 > 10 && sound[false] ?? 0 > 200, "\(sound)")
    }

    /// How each of both verifies, without a key, with a public key, and with a verification key.
    private func readers(
        _ verificationKey: String, _ signer: String
    ) throws -> [([String], (String) -> Bool)] {
        let bytes = Data(Hexadecimal.bytes(verificationKey) ?? [])
        return [
            ([], { (try? BackupRepository(path: $0).verify().isSound) ?? false }),
            (
                ["--authority", signer],
                { (try? BackupRepository(path: $0).verify(authority: signer).isSound) ?? false }
            ),
            (
                ["--verification-key", verificationKey],
                {
                    (try? BackupRepository(path: $0).verify(key: .verification(bytes)).isSound)
                        ?? false
                }
            ),
        ]
    }

    private func verdicts(
        _ paths: [String], _ words: [String]
    ) throws -> [String: (isSound: Bool, problems: String)] {
        let script = PackageFiles.path(of: "Tests/Decoder/verify.py")
        let run = try Subprocess.run("python3", [script] + paths + words)
        #expect(run.errorText.isEmpty, "\(run.errorText)")
        var verdicts: [String: (isSound: Bool, problems: String)] = [:]
        for line in run.outputText.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 2).map(String.init)
            guard parts.count >= 2 else { continue }
            verdicts[parts[0]] = (parts[1] == "sound", parts.dropFirst(2).joined())
        }
        return verdicts
    }
}
