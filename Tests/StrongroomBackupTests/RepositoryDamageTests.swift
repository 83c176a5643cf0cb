import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("A repository that was damaged")
struct RepositoryDamageTests {
    private static let seed = UInt64(ProcessInfo.processInfo.processIdentifier)

    /// Three backups, and what each restores to.
    private struct Sample {
        let fixture: BackupFixture
        var originals: [Data] = []
        var files: [String: Data] = [:]

        init() throws {
            fixture = try BackupFixture(rowCount: 800)
            for round in 1...3 {
                try fixture.shell("app.db").run("UPDATE t SET n = \(round) WHERE id % 100 = 7")
                let backup = try fixture.repository.backUp(fixture.file)
                try fixture.repository.restore(backup.id, to: fixture.path("\(round).db"))
                originals.append(try fixture.content("\(round).db"))
            }
            files = try fixture.repositoryFiles().filter { !$0.key.hasPrefix("lock") }
        }

        func url(_ name: String) -> URL {
            URL(fileURLWithPath: fixture.repository.path + "/" + name)
        }

        /// Damages, looks whether it is found, and mends.
        func expectFound(_ what: String, _ change: () throws -> Void) throws {
            try change()
            let isSound =
                (try? BackupRepository(path: fixture.repository.path).verify().isSound) ?? false
            #expect(!isSound, "not found: \(what)")
            for (index, original) in originals.enumerated() {
                let out = fixture.path("out.db")
                try? FileManager.default.removeItem(atPath: out)
                do {
                    try fixture.repository.restore("\(index + 1)", to: out)
                    #expect(try fixture.content("out.db") == original, "wrong restore: \(what)")
                } catch is BackupError {
                    #expect(!FileManager.default.fileExists(atPath: out))
                }
            }
            for name in try fixture.repositoryFiles().keys where !name.hasPrefix("lock") {
                try FileManager.default.removeItem(at: url(name))
            }
            for (name, content) in files { try content.write(to: url(name)) }
        }
    }

    @Test("Every flipped bit is found without a key, and none is restored", .proves("BKP-010"))
    func flippedBits() throws {
        let sample = try Sample()
        var random = SeededGenerator(seed: Self.seed)
        for (name, content) in sample.files.sorted(by: { $0.key < $1.key }) {
            // The ends of files are where their tables are.
            let places =
                (0..<6).map { _ in Int.random(in: 0..<content.count, using: &random) }
                + (0..<4).map { _ in
                    Int.random(in: max(0, content.count - 600)..<content.count, using: &random)
                } + [0, content.count - 1]
            for place in places {
                let bit = Int.random(in: 0..<8, using: &random)
                try sample.expectFound("bit \(bit) of byte \(place) in \(name)") {
                    var damaged = content
                    damaged[damaged.startIndex + place] ^= 1 << UInt8(bit)
                    try damaged.write(to: sample.url(name))
                }
            }
        }
        #expect(try sample.fixture.repository.verify().isSound)
    }

    @Test(
        "Files that were cut, removed, renamed, exchanged or put back are found", .proves("BKP-010")
    )
    func files() throws {
        let sample = try Sample()
        let names = sample.files.keys.sorted()
        for name in names {
            let content = try #require(sample.files[name])
            for count in [0, content.count / 2, content.count - 1] {
                try sample.expectFound("\(name) cut to \(count)") {
                    try content.prefix(count).write(to: sample.url(name))
                }
            }
            try sample.expectFound("\(name) made longer") {
                try (content + [0]).write(to: sample.url(name))
            }
            try sample.expectFound("\(name) removed") {
                try FileManager.default.removeItem(at: sample.url(name))
            }
            try sample.expectFound("\(name) renamed") {
                try FileManager.default.moveItem(
                    at: sample.url(name), to: sample.url(name + ".old"))
            }
            for other in names.filter({ $0 < name }).suffix(2) {
                try sample.expectFound("\(name) exchanged with \(other)") {
                    try #require(sample.files[other]).write(to: sample.url(name))
                    try content.write(to: sample.url(other))
                }
            }
        }
    }

