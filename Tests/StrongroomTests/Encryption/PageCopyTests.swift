import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Copying the pages of an encrypted database")
struct PageCopyTests {
    private static let kinds: [CipherSettings] = {
        let others = [
            try? CipherSettings(pageSize: 1024, authentication: .hmac(.sha256)),
            try? CipherSettings(authentication: .absent),
        ]
        return [.version(.v4), .version(.v3)] + others.compactMap(\.self)
    }()

    private func source(_ sample: EncryptedSample) throws -> DatabaseFile {
        var file = DatabaseFile(path: sample.path, key: try EncryptedSample.key(sample.keyText))
        for pragma in sample.settings.pragmas(salt: sample.salt) {
            file.configuration.prepareDatabase { try $0.execute(sql: pragma) }
        }
        return file
    }

    private func destination(_ sample: EncryptedSample) throws -> DatabaseFile {
        DatabaseFile(
            path: sample.directory.path(of: "copy.db"),
            key: try EncryptedSample.key(EncryptedSample.otherRawKey))
    }

    @Test(
        "keeps the settings and every row", .proves("HST-20"),
        arguments: kinds)
    func settings(_ settings: CipherSettings) throws {
        let sample = try EncryptedSample(settings)
        let copy = try destination(sample)
        let report = try source(sample).transfer(to: copy)
        #expect(report.tables == [TableRowCount(name: "t", rowCount: 270)])
        #expect(report.pageSize == settings.pageSize)
        let witness = SQLCipherShell(
            path: copy.path, key: .content(EncryptedSample.otherRawKey),
            settings: settings.pragmas(salt: nil))
        let question = EncryptedSample.question
        #expect(try witness.rows(question) == sample.shell.rows(question))
        if settings.authentication != .absent {
            #expect(try witness.rows("PRAGMA cipher_integrity_check").isEmpty)
        }
        #expect(try witness.cell("PRAGMA integrity_check") == "ok")
        // The pages are those of the source, the free ones too.
        #expect(
            try witness.cell("PRAGMA freelist_count")
                == sample.shell.cell("PRAGMA freelist_count"))
    }

    @Test("gives a copy the settings that are asked for")
    func ownSettings() throws {
        let sample = try EncryptedSample(.version(.v4))
        var copy = try destination(sample)
        copy.configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cipher_page_size = 8192") }
        #expect(try source(sample).transfer(to: copy).pageSize == 8192)
    }

    @Test("names a page of the source that is not authentic, or zeros, and leaves nothing")
    func damage() throws {
        for (bytes, words) in [([UInt8(1)], "page 7"), (Array(repeating: 0, count: 4096), "zeros")]
        {
            let sample = try EncryptedSample(.version(.v4))
            try sample.change { $0.replaceSubrange(6 * 4096..<6 * 4096 + bytes.count, with: bytes) }
            let error = #expect(throws: DatabaseFileError.self) {
                try source(sample).transfer(to: destination(sample))
            }
            #expect(error?.code == .damaged && error?.path == sample.path)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(try sample.directory.names() == ["sample.db"])
        }
    }

    @Test("ends in whatever phase, and leaves nothing", .proves("OPR-06"))
    func cancellation() throws {
        struct Stop: Error {}
        let phases: [OperationProgress.Phase] = [.preparing, .copying, .verifying, .finishing]
        for phase in phases {
            let sample = try EncryptedSample(.version(.v4))
            #expect(throws: Stop.self) {
                try source(sample).transfer(to: destination(sample)) {
                    if $0.phase == phase { throw Stop() }
                }
            }
            #expect(try sample.directory.names() == ["sample.db"])
        }
    }

    @Test("holds the state of its beginning, whatever is committed meanwhile")
    func commits() throws {
        let sample = try EncryptedSample(.version(.v4))
        let file = try source(sample)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(EncryptedSample.key(EncryptedSample.rawKey)) }
        let pool = try DatabasePool(path: sample.path, configuration: configuration)
        try pool.write { try $0.execute(sql: "INSERT INTO t (a) VALUES ('in the log')") }
        let report = try file.transfer(to: destination(sample)) { progress in
            guard progress.phase == .copying else { return }
            try pool.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM t; VACUUM") }
        }
        #expect(report.tables == [TableRowCount(name: "t", rowCount: 271)])
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
        #expect(try destination(sample).check().isSound)
    }
}
