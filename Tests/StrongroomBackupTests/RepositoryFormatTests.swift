import Foundation
import Strongroom
import StrongroomBackup
import StrongroomTestSupport
import Testing

@Suite("Repositories of earlier versions")
struct RepositoryFormatTests {
    @Test(
        "Every repository verifies without a key, with one, and with its verification key",
        arguments: FormatGeneration.all)
    func verification(_ generation: FormatGeneration) throws {
        let folder = try generation.copy()
        for expected in try generation.expectation().repositories {
            let repository = try BackupRepository(path: folder.path(of: expected.folder))
            let last = try #require(expected.backups.last)
            let key = try CipherKey(contentsOfFile: folder.path(of: last.key))
            let text = String(
                decoding: try generation.content(of: expected.verificationKey), as: UTF8.self)
            let verificationKey = try repository.verificationKey(of: key)
            #expect(text.contains(verificationKey.map { String(format: "%02x", $0) }.joined()))
            for material: BackupVerificationKey? in [
                nil, .database(key), .verification(verificationKey),
            ] {
                let report = try repository.verify(key: material)
                #expect(report.isSound && report.hash == expected.hash, "\(expected)")
                #expect(report.backupCount == expected.backups.count)
                #expect((report.authenticatedManifestCount > 0) == (material != nil))
            }
            #expect(try repository.hasBackup(hash: expected.hash))
        }
    }

    @Test("Every backup restores, and has its rows", arguments: FormatGeneration.all)
    func restoring(_ generation: FormatGeneration) throws {
        let folder = try generation.copy()
        for expected in try generation.expectation().repositories {
            let repository = try BackupRepository(path: folder.path(of: expected.folder))
            #expect(try repository.backups().map(\.number) == expected.backups.map(\.number))
            for backup in expected.backups {
                let key = try CipherKey(contentsOfFile: folder.path(of: backup.key))
                let path = folder.path(of: "\(expected)-\(backup.number).db")
                try repository.restore("\(backup.number)", to: path, key: key)
                let rows = try Self.file(path, key, expected.pragmas).open().read { db in
                    try String.fetchAll(db, sql: FormatGeneration.rowsSQL)
                }
                #expect(try rows == generation.rows(backup.content), "\(expected) \(backup.number)")
            }
        }
    }

    @Test(
        "An increment can follow the backups of an earlier version",
        arguments: FormatGeneration.all)
    func continuing(_ generation: FormatGeneration) throws {
        let folder = try generation.copy()
        for expected in try generation.expectation().repositories {
            let repository = try BackupRepository(path: folder.path(of: expected.folder))
            let last = try #require(expected.backups.last)
            let key = try CipherKey(contentsOfFile: folder.path(of: last.key))
            let path = folder.path(of: "\(expected).db")
            try repository.restore(to: path, key: key)
            let file = Self.file(path, key, expected.pragmas)
            try file.open().write { db in try db.execute(sql: "DELETE FROM album WHERE id = 40") }
            let backup = try repository.backUp(file)
            #expect(backup.base == last.number && backup.storedPageCount < backup.pageCount)
            #expect(try repository.verify(key: .database(key)).isSound, "\(expected)")
        }
    }

    private static func file(_ path: String, _ key: CipherKey, _ pragmas: [String]) -> DatabaseFile
    {
        var file = DatabaseFile(path: path, key: key)
        for pragma in pragmas {
            file.configuration.prepareDatabase { try $0.execute(sql: "PRAGMA \(pragma)") }
        }
        return file
    }
}