    @Test("A page put in the place of an older version of it is found", .proves("BKP-010"))
    func replayedPage() throws {
        let sample = try Sample()
        let repository = try OpenRepository(sample.fixture.repository)
        let store = try PackStore(repository.folders.packs)
        let backups = try repository.keptBackups()
        let trees = try backups.map { try repository.tree(of: $0, store) }
        let all = try trees.map { try $0.references(from: 1, count: Int($0.pageCount)) }
        let changed = try #require(all[0].indices.first { all[0][$0] != all[2][$0] })
        let old = try store.entry(all[0][changed], page: UInt32(changed + 1))
        let reader = try store.reader(all[2][changed].pack)
        let row = try reader.row(all[2][changed].slot)
        let name = "packs/" + (reader.path as NSString).lastPathComponent
        try sample.expectFound("page \(changed + 1) replayed") {
            var content = try #require(sample.files[name])
            content.replaceSubrange(Int(row.offset)..<Int(row.offset) + old.count, with: old)
            try content.write(to: sample.url(name))
        }
    }

    @Test("With a key, also who could write all hashes anew is found", .proves("BKP-011"))
    func forgery() throws {
        let sample = try Sample()
        let fixture = sample.fixture
        let repository = fixture.repository
        let opened = try OpenRepository(repository)
        var head = try opened.readHead()
        let last = try #require(try repository.backups().last)
        // A manifest that says that the first state is the newest, under a key of the forger's.
        var forged = try #require(try repository.backups().first).manifest
        forged.tag = "forged"
        let forger = try ForgedRepository.takeOver(&head)
        let backups = try opened.commit(
            [forged], forger, PackWriter(opened.folders, firstNumber: head.nextPack), &head)
        #expect(try repository.verify().isSound, "hashes alone cannot tell")
        let key = try #require(fixture.file.key)
        let report = try repository.verify(key: .database(key))
        #expect(!report.isSound && report.damagedBackups == [backups[0].number])
        #expect {
            try repository.restore(backups[0].id, to: fixture.path("forged.db"), key: key)
        } throws: {
            ($0 as? BackupError)?.code == .damaged
        }
        // Who noted the hash of before still finds it in the chain.
        #expect(try repository.hasBackup(hash: last.hash))
        #expect(try !repository.hasBackup(hash: String(repeating: "0", count: 64)))
    }

    @Test("A verification key authenticates all pages, and decrypts none", .proves("BKP-011"))
    func verificationKey() throws {
        let sample = try Sample()
        let repository = sample.fixture.repository
        let databaseKey = try #require(sample.fixture.file.key)
        let key = try repository.verificationKey(of: databaseKey)
        #expect(
            try sample.fixture.verificationKey() == key.map { String(format: "%02x", $0) }.joined())
        let report = try repository.verify(key: .verification(key))
        #expect(report.isSound && report.authenticatedPageCount == report.pageCount)
        #expect(report.authenticatedManifestCount == 3)
        // As a database key it opens nothing.
        let file = DatabaseFile(path: sample.fixture.file.path, key: try CipherKey(rawKey: key))
        #expect { _ = try file.open() } throws: {
            ($0 as? DatabaseFileError)?.code == .wrongKey
        }
        let wrong = Data(repeating: 1, count: 32)
        #expect { try repository.verify(key: .verification(wrong)) } throws: {
            ($0 as? BackupError)?.code == .wrongKey
        }
        // A page written by somebody else, with all hashes right.
        let sampled = try repository.verify(sample: 0.2)
        #expect(sampled.isSound && sampled.pageCount < report.pageCount)
    }

    @Test("A damaged page of the database is not backed up", .proves("BKP-012"))
    func damagedSource() throws {
        let fixture = try BackupFixture(wal: false)
        try fixture.repository.backUp(fixture.file)
        let files = try fixture.repositoryFiles()
        try damage(fixture)
        #expect { try fixture.repository.backUp(fixture.file) } throws: { error in
            let error = error as? BackupError
            return error?.code == .damaged && error?.message.contains("page 6 ") == true
        }
        #expect(try fixture.repositoryFiles() == files)
    }

    @Test(
        "Without authentication, damage is stored as it is, and found with the key later",
        .proves("BKP-020"))
    func unauthenticated() throws {
        let fixture = try BackupFixture(wal: false)
        let sound = try fixture.content("app.db")
        let first = try fixture.repository.backUp(fixture.file, authenticating: false)
        #expect(first.storedPageCount == first.pageCount)
        try damage(fixture)
        var configuration = fixture.file.configuration
        configuration.prepareDatabase {
            try $0.useKey(BackupFixture.key(BackupFixture.keyText))
        }
        let queue = try DatabaseQueue(path: fixture.file.path, configuration: configuration)
        let second = try fixture.repository.backUp(queue, authenticating: false)
        #expect(second.storedPageCount == 1)
        try queue.close()
        // What has not changed since is not looked at again.
        #expect(try fixture.repository.backUp(fixture.file).storedPageCount == 0)

        #expect(try fixture.repository.verify().isSound)
        let key = try #require(fixture.file.key)
        let report = try fixture.repository.verify(key: .database(key))
        #expect(report.damagedBackups == [2, 3])
        #expect(report.problems.contains { $0.message.contains("page 6 ") })
        #expect {
            try fixture.repository.restore("2", to: fixture.path("two.db"), key: key)
        } throws: { error in
            let error = error as? BackupError
            return error?.code == .damaged && error?.message.contains("page 6 ") == true
        }
        let otherKey = try BackupFixture.key(BackupFixture.otherKeyText)
        #expect(throws: BackupError.self) {
            try fixture.repository.rekey(from: key, to: otherKey)
        }
        try fixture.repository.restore("1", to: fixture.path("one.db"), key: key)
        #expect(try fixture.content("one.db") == sound)
        try fixture.repository.restore("2", to: fixture.path("two.db"))
        #expect(try fixture.content("two.db") == fixture.content("app.db"))
    }

    @Test("A pack of pages of another size is a finding, with a key too", .proves("BKP-010"))
    func pagesOfAnotherSize() throws {
        let fixture = try BackupFixture(rowCount: 100)
        let backup = try fixture.repository.backUp(fixture.file)
        // Whoever can write to the repository can make such a pack: all of its hashes are right.
        let bytes = Array("too short".utf8)
        let digest = try bytes.withUnsafeBytes { try ContentDigest(of: $0) }
        let start = PackFormat.magic.count
        let row = PackRow(
            digest: digest, offset: UInt64(start), length: UInt32(bytes.count), page: 2)
        let number = backup.manifest.firstPack
        let table = PackTable.encode([row], number: number, offset: UInt64(start + bytes.count))
        let name = try PackFormat.name(
            number, table.withUnsafeBytes { try ContentDigest(of: $0) })
        try Data(PackFormat.magic + bytes + table).write(
            to: URL(fileURLWithPath: fixture.repository.path + "/packs/" + name))

        let key = try #require(fixture.file.key)
        let report = try fixture.repository.verify(key: .database(key))
        #expect(report.problems.contains { $0.message.contains("page 2 was not written with") })
        try fixture.repository.restore(to: fixture.path("out.db"), key: key)
        #expect(try fixture.content("out.db") == fixture.content("app.db"))
    }

    /// Changes three bytes of page 6 of the database.
    private func damage(_ fixture: BackupFixture) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.file.path))
        try handle.seek(toOffset: 5 * 4096 + 100)
        try handle.write(contentsOf: Data([1, 2, 3]))
        try handle.close()
    }
}
