import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("Numbers that no repository has, under hashes that are right")
struct HostileNumberTests {
    private static let numbers: [Int] = [
        -1, 0, 300, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, .max,
    ]

    let fixture: BackupFixture
    /// Without waiting for the disk, which has nothing to say here.
    let repository: BackupRepository
    let forged: ForgedRepository
    private let files: [String: Data]

    init() throws {
        fixture = try BackupFixture(rowCount: 40)
        // Sealed and signed with the key, or nothing would be looked at any further.
        forged = ForgedRepository(fixture, sealing: try fixture.backupKey())
        var fileSystem = FileSystem.system
        fileSystem.beginSynchronizing = { _, _, _ in }
        fileSystem.synchronize = { (_) throws(SystemError) in }
        fileSystem.inFolder.synchronize = { (_) throws(SystemError) in }
        repository = try BackupRepository(path: fixture.repository.path, fileSystem: fileSystem)
        try repository.backUp(fixture.file)
        try fixture.shell("app.db").run("UPDATE t SET n = 1 WHERE id = 7")
        try repository.backUp(fixture.file)
        files = try fixture.repositoryFiles()
    }

    /// All that reads a repository: each ends, with a result or an error, and the repository as it
    /// was is not taken for damaged by what was done meanwhile.
    private func useEverything(_ what: String) throws {
        let key = try #require(fixture.file.key)
        _ = try? repository.verify().isSound
        _ = try? repository.verify(key: .database(key))
        _ = try? repository.backups()
        _ = try? repository.restore(to: fixture.path("out.db"), overwrite: true)
        _ = try? repository.restore(to: fixture.path("out.db"), key: key, overwrite: true)
        _ = try? repository.prune(keeping: RetentionPolicy(last: 1), dryRun: true)
        _ = try? repository.backUp(fixture.file)
        // One that writes a pack.
        _ = try? repository.backUp(fixture.file, full: true)
        _ = try? repository.prune(keeping: RetentionPolicy(last: 1), key: BackupFixture.databaseKey)
        for name in try fixture.repositoryFiles().keys where !name.hasPrefix("lock") {
            try FileManager.default.removeItem(at: forged.url(name))
        }
        for (name, content) in files { try content.write(to: forged.url(name)) }
        #expect(try repository.verify().isSound, "after \(what)")
    }

    @Test("Each number of the head is bounded before it is used", .proves("HST-15"))
    func head() throws {
        for name in ["sequence", "nextPack"] {
            for number in Self.numbers {
                try forged.forgeHead { $0[name] = number }
                try useEverything("\(name) \(number)")
            }
        }
        let ranges: [[[Int]]] = [
            [[0, 0xffff_ffff]], [[1, 0xffff_ffff]], [[1, 1], [1, 1]], [[2, 1]], [[1]], [[0, 0]],
        ]
        for pruned in ranges {
            try forged.forgeHead { $0["pruned"] = pruned }
            #expect(throws: BackupError.self) { try fixture.repository.backups() }
            try useEverything("pruned \(pruned)")
        }
    }

    @Test("Each number of a manifest is bounded before it is used", .proves("HST-15"))
    func manifest() throws {
        let names = [
            "sequence", "pageCount", "firstPack", "packCount", "storedPageCount",
            "storedByteCount", "base", "rekeyed", "schemaVersion",
        ]
        for name in names {
            for number in Self.numbers {
                try forged.forgeLastManifest { $0[name] = number }
                try useEverything("\(name) \(number)")
            }
        }
        for (object, name) in [
            ("root", "pack"), ("root", "slot"), ("cipher", "pageSize"), ("cipher", "hmacSaltMask"),
            ("cipher", "kdfIterations"), ("cipher", "fastKDFIterations"),
            ("cipher", "plaintextHeaderByteCount"),
        ] {
            for number in Self.numbers {
                try forged.forgeLastManifest { members in
                    var inner = members[object] as? [String: Any]
                    inner?[name] = number
                    members[object] = inner
                }
                try useEverything("\(object) \(name) \(number)")
            }
        }
    }

