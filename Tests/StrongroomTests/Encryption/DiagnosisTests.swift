import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A diagnosis")
struct DiagnosisTests {
    private static let usual = CipherSettings.version(.v4)

    @Test("finds a sound file sound, with and without a log", .proves("ENC-017"))
    func sound() throws {
        let sample = try EncryptedSample(Self.usual)
        let diagnosis = try sample.file().diagnose()
        #expect(diagnosis.verdict == .sound && diagnosis.advice == nil)
        #expect(diagnosis.pageSize == 4096 && diagnosis.settings.isEmpty)
        #expect(diagnosis.pageCount == diagnosis.expectedPageCount)
        #expect(diagnosis.pagesOfKeys == [try #require(diagnosis.pageCount)])
        try sample.leaveLog("INSERT INTO t SELECT NULL, a, randomblob(9000) FROM t;")
        let withLog = try sample.file().diagnose()
        #expect(withLog.verdict == .sound, "\(withLog)")
        #expect(withLog.log?.isOfThisFile == true && withLog.log?.transactionCount == 1)
        #expect(try #require(withLog.expectedPageCount) > #require(withLog.pageCount))
    }

    @Test("tells a wrong key, and which of two keys is the right one", .proves("ENC-017"))
    func wrongKey() throws {
        let sample = try EncryptedSample(Self.usual)
        let wrong = try sample.file(EncryptedSample.otherRawKey)
        #expect(try wrong.diagnose().verdict == .wrongKey)
        let both = try wrong.diagnose(
            hints: .init(otherKeys: [EncryptedSample.key(EncryptedSample.rawKey)]))
        #expect(both.verdict == .wrongKey)
        #expect(both.summary.hasSuffix("but other key 1 does"))
        #expect(both.pagesOfKeys == [0, try #require(both.pageCount)])
        let passphrase = DatabaseFile(path: sample.path, key: try CipherKey(passphrase: "secret"))
        #expect(try passphrase.diagnose().verdict == .wrongKey)
    }

