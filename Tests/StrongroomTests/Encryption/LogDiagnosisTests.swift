import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A diagnosis of a log")
struct LogDiagnosisTests {
    private let sample: EncryptedSample

    init() throws {
        sample = try EncryptedSample(.version(.v4))
    }

    private var log: URL { URL(fileURLWithPath: sample.path + "-wal") }

    @Test("tells the log of another database", .proves("ENC-017"))
    func foreign() throws {
        let other = try EncryptedSample(.version(.v4), keyText: EncryptedSample.otherRawKey)
        try other.leaveLog("INSERT INTO t (a) VALUES ('x');")
        try FileManager.default.copyItem(atPath: other.path + "-wal", toPath: log.path)
        let diagnosis = try sample.file().diagnose()
        #expect(diagnosis.verdict == .foreignLog && diagnosis.log?.isOfThisFile == false)
        #expect(diagnosis.summary.hasSuffix("is the log of another database"))
        // Its key does not make it ours.
        let hints = DatabaseFile.DiagnosisHints(otherKeys: [
            try EncryptedSample.key(EncryptedSample.otherRawKey)
        ])
        #expect(try sample.file().diagnose(hints: hints).verdict == .foreignLog)
    }

    @Test("tells a damaged frame that makes SQLite forget transactions", .proves("ENC-017"))
    func damagedFrame() throws {
        try sample.leaveLog(
            "INSERT INTO t (a) VALUES ('one'); INSERT INTO t (a) VALUES ('two'); UPDATE t SET a = 3;"
        )
        var content = try Data(contentsOf: log)
        content[32 + 24 + 500] ^= 1
        try content.write(to: log)
        let diagnosis = try sample.file().diagnose()
        #expect(diagnosis.verdict == .foreignLog)
        #expect(diagnosis.summary.hasPrefix("frame 1 of "))
        // A frame at the end that was not written to its end is what a crash leaves.
        content[32 + 24 + 500] ^= 1
        content[content.count - 9] ^= 1
        try content.write(to: log)
        let torn = try sample.file().diagnose()
        #expect(torn.verdict == .sound)
        #expect(torn.notes.contains { $0.contains("as after a crash") })
    }

    @Test("takes pages from the log where those of the file are damaged", .proves("ENC-017"))
    func damageUnderLog() throws {
        try sample.leaveLog("UPDATE t SET a = 'all', b = zeroblob(length(b));")
        let names = try sample.shell.rows("PRAGMA integrity_check")
        #expect(names == [[.text("ok")]])
        try sample.leaveLog("UPDATE t SET a = 'rest', b = zeroblob(length(b) + 1);")
        let page = try #require(
            LogFile(log.path, .system)?.offsets.keys.filter { $0 > 1 }.min().map(Int.init))
        try sample.damage(pages: [page])
        let diagnosis = try sample.file().diagnose()
        #expect(diagnosis.verdict == .sound && diagnosis.damagedPages.isEmpty, "\(diagnosis)")
        #expect(diagnosis.notes.contains { $0.hasPrefix("1 damaged pages are intact in the log") })
    }

    @Test("finds the salt in the log where that of the file is damaged", .proves("ENC-017"))
    func saltInLog() throws {
        let secret = try EncryptedSample(.version(.v4), keyText: "correct horse")
        try secret.leaveLog("CREATE TABLE u (a);")
        try secret.change { $0.replaceSubrange(0..<16, with: Data(count: 16)) }
        #expect(try secret.file().diagnose().verdict == .damagedSalt)
    }

    /// As a process leaves it that is killed between a change of key and the next checkpoint: the
    /// file has the old key, and the log has all of the database under the new one.
    @Test(
        "takes a log with all of the database for the database", .proves("ENC-017"),
        arguments: [EncryptedSample.rawKey, "correct horse"])
    func changedKey(keyText: String) throws {
        let sample = try EncryptedSample(.version(.v4), keyText: keyText)
        let newKey = EncryptedSample.otherRawKey
        try sample.leaveLog("PRAGMA rekey = \"\(newKey)\";")
        #expect(try sample.open().survey(with: sample.pageKey()).isSound)

        let diagnosis = try sample.file(newKey).diagnose()
        #expect(diagnosis.verdict == .sound && diagnosis.log?.isOfThisFile == true, "\(diagnosis)")
        #expect(diagnosis.notes.contains { $0.hasPrefix("the whole database is in ") })
        let oldKey = try EncryptedSample.key(keyText)
        let both = try sample.file(newKey).diagnose(hints: .init(otherKeys: [oldKey]))
        #expect(both.verdict == .sound && both.pagesOfKeys.count == 2 && both.pagesOfKeys[1] == 0)

        // With the key of before, nobody shall throw the log away.
        let old = try sample.file().diagnose()
        #expect(old.verdict == .foreignLog)
        #expect(old.advice?.hasSuffix("leave the log where it is") == true)
        let error = #expect(throws: DatabaseFileError.self) { () throws in
            _ = try sample.file().check()
        }
        #expect(error?.code == .wrongKey && error?.hint?.hasPrefix("the key was changed") == true)
        #expect(try sample.file(newKey).check().isSound)

        let saved = DatabaseFile(
            path: sample.directory.path(of: "saved.db"), key: try EncryptedSample.key(newKey))
        let report = try sample.file(newKey).salvage(to: saved)
        #expect(report.isComplete)
        let shell = SQLCipherShell(path: saved.path, key: .content(newKey))
        #expect(try shell.rows(EncryptedSample.question).first?.first == .integer(270))
    }

    @Test("tells damage in a log with all of the database", .proves("ENC-017"))
    func damageInChangedKey() throws {
        let newKey = EncryptedSample.otherRawKey
        try sample.leaveLog("PRAGMA rekey = \"\(newKey)\";")
        let offset = try #require(LogFile(log.path, .system)?.offsets[20])
        var content = try Data(contentsOf: log)
        content[Int(offset) + 100] ^= 1
        EncryptedSample.renewChecksums(ofLog: &content)
        try content.write(to: log)
        let diagnosis = try sample.file(newKey).diagnose()
        #expect(diagnosis.verdict == .damaged && diagnosis.damagedPages == [20...20])
        let error = #expect(throws: DatabaseFileError.self) { () throws in
            _ = try sample.file(newKey).check()
        }
        #expect(error?.code == .foreignLog, "\(String(describing: error))")
    }

    @Test("waits for a rollback journal where a transaction was interrupted", .proves("ENC-017"))
    func journal() throws {
        let aside = sample.directory.path(of: "aside")
        try sample.shell.run(
            """
            PRAGMA cache_size = 5;
            BEGIN;
            UPDATE t SET b = randomblob(length(b));
            .system cp '\(sample.path)' '\(aside)' && cp '\(sample.path)-journal' '\(aside)-journal'
            """)
        let file = DatabaseFile(path: aside, key: try EncryptedSample.key(sample.keyText))
        let diagnosis = try file.diagnose()
        #expect(diagnosis.verdict == .sound)
        #expect(diagnosis.notes.contains { $0.hasPrefix("a transaction was interrupted") })
    }
}
