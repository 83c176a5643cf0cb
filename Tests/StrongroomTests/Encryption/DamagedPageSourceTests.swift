import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A page file that is not as it should be")
struct DamagedPageSourceTests {
    private static let settings = CipherSettings.version(.v4)

    /// Leaves pages that are zeros in the file.
    static let blankPageSQL = """
        PRAGMA secure_delete = OFF;
        CREATE TABLE t (a);
        CREATE TABLE u (a);
        BEGIN;
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 50)
          INSERT INTO t SELECT randomblob(3000) FROM c;
        INSERT INTO u VALUES (randomblob(3000));
        DELETE FROM t;
        INSERT INTO u VALUES (randomblob(3000));
        COMMIT;
        """

    @Test("names the very pages that were changed, as SQLCipher does", arguments: [1, 2, 3])
    func damage(threads: Int) throws {
        let sample = try EncryptedSample(Self.settings)
        // In ciphertext, IV and HMAC; 256 and 257 are neighbours across the border of two chunks.
        try sample.shell.run("INSERT INTO t (b) VALUES (randomblob(2000000));")
        let offsets = [16, 2 * 4096, 9 * 4096 + 4016, 10 * 4096 + 4095, 255 * 4096, 256 * 4096]
        try sample.change { content in
            for offset in offsets { content[offset] ^= 0x40 }
        }
        let survey = try sample.open().survey(with: sample.pageKey(), threads: threads)
        #expect(survey.damaged == [1...1, 3...3, 10...11, 256...257])
        #expect(survey.count(.damaged) == 6)
        let messages = try sample.shell.rows("PRAGMA cipher_integrity_check")
        let pages = messages.compactMap { row -> Int? in
            guard case .text(let text) = row[0] else { return nil }
            return CipherIntegrity.page(in: text)
        }
        #expect(pages == survey.damaged.flatMap { $0.map(Int.init) })
    }

    @Test("finds every page damaged under a wrong key or a wrong salt")
    func wrongKey() throws {
        let sample = try EncryptedSample(Self.settings)
        let file = try sample.open()
        let all = 1...file.pageCount
        let other = try sample.pageKey(EncryptedSample.otherRawKey)
        #expect(try file.survey(with: other).damaged == [all])
        try sample.change { $0[3] ^= 1 }
        #expect(try file.survey(with: sample.pageKey()).damaged == [all])
    }

