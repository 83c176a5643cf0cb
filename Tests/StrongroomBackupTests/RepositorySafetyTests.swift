import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite struct RepositorySafetyTests {
    /// A file system whose calls fail from the n-th on, or only the n-th.
    private static func failing(at number: Int, number error: Int32) -> (FileSystem, () -> Int) {
        let counter = Counter()
        var fileSystem = FileSystem.system
        @Sendable func check(_ call: String, _ path: String) throws(SystemError) {
            if counter.next() >= number { throw SystemError(call, path, number: error) }
        }
        let system = FileSystem.system
        fileSystem.inFolder.create = { folder, name throws(SystemError) in
            try check("openat", name)
            return try system.inFolder.create(folder, name)
        }
        fileSystem.writeAt = { descriptor, bytes, offset throws(SystemError) in
            try check("pwrite", "")
            return try system.writeAt(descriptor, bytes, offset)
        }
        fileSystem.write = { descriptor, bytes throws(SystemError) in
            try check("write", "")
            return try system.write(descriptor, bytes)
        }
        fileSystem.synchronize = { descriptor throws(SystemError) in
            try check("fsync", "")
            try system.synchronize(descriptor)
        }
        fileSystem.inFolder.rename = { folder, name, newFolder, newName throws(SystemError) in
            try check("renameat", newName)
            try system.inFolder.rename(folder, name, newFolder, newName)
        }
        fileSystem.inFolder.remove = { folder, name throws(SystemError) in
            // What is left behind must do no harm either.
            try check("unlinkat", name)
            try system.inFolder.remove(folder, name)
        }
        return (fileSystem, { counter.count })
    }

    private final class Counter: Sendable {
        private let value = Locked(0)
        var count: Int { value.withLock { $0 } }

        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test(
        "A full disk, or death at any call, leaves the backups made before, and a way on",
        .proves("BKP-016"), arguments: [ENOSPC, EIO])
    func everyCallFails(error: Int32) throws {
        let fixture = try BackupFixture(rowCount: 300)
        try fixture.repository.backUp(fixture.file)
        try fixture.repository.restore("1", to: fixture.path("1.db"))
        let first = try fixture.content("1.db")
        var failures = 0
        for number in 1...200 {
            try fixture.shell("app.db").run("UPDATE t SET n = \(number) WHERE id % 50 = 0")
            let (fileSystem, count) = Self.failing(at: number, number: error)
            let broken = try BackupRepository(
                path: fixture.repository.path, fileSystem: fileSystem)
            let before = try fixture.repository.backups().map(\.id)
            do {
                try broken.backUp(fixture.file)
                try broken.prune(
                    keeping: RetentionPolicy(last: 2, monthly: 1), key: BackupFixture.databaseKey)
                if count() < number { break }
            } catch let failure as BackupError {
                failures += 1
                #expect(failure.code == (error == ENOSPC ? .diskFull : .failed))
            }
            let after = try fixture.repository.backups().map(\.id)
            #expect(Set(after).isSuperset(of: before.suffix(1)))
            let report = try fixture.repository.verify()
            #expect(report.isSound, "call \(number): \(report.problems)")
            let last = try #require(after.last)
            try fixture.repository.restore(last, to: fixture.path("out.db"), overwrite: true)
        }
        #expect(failures > 10)
        try fixture.repository.backUp(fixture.file)
        #expect(try fixture.repository.verify().isSound)
        #expect(!first.isEmpty)
    }

    @Test(
        "A restore never takes the place of a database unasked, or of one in use",
        .proves("BKP-017"))
    func restoreSafely() throws {
        let fixture = try BackupFixture()
        try fixture.repository.backUp(fixture.file)
        let original = try fixture.content("app.db")
        func restore(_ name: String, overwrite: Bool = false) throws {
            try fixture.repository.restore(
                to: fixture.path(name), key: fixture.file.key, overwrite: overwrite)
        }
        func code(_ error: any Error) -> DatabaseFileError.Code? {
            (error as? DatabaseFileError)?.code
        }
        #expect { try restore("app.db") } throws: { code($0) == .exists }
        #expect(try fixture.content("app.db") == original)
        // A log of another database would be taken for the new one's.
        try fixture.folder.write("stale", to: "new.db-wal")
        #expect { try restore("new.db") } throws: { code($0) == .exists }
        #expect { try restore("new.db", overwrite: true) } throws: { code($0) == .exists }
        #expect(try fixture.content("new.db-wal") == Data("stale".utf8))
        try FileManager.default.removeItem(atPath: fixture.path("new.db-wal"))
        try restore("new.db")
        #expect(try fixture.shell("new.db").cell("SELECT count(*) FROM t") == .integer(2000))
        // In use, by this process or another.
        let pool = try fixture.open()
        #expect { try restore("app.db", overwrite: true) } throws: { code($0) == .inUse }
        try pool.close()
        try restore("app.db", overwrite: true)
        #expect { try restore("missing/new.db") } throws: { code($0) == .notFound }
        #expect(try fixture.folder.names().filter { $0.hasPrefix(".") } == [])
    }

    @Test("Backups of one key need it, and say which", .proves("BKP-009"))
    func keyIdentifiers() throws {
        let fixture = try BackupFixture()
        try fixture.repository.backUp(fixture.file)
        let newKey = try BackupFixture.key(BackupFixture.otherKeyText)
        try fixture.file.rotateKey(to: newKey)
        var rotated = fixture.file
        rotated.key = newKey
        let second = try fixture.repository.backUp(
            rotated, authority: .introduced(by: BackupFixture.databaseKey))
        #expect(second.base == nil)
        let backups = try fixture.repository.backups()
        #expect(backups[0].keyIdentifier != backups[1].keyIdentifier)
        try fixture.repository.restore("1", to: fixture.path("1.db"), key: fixture.file.key)
        try fixture.repository.restore("2", to: fixture.path("2.db"), key: newKey)
        // Neither the key nor anything of a page is in what `list` reads.
        for (name, content) in try fixture.repositoryFiles() where !name.hasPrefix("packs/") {
            let text = String(decoding: content, as: UTF8.self)
            #expect(!text.contains("5a5a5a") && !text.contains("c3c3c3"))
        }
        #expect(backups[0].cipherPragmas == [] && backups[0].schemaVersion > 0)
    }

    @Test("A folder that is no repository, or of a later version, is refused")
    func notARepository() throws {
        let folder = try TemporaryDirectory()
        #expect { _ = try BackupRepository(path: folder.path) } throws: {
            ($0 as? BackupError)?.code == .notARepository
        }
        try folder.write("x", to: "x")
        #expect { _ = try BackupRepository.create(at: folder.path) } throws: {
            ($0 as? BackupError)?.code == .exists
        }
        let repository = try BackupRepository.create(at: folder.path(of: "new"))
        #expect(try repository.backups().isEmpty)
        #expect { try repository.restore(to: folder.path(of: "out.db")) } throws: {
            ($0 as? BackupError)?.code == .unknownBackup
        }
        let line = #"{"format":"strongroom-backup-9"}"#
        let digest = try ForgedRepository.digest(Data(line.utf8))
        try folder.write("\(line)\nsha256 \(digest)\n", to: "new/head")
        #expect { _ = try BackupRepository(path: repository.path) } throws: {
            ($0 as? BackupError)?.code == .unsupportedFormat
        }
    }
}
