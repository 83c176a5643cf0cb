import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Pages that are all zeros: damage where the database uses them, and nothing where it does not.
@Suite struct ZeroedPageTests {
    private static let pageSize = 4096
    /// Leaves pages in the file that were taken, given back, and never written.
    private static let unwrittenPages = """
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

    private let fixture: CommandLineFixture
    private let newKey: String
    private let repository: String
    private let path: String

    init() throws {
        fixture = try CommandLineFixture()
        newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        repository = fixture.path("repository")
        path = fixture.path("zeros.db")
        #expect(try fixture.run("backup", "init", repository).exitCode == .done)
    }

    private func create(_ sql: String, wal: Bool = false) throws {
        let mode = wal ? "PRAGMA journal_mode = WAL;" : ""
        try SQLCipherShell(path: path, key: .content(CommandLineFixture.key)).create(sql + mode)
    }

    private func shell() -> SQLCipherShell {
        SQLCipherShell(path: path, key: .content(CommandLineFixture.key))
    }

    private func content() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    private func zeroedPages() throws -> [Int] {
        let content = try content()
        return (0..<(content.count / Self.pageSize)).filter { page in
            content.dropFirst(page * Self.pageSize).prefix(Self.pageSize).allSatisfy { $0 == 0 }
        }.map { $0 + 1 }
    }

    private func overwrite(pages: [Int]) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        for page in pages {
            try file.seek(toOffset: UInt64((page - 1) * Self.pageSize))
            try file.write(contentsOf: Data(count: Self.pageSize))
        }
        try file.close()
    }

    private func run(_ words: String...) throws -> CommandRun {
        try CommandRun(words + ["--key-file", fixture.keyFile])
    }

    private func backUp(_ words: String...) throws -> CommandRun {
        try CommandRun(
            ["backup", "create", path, "--to", repository, "--key-file", fixture.keyFile] + words)
    }

    private func expectDamaged() throws {
        let before = try content()
        for words in [
            ["check"], ["check", "--quick"], ["doctor"], ["rotate-key", "--new-key-file", newKey],
            ["rotate-key", "--page-size", "8192"],
        ] {
            let run = try CommandRun(
                [words[0], path, "--key-file", fixture.keyFile] + words.dropFirst())
            #expect(run.exitCode == .damaged, "\(words): \(run.output) \(run.errors)")
        }
        #expect(try backUp().exitCode == .damaged)
        #expect(try content() == before)
        // A backup that was made without a look at the pages tells later.
        #expect(try backUp("--no-authenticate").exitCode == .done)
        #expect(try run("backup", "verify", repository).exitCode == .damaged)
        let out = fixture.path("out.db")
        #expect(try run("backup", "restore", repository, out).exitCode == .damaged)
        let rekey = try run("backup", "rekey", repository, "--new-key-file", newKey)
        #expect(rekey.exitCode == .damaged)
    }

    @Test("are damage where the database uses them, for each command", .proves("HST-20"))
    func pagesInUse() throws {
        try create(
            """
            CREATE TABLE t (a);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
              INSERT INTO t SELECT randomblob(1000) FROM c;
            """)
        #expect(try backUp().exitCode == .done)
        try overwrite(pages: [5, 6, 9])
        try expectDamaged()
    }

    @Test(
        "are damage at the end of a long value, where SQLite reads zeros without an error",
        .proves("HST-20"), arguments: [false, true])
    func lastOverflowPage(wal: Bool) throws {
        try create(
            """
            PRAGMA auto_vacuum = INCREMENTAL;
            CREATE TABLE t (a);
            INSERT INTO t VALUES (randomblob(9000));
            """, wal: wal)
        try overwrite(pages: [try content().count / Self.pageSize])
        #expect(try shell().cell("PRAGMA integrity_check") == "ok")
        try expectDamaged()
        for command in ["copy", "decrypt"] {
            #expect(try run(command, path, fixture.path("copy.db")).exitCode == .damaged)
        }
    }

    @Test(
        "are nothing where no one ever wrote the page", .proves("HST-20"), arguments: [false, true])
    func freePages(wal: Bool) throws {
        try create(Self.unwrittenPages)
        // In a log every page is written: such pages come from before.
        if wal { try shell().run("PRAGMA journal_mode = WAL") }
        let zeros = try zeroedPages()
        #expect(!zeros.isEmpty)
        #expect(try run("check", path).exitCode == .done)
        #expect(try run("doctor", path).exitCode == .done)
        #expect(try backUp().exitCode == .done)
        let verification = try run("backup", "verify", repository)
        #expect(verification.exitCode == .done, "\(verification.errors)")
        let rekey = try run("backup", "rekey", repository, "--new-key-file", newKey)
        #expect(rekey.exitCode == .done, "\(rekey.errors)")
        let out = fixture.path("out.db")
        let restore = try fixture.run("backup", "restore", repository, out, "--key-file", newKey)
        #expect(restore.exitCode == .done, "\(restore.errors)")
        #expect(try run("rotate-key", path, "--new-key-file", newKey).exitCode == .done)
        #expect(try zeroedPages() == zeros)
    }

    @Test("are damage where a former backup had a free page", .proves("HST-20"))
    func pageThatWasFree() throws {
        try create(Self.unwrittenPages)
        let zeros = try zeroedPages()
        #expect(try backUp().exitCode == .done)
        try shell().run("INSERT INTO u VALUES (randomblob(30000))")
        let written = Set(zeros).subtracting(try zeroedPages())
        #expect(!written.isEmpty)
        try overwrite(pages: Array(written))
        try expectDamaged()
    }

    @Test("prove nothing where the list of free pages is cut off by one of them", .proves("HST-20"))
    func freeListOfZeros() throws {
        try create(
            """
            PRAGMA secure_delete = OFF;
            CREATE TABLE t (a);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20)
              INSERT INTO t SELECT randomblob(3000) FROM c;
            DELETE FROM t;
            """)
        let count = try content().count / Self.pageSize
        // Everything behind page 2, and with it the head of the list.
        try overwrite(pages: Array(3...count))
        try expectDamaged()
    }
}