    @Test("is not encrypted again with a wrong key, whether pages have an HMAC or not")
    func wrongKeyAtRewriting() throws {
        for settings in [Self.settings, .version(.v1)] {
            let sample = try EncryptedSample(settings)
            let other = try sample.pageKey(EncryptedSample.otherRawKey)
            let error = #expect(throws: DatabaseError.self) {
                try sample.open().reencrypt(from: other, to: other) { _, _ in
                    Issue.record("something was written")
                }
            }
            #expect(error?.message == "page 1 was not written with this key")
        }
    }

    @Test("is not encrypted again when a page is damaged, and says which", arguments: [1, 2])
    func damageAtRewriting(threads: Int) throws {
        let sample = try EncryptedSample(Self.settings)
        try sample.change { $0[16 * 4096 + 5] ^= 1 }
        let key = try sample.pageKey()
        let error = #expect(throws: DatabaseError.self) {
            try sample.open().reencrypt(from: key, to: key, threads: threads) { _, _ in }
        }
        #expect(error?.resultCode == .SQLITE_CORRUPT)
        #expect(error?.message == "page 17 was not written with this key")
    }

    @Test("may end within a page, which is told and not written again")
    func truncated() throws {
        let sample = try EncryptedSample(Self.settings)
        try sample.change { $0 = $0.prefix(20 * 4096 + 100) }
        let file = try sample.open()
        let key = try sample.pageKey()
        #expect(file.pageCount == 20 && file.trailingByteCount == 100)
        #expect(try file.survey(with: key).count(.authentic) == 20)
        #expect(throws: DatabaseError.self) {
            try file.reencrypt(from: key, to: key) { _, _ in }
        }
    }

    @Test("may end between two pages, which only the header tells")
    func truncatedBetweenPages() throws {
        let sample = try EncryptedSample(Self.settings)
        let pageCount = try sample.open().pageCount
        try sample.change { $0 = $0.dropLast(4096) }
        let file = try sample.open()
        #expect(try file.survey(with: sample.pageKey()).isSound)
        #expect(file.pageCount == pageCount - 1)
        let header = try #require(try header(file, sample.pageKey()))
        #expect(header.pageCount == pageCount)
        #expect(header.pageSize == 4096 && header.reserveByteCount == 80 && !header.isWAL)
        #expect(try self.header(file, sample.pageKey(EncryptedSample.otherRawKey)) == nil)
    }

    private func header(_ file: PageSource, _ key: PageKey) throws -> DatabaseHeader? {
        var page = [UInt8](repeating: 0, count: key.settings.pageSize)
        var codec = try PageCodec(key)
        try page.withUnsafeMutableBytes { page in
            try file.readPage(1, to: page)
            try codec.decrypt(page, number: 1)
        }
        return page.withUnsafeBytes { DatabaseHeader($0) }
    }

    @Test("may be empty or shorter than its salt", arguments: [0, 10, 100])
    func short(byteCount: Int) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Data(repeating: 7, count: byteCount), to: "short.db")
        let file = try PageSource(path: path, pageSize: 4096)
        #expect(file.pageCount == 0 && file.trailingByteCount == byteCount)
        #expect(try (file.salt() == nil) == (byteCount < 16))
        let key = try PageKey(
            EncryptedSample.key(EncryptedSample.rawKey), fileSalt: CipherSalt.random(),
            settings: Self.settings)
        #expect(try file.survey(with: key, threads: 2) == PageSurvey())
    }

    /// With `secure_delete = OFF`, pages that a transaction takes and gives back are never written.
    /// SQLCipher calls them damaged, and its `rekey` fails because of them.
    @Test("may have pages that nobody wrote, and is written again with them")
    func blankPages() throws {
        let sample = try EncryptedSample(
            Self.settings,
            sql: Self.blankPageSQL)
        let witness = try sample.shell.rows("PRAGMA cipher_integrity_check").count
        let file = try sample.open()
        let survey = try file.survey(with: sample.pageKey())
        #expect(survey.isSound && survey.count(.blank) == witness && witness > 0)

        let path = sample.directory.path(of: "new.db")
        let written = try NewFile(path)
        let newKey = try sample.pageKey(EncryptedSample.otherRawKey)
        try file.reencrypt(from: sample.pageKey(), to: newKey, write: written.write)
        let shell = SQLCipherShell(path: path, key: .content(EncryptedSample.otherRawKey))
        #expect(try shell.cell("PRAGMA integrity_check") == "ok")
        #expect(try shell.cell("SELECT count(*) FROM u") == 2)
        let newFile = try PageSource(path: path, pageSize: 4096)
        #expect(try newFile.survey(with: newKey) == survey)
    }

    @Test("passes on what reading, writing and progress throw, from any thread", arguments: [1, 2])
    func failures(threads: Int) throws {
        let sample = try EncryptedSample(Self.settings)
        let file = try sample.open()
        let key = try sample.pageKey()
        #expect(throws: CancellationError.self) {
            try file.survey(with: key, threads: threads) { _ in throw CancellationError() }
        }
        #expect(throws: SystemError.self) {
            try file.reencrypt(from: key, to: key, threads: threads) { _, _ in
                throw SystemError("pwrite", "", number: ENOSPC)
            }
        }
        let shrinking = PageSource(byteCount: 1 << 20, pageSize: 4096) { _, _ in 4096 }
        let error = #expect(throws: DatabaseError.self) {
            try shrinking.survey(with: key, threads: threads)
        }
        #expect(error?.extendedResultCode == .SQLITE_IOERR_SHORT_READ)
    }

    @Test("is told from one of another page size by the key that is given")
    func otherPageSize() throws {
        let sample = try EncryptedSample(Self.settings)
        let key = try PageKey(sample.pageKey(), settings: .version(.v3))
        #expect(throws: DatabaseError.self) { try sample.open().survey(with: key) }
        #expect(throws: DatabaseError.self) {
            try sample.open().reencrypt(from: sample.pageKey(), to: key) { _, _ in }
        }
    }
}
