import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A diagnosis does no harm")
struct HarmlessDiagnosisTests {
    @Test("and writes nothing, to the file or beside it", .proves("ENC-019"))
    func writesNothing() throws {
        let sample = try EncryptedSample(.version(.v4))
        try sample.leaveLog("INSERT INTO t (a) VALUES ('x');")
        try sample.damage(pages: [4])
        func state() throws -> [String: Data] {
            try sample.directory.names().reduce(into: [:]) { state, name in
                let path = sample.directory.path(of: name)
                state[name] = try Data(contentsOf: URL(fileURLWithPath: path))
                let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
                state[name + " date"] = Data("\(String(describing: date))".utf8)
            }
        }
        let before = try state()
        for key in [sample.keyText, EncryptedSample.otherRawKey, "correct horse"] {
            _ = try sample.file(key).diagnose(hints: .init(backups: [sample.path]))
        }
        _ = try DatabaseFile(path: sample.path).diagnose()
        #expect(try state() == before)
    }

    @Test("to a database that this process has open, and its locks", .proves("ENC-019"))
    func keepsLocks() throws {
        let sample = try EncryptedSample(.version(.v4))
        let queue = try sample.file().open()
        try queue.inDatabase { db in
            try db.execute(sql: "BEGIN IMMEDIATE; INSERT INTO t (a) VALUES ('mine')")
            #expect(try sample.file().diagnose().verdict == .sound)
            // Somebody else still finds it locked.
            #expect(throws: SQLCipherShell.Failure.self) {
                try sample.shell.run("INSERT INTO t (a) VALUES ('theirs');")
            }
            try db.execute(sql: "COMMIT")
        }
        try queue.close()
        #expect(try sample.shell.cell("SELECT count(*) FROM t WHERE a = 'mine'") == 1)
    }

    @Test("and ends when the caller wishes, with the caller's error", .proves("ENC-019"))
    func cancelled() throws {
        let sample = try EncryptedSample(.version(.v4))
        #expect(throws: CancellationError.self) {
            try sample.file().diagnose { progress in
                if progress.phase == .checking { throw CancellationError() }
            }
        }
    }
}
