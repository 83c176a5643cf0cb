import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A file with cipher settings of its own, next to the journal of a writer that was killed.
@Suite struct InterruptedSettingsTests {
    private static let salt = "00112233445566778899aabbccddeeff"
    private static let key = "x'\(String(repeating: "5e", count: 32))'"

    private let directory: TemporaryDirectory
    private let keyFile: String

    init() throws {
        directory = try TemporaryDirectory()
        keyFile = try directory.write(Self.key + "\n", to: "key")
    }

    /// The file and its journal, as they were in the middle of a transaction.
    private func interrupt(_ path: String, _ settings: [String]) throws {
        let source = path + ".source"
        let shell = SQLCipherShell(path: source, key: .content(Self.key), settings: settings)
        try shell.create(
            """
            CREATE TABLE t (a TEXT);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300)
              INSERT INTO t SELECT 'before' || hex(randomblob(200)) FROM c;
            """)
        try shell.run(
            """
            PRAGMA cache_size = 5;
            BEGIN;
            UPDATE t SET a = 'half written' || a;
            INSERT INTO t SELECT a FROM t;
            CREATE TABLE u (b);
            INSERT INTO u SELECT a FROM t;
            DELETE FROM t WHERE rowid % 3 = 0;
            .system cp '\(source)' '\(path)' && cp '\(source)-journal' '\(path)-journal'
            ROLLBACK;
            """)
        let journal = try Data(contentsOf: URL(filePath: path + "-journal"))
        try #require(journal.count > 4096 && journal.first == 0xd9)
    }

    @Test(
        "is opened by each command, and the transaction undone", .proves("OPR-86"),
        arguments: [
            ["PRAGMA cipher_compatibility = 3"],
            ["PRAGMA cipher_page_size = 16384", "PRAGMA cipher_hmac_algorithm = HMAC_SHA256"],
            [
                "PRAGMA cipher_plaintext_header_size = 32",
                "PRAGMA cipher_salt = \"x'\(salt)'\"",
            ],
            [
                "PRAGMA cipher_plaintext_header_size = 16",
                "PRAGMA cipher_salt = \"x'\(salt)'\"",
            ],
        ])
    func commands(settings: [String]) throws {
        let path = directory.path(of: "app.db")
        let hasSalt = settings.contains { $0.contains("cipher_salt") }
        let whole = try directory.write(
            "\(Self.key.dropLast())\(Self.salt)'\n", to: "whole key")
        var secrets = [["--key-file", keyFile] + (hasSalt ? ["--salt", Self.salt] : [])]
        if hasSalt { secrets.append(["--key-file", whole]) }
        for secret in secrets {
            for words in [
                ["query", path, "SELECT count(*) FROM t WHERE a LIKE 'before%'", "--csv"],
                ["query", path, "DELETE FROM t WHERE a LIKE 'half%'", "--write"],
                ["info", path], ["check", path], ["copy", path, directory.path(of: "out.db")],
                ["rotate-key", path, "--new-key-generate", directory.path(of: "new.key")],
            ] {
                for name in try directory.names() where name.hasPrefix("app.db") {
                    try FileManager.default.removeItem(atPath: directory.path(of: name))
                }
                for name in ["out.db", "new.key"] {
                    try? FileManager.default.removeItem(atPath: directory.path(of: name))
                }
                try interrupt(path, settings)
                let run = try CommandRun(words + secret)
                #expect(run.exitCode == .done, "\(words[0]) \(secret): \(run.errors)")
                if words.last == "--csv" { #expect(run.output.contains("300")) }
                guard words[0] != "rotate-key" else { continue }
                let shell = SQLCipherShell(
                    path: path, key: .content(Self.key), settings: settings)
                #expect(try shell.cell("SELECT count(*) FROM t") == 300)
                #expect(try shell.cell("SELECT count(*) FROM sqlite_master") == 1)
            }
        }
    }

    @Test("a journal that was changed is not taken for other settings", .proves("OPR-86"))
    func changedJournal() throws {
        let path = directory.path(of: "app.db")
        try interrupt(path, [])
        let journal = URL(filePath: path + "-journal")
        var bytes = try Data(contentsOf: journal)
        bytes[512 + 4 + 100] ^= 1
        try bytes.write(to: journal)
        let run = try CommandRun(["check", path, "--key-file", keyFile])
        #expect(run.exitCode != .done, "\(run.output)")
        #expect(try Data(contentsOf: journal) == bytes)
    }
}