    @Test("Each number of a pack is bounded before it is used", .proves("HST-15"))
    func pack() throws {
        // Of the first row of the table, and of the end.
        for (place, width) in [(32, 8), (40, 4), (44, 4), (-28, 4), (-24, 8), (-32, 4)] {
            for number in Self.numbers {
                try forged.forgeLastPack { bytes, tableStart in
                    let start = place < 0 ? bytes.count + place : tableStart + place
                    for index in 0..<width {
                        bytes[start + index] = UInt8(truncatingIfNeeded: number >> (index * 8))
                    }
                }
                try useEverything("place \(place) of a pack: \(number)")
            }
        }
    }

    @Test("Text for terminals is no identifier of a key, and no date", .proves("HST-16"))
    func text() throws {
        for (name, text) in [
            ("key", "\u{1b}[31m" + String(repeating: "0", count: 27)), ("key", ""),
            ("created", "\u{1b}[31m"), ("created", "2026-11-21"), ("repository", "\u{9b}"),
        ] {
            try forged.forgeLastManifest { $0[name] = text }
            #expect { try fixture.repository.backups() } throws: {
                ($0 as? BackupError)?.code == .damaged && !"\($0)".contains("\u{1b}")
            }
            try useEverything("\(name)")
        }
    }

    @Test("A part of a tree serves in one place only", .proves("HST-14"))
    func sharedLeaf() throws {
        try fixture.shell("app.db").run(
            "INSERT INTO t (a) SELECT hex(zeroblob(1500)) FROM t, t AS u LIMIT 400")
        let backup = try fixture.repository.backUp(fixture.file)
        #expect(backup.pageCount > 128)
        let repository = try OpenRepository(fixture.repository)
        var head = try repository.readHead()
        let store = try PackStore(repository.folders.packs)
        let tree = try repository.tree(of: backup, store)
        let leaf = try #require(try tree.reference(level: 0, index: 0))
        let packs = try PackWriter(repository.folders, firstNumber: head.nextPack)
        let node = TreeNode.encode([leaf, leaf])
        let root = try node.withUnsafeBytes {
            try packs.append($0, [ContentDigest(of: $0)], page: 0)[0]
        }
        try packs.finish()
        var manifest = backup.manifest
        manifest.pageCount = 128
        manifest.root = .init(sha256: root.digest.hexadecimal, pack: root.pack, slot: root.slot)
        manifest.firstPack = head.nextPack
        manifest.packCount = 1
        let forger = try ForgedRepository.takeOver(&head)
        _ = try repository.commit(
            [manifest], forger, packs, &head)
        let report = try fixture.repository.verify()
        #expect(report.damagedBackups == [4])
        #expect(throws: BackupError.self) {
            try fixture.repository.restore(to: fixture.path("out.db"))
        }
    }
}

extension HostileNumberTests {
    @Test("A derivation that takes long can be given up at once", .proves("HST-15"))
    func longDerivation() async {
        // In a process of its own: what is given up goes on beside until the process ends.
        await #expect(processExitsWith: .success) { try HostileNumberTests().giveUpDerivations() }
    }

    private func giveUpDerivations() throws {
        struct Enough: Error {}
        let passphrase = Array("a passphrase".utf8)
        let key = try passphrase.withUnsafeBytes { try CipherKey(parsing: $0) }
        try forged.forgeLastManifest { members in
            var cipher = members["cipher"] as? [String: Any]
            cipher?["kdfIterations"] = 20_000_000
            members["cipher"] = cipher
        }
        let operations: [(@escaping OperationProgress.Handler) throws -> Void] = [
            { _ = try repository.verify(key: .database(key), progress: $0) },
            { try repository.restore(to: fixture.path("out.db"), key: key, progress: $0) },
            {
                try repository.prune(keeping: RetentionPolicy(last: 1), key: key, progress: $0)
            },
            { try repository.rekey(from: key, to: BackupFixture.databaseKey, progress: $0) },
        ]
        for operation in operations {
            let start = ContinuousClock.now
            #expect(throws: Enough.self) {
                try operation { _ in
                    if ContinuousClock.now - start > .milliseconds(300) { throw Enough() }
                }
            }
            let elapsed = ContinuousClock.now - start
            #expect(elapsed < .seconds(6), "\(elapsed)")
        }
    }
}