    @Test("finds the settings", .proves("ENC-018"), arguments: PageSourceTests.settings)
    func settings(_ settings: CipherSettings) throws {
        // Nobody makes such files: of all numbers, only early versions of SQLCipher 2.0 had 4000.
        guard [2, 4000].contains(settings.fastKDFIterations),
            settings.hmacSaltMask == 0x3a || settings.fastKDFIterations == 4000
        else { return }
        let sample = try EncryptedSample(settings)
        var file = try sample.file()
        if let salt = sample.salt {
            file.key = try EncryptedSample.key(
                "x'" + sample.keyText.dropFirst(2).dropLast() + salt.hexadecimal + "'")
        }
        let diagnosis = try file.diagnose()
        // From a raw key nothing is derived but the key of the HMAC.
        let isUsual =
            try CipherSettings(
                pageSize: settings.pageSize, kdfAlgorithm: settings.kdfAlgorithm,
                authentication: settings.authentication,
                plaintextHeaderByteCount: settings.plaintextHeaderByteCount) == Self.usual
        #expect(diagnosis.verdict == (isUsual ? .sound : .otherSettings), "\(diagnosis)")
        #expect(diagnosis.pageSize == settings.pageSize)
        #expect(diagnosis.isAuthenticated == (settings.authentication != .absent))
        // What it says opens the file.
        let shell = SQLCipherShell(
            path: sample.path, key: .content(sample.keyText), settings: diagnosis.settings)
        #expect(
            try shell.rows(EncryptedSample.question) == sample.shell.rows(EncryptedSample.question))
        // The mask would hold for the whole process.
        guard settings.hmacSaltMask == 0x3a else { return }
        for setting in diagnosis.settings {
            file.configuration.prepareDatabase { try $0.execute(sql: setting) }
        }
        #expect(try file.diagnose().verdict == .sound)
    }

    @Test(
        "finds the settings of a passphrase", .proves("ENC-018"), arguments: 1...4)
    func versions(_ version: Int) throws {
        let settings = CipherSettings.version(try #require(.init(rawValue: version)))
        let sample = try EncryptedSample(settings, keyText: "correct horse")
        let diagnosis = try sample.file().diagnose()
        #expect(diagnosis.verdict == (version == 4 ? .sound : .otherSettings))
        #expect(
            diagnosis.settings == (version == 4 ? [] : ["PRAGMA cipher_compatibility = \(version)"])
        )
    }

    @Test("tells what is no encrypted database, with a key and without", .proves("ENC-017"))
    func others() throws {
        let folder = try TemporaryDirectory()
        let plain = folder.path(of: "plain.db")
        try SQLCipherShell(path: plain).create("CREATE TABLE t (a);")
        let text = String(repeating: "It was a dark and stormy night. ", count: 500)
        let textPath = try folder.write(text, to: "novel.txt")
        let empty = try folder.write(Data(), to: "empty.db")
        let short = try folder.write(Data(repeating: 7, count: 100), to: "short.db")
        let sample = try EncryptedSample(Self.usual)
        for key in [nil, try EncryptedSample.key(EncryptedSample.rawKey)] {
            func verdict(_ path: String) throws -> DatabaseDiagnosis.Verdict {
                try DatabaseFile(path: path, key: key).diagnose().verdict
            }
            #expect(try verdict(plain) == .plaintext)
            #expect(try verdict(textPath) == .notADatabase)
            #expect(try verdict(empty) == .empty)
            #expect(try verdict(short) == .notADatabase)
            #expect(try verdict(sample.path) == (key == nil ? .keyNeeded : .sound))
        }
        #expect {
            try DatabaseFile(path: folder.path(of: "absent")).diagnose()
        } throws: { ($0 as? DatabaseFileError)?.code == .notFound }
    }

    @Test("lists damaged pages as ranges", .proves("ENC-017"), arguments: [1, 3])
    func damage(threads: Int) throws {
        let sample = try EncryptedSample(Self.usual)
        try sample.damage(pages: [3, 5, 6, 7, 20])
        let diagnosis = try sample.file().diagnose(threads: threads)
        #expect(diagnosis.verdict == .damaged)
        #expect(diagnosis.damagedPages == [3...3, 5...7, 20...20])
        try sample.damage(pages: [1])
        let first = try sample.file().diagnose()
        #expect(first.verdict == .damaged && first.expectedPageCount == nil)
        #expect(first.damagedPages == [1...1, 3...3, 5...7, 20...20])
    }

    @Test("finds the key right if one page of all is whole", .proves("ENC-017"))
    func nearlyAllDamaged() throws {
        let sample = try EncryptedSample(Self.usual)
        let pageCount = try sample.byteCount() / 4096
        try #require(pageCount > 40)
        try sample.damage(pages: (1...pageCount).filter { $0 != 30 })
        let diagnosis = try sample.file().diagnose()
        #expect(diagnosis.verdict == .damaged)
        #expect(diagnosis.damagedPages == [1...29, 31...pageCount])
    }

    @Test("tells pages overwritten with zeros from those that nobody wrote", .proves("ENC-017"))
    func zeros() throws {
        let sample = try EncryptedSample(Self.usual, sql: DamagedPageSourceTests.blankPageSQL)
        let sound = try sample.file().diagnose()
        #expect(sound.verdict == .sound, "\(sound)")
        try sample.change { $0.replaceSubrange(4096..<8192, with: Data(count: 4096)) }
        let damaged = try sample.file().diagnose()
        #expect(damaged.verdict == .damaged && damaged.damagedPages == [2...2])
    }

    @Test("finds the end missing, also where it was cut between two pages", .proves("ENC-017"))
    func truncated() throws {
        let sample = try EncryptedSample(Self.usual)
        let count = try sample.byteCount()
        try sample.change { $0 = $0.dropLast(2 * 4096) }
        let diagnosis = try sample.file().diagnose()
        let last = count / 4096
        #expect(diagnosis.verdict == .truncated && diagnosis.missingPages == [(last - 1)...last])
        try sample.change { $0 = $0.dropLast(100) }
        #expect(try sample.file().diagnose().verdict == .truncated)
        #expect(try sample.file().diagnose().missingPages == [(last - 2)...last])
    }

    @Test("finds bytes that follow the database", .proves("ENC-017"))
    func appended() throws {
        let sample = try EncryptedSample(Self.usual)
        try sample.change { $0 += Data(repeating: 3, count: 77) }
        let diagnosis = try sample.file().diagnose()
        #expect(diagnosis.verdict == .damaged && diagnosis.damagedPages.isEmpty)
    }

    @Test("finds which pages have which of two keys", .proves("ENC-017"))
    func twoKeys() throws {
        let sample = try EncryptedSample(Self.usual)
        let pageCount = UInt32(try sample.byteCount() / 4096)
        try sample.changeKey(ofPages: 10...pageCount)
        let other = try EncryptedSample.key(EncryptedSample.otherRawKey)
        let diagnosis = try sample.file().diagnose(hints: .init(otherKeys: [other]))
        #expect(diagnosis.verdict == .twoKeys)
        #expect(diagnosis.pagesOfKeys == [9, Int(pageCount) - 9])
        #expect(
            diagnosis.notes.contains(
                "other key 1: \(pageCount - 9) pages, from page 10 to \(pageCount)"))
        // With one key alone, the others are damage, and the advice names the possibility.
        let alone = try sample.file().diagnose()
        #expect(alone.verdict == .damaged && alone.damagedPages == [10...Int(pageCount)])
        #expect(alone.advice?.contains("also give the other key") == true)
    }

    @Test("finds a damaged salt, whatever the key", .proves("ENC-017"))
    func salt() throws {
        let sample = try EncryptedSample(Self.usual)
        let salt = try #require(try sample.open().salt())
        try sample.change { $0[5] ^= 4 }
        let raw = try sample.file().diagnose()
        #expect(raw.verdict == .damagedSalt && !raw.isAuthenticated)
        let withSalt = "x'" + sample.keyText.dropFirst(2).dropLast() + salt.hexadecimal + "'"
        let full = try sample.file(withSalt).diagnose()
        #expect(full.verdict == .damagedSalt && full.isAuthenticated)

        let secret = try EncryptedSample(Self.usual, keyText: "correct horse")
        let backup = secret.directory.path(of: "backup.db")
        try FileManager.default.copyItem(atPath: secret.path, toPath: backup)
        try secret.change { $0.replaceSubrange(0..<16, with: Data(count: 16)) }
        let without = try secret.file().diagnose()
        #expect(without.verdict == .wrongKey)
        #expect(without.notes.contains { $0.contains("overwritten") })
        #expect(
            try secret.file().diagnose(hints: .init(backups: [backup])).verdict == .damagedSalt)
    }
}
