import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Transferring a database that another process writes")
struct LiveTransferTests {
    private static let keyText = "x'" + String(repeating: "01", count: 32) + "'"

    let sources: TemporaryDirectory
    let folder: TemporaryDirectory
    let key: CipherKey

    init() throws {
        sources = try TemporaryDirectory()
        folder = try TemporaryDirectory()
        key = try CipherKey(rawKey: Data(repeating: 1, count: 32))
    }

    /// A shell that inserts a row in each of two tables, in one transaction after the other.
    private func startWriter(_ path: String, encrypted: Bool, wal: Bool) throws -> Subprocess {
        let transaction =
            "BEGIN IMMEDIATE; INSERT INTO a VALUES (hex(randomblob(20))); "
            + "INSERT INTO b VALUES (hex(randomblob(20))); COMMIT;"
        let script = try sources.write(
            """
            PRAGMA journal_mode = \(wal ? "WAL" : "DELETE");
            PRAGMA synchronous = OFF;
            CREATE TABLE a (x TEXT);
            CREATE TABLE b (x TEXT);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000)
              INSERT INTO a SELECT hex(randomblob(50)) FROM c;
            INSERT INTO b SELECT x FROM a;
            .timeout 10000
            .shell echo started
            .read '|yes "\(transaction)"'

            """, to: "script.sql")
        let pragma = encrypted ? "PRAGMA key = \"\(Self.keyText)\";\n" : ""
        return try Subprocess(
            starting: "sqlcipher", ["-batch", path],
            input: Data((pragma + ".read \(script)\n").utf8))
    }

    @Test(
        "gives one state of it, and leaves it alone",
        arguments: [(false, false), (false, true), (true, false), (true, true)])
    func live(encrypted: Bool, wal: Bool) throws {
        let source = DatabaseFile(path: sources.path(of: "live.db"), key: encrypted ? key : nil)
        let writer = try startWriter(source.path, encrypted: encrypted, wal: wal)
        try writer.wait(untilWritten: "started")
        for destinationKey in [nil, key] {
            let destination = DatabaseFile(
                path: folder.path(of: "out.db"), key: destinationKey)
            let report = try source.transfer(to: destination, overwrite: true)
            let counts = report.tables.map(\.rowCount)
            #expect(counts.count == 2 && counts[0] == counts[1] && counts[0] >= 5000)
            let witness = SQLCipherShell(
                path: destination.path, key: destinationKey == nil ? .none : .content(Self.keyText))
            #expect(
                try witness.rows("SELECT count(*) FROM a UNION ALL SELECT count(*) FROM b")
                    == counts.map { [.integer(Int64($0))] })
            #expect(try witness.cell("PRAGMA integrity_check") == "ok")
        }
        #expect(
            FileSystem.system.users(of: [try FileSystem.system.status(source.path).identity])
                .map(\.process) == [writer.processIdentifier], "it was still being written")
        writer.signal(SIGKILL)
        _ = try writer.wait()
    }

    @Test("refuses to rotate its key")
    func rotation() throws {
        let source = DatabaseFile(path: sources.path(of: "live.db"), key: key)
        let writer = try startWriter(source.path, encrypted: true, wal: true)
        try writer.wait(untilWritten: "started")
        let error = #expect(throws: DatabaseFileError.self) {
            try source.rotateKey(to: .generated())
        }
        writer.signal(SIGKILL)
        _ = try writer.wait()
        #expect(error?.code == .inUse)
        #expect(try source.check(quick: true).isSound)
    }

    @Test("never writes plaintext anywhere while it encrypts")
    func canary() throws {
        let canary = "CANARY-7f3a9c"
        let source = DatabaseFile(path: sources.path(of: "plain.db"))
        try SQLCipherShell(path: source.path).create(
            """
            CREATE TABLE t (a TEXT);
            CREATE INDEX i ON t (a DESC);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000)
              INSERT INTO t SELECT '\(canary)' || n FROM c;
            """)
        let scanner = CanaryScanner(canary)
        var scans = 0
        let destination = DatabaseFile(path: folder.path(of: "out.db"), key: key)
        var findings: [CanaryScanner.Finding] = []
        try source.transfer(to: destination) { (progress) throws in
            guard progress.phase == .copying || progress.phase == .verifying else { return }
            scans += 1
            findings += try scanner.findings(inDirectory: folder.path)
            findings += try scanner.findingsInOpenFiles(of: folder.path)
        }
        #expect(findings == [])
        #expect(scans > 3)
        #expect(try scanner.findings(inDirectory: sources.path) != [], "the scanner can find it")
    }
}
