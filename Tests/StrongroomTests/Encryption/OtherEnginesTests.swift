import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// In what versions and builds of SQLCipher differ: `Tests/Proofs/engines` runs these tests on several.
@Suite("On every SQLCipher")
struct OtherEnginesTests {
    private static let fullText =
        EncryptedSample.content + """
            CREATE VIRTUAL TABLE f3 USING fts3 (a);
            INSERT INTO f3 SELECT a FROM t;
            CREATE VIRTUAL TABLE f4 USING fts4 (content="t", a);
            INSERT INTO f4 (f4) VALUES ('rebuild');
            """

    @Test("full-text tables do not make a database look damaged", .proves("POR-02"))
    func fullTextTables() throws {
        let sample = try EncryptedSample(.version(.v4), sql: Self.fullText)
        for quick in [false, true] {
            #expect(try sample.file().check(quick: quick, runningModules: true).isSound)
            let report = try sample.file().check(quick: quick)
            #expect(report.isSound && report.unexamined.count == 2)
        }
        let key = try EncryptedSample.key(sample.keyText)
        func out(_ name: String, key: CipherKey?) -> DatabaseFile {
            DatabaseFile(path: sample.directory.path(of: name), key: key)
        }
        try sample.file().transfer(to: out("copy.db", key: key))
        try sample.file().transfer(to: out("plain.db", key: nil))
        try out("plain.db", key: nil).transfer(to: out("encrypted.db", key: key))
        try sample.file().salvage(to: out("saved.db", key: key))
        let question = "SELECT count(*) FROM f4 WHERE f4 MATCH 'row'"
        let count = try sample.shell.cell(question)
        for name in ["copy.db", "encrypted.db", "saved.db"] {
            let shell = SQLCipherShell(
                path: sample.directory.path(of: name), key: .content(sample.keyText))
            #expect(try shell.cell(question) == count)
            #expect(try shell.cell("PRAGMA integrity_check") == "ok")
        }
    }

    @Test(
        "a table that cannot be opened here is named, and all others are checked", .proves("POR-02")
    )
    func unknownTokenizer() throws {
        let sample = try EncryptedSample(
            .version(.v4),
            sql: Self.fullText + """

                .dbconfig defensive off
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE f3 USING fts3 (a, tokenize=mine)'
                  WHERE name = 'f3';
                """)
        let report = try sample.file().check(runningModules: true)
        #expect(report.isSound)
        #expect(report.unexamined.contains { $0.contains("mine") })
        #expect(report.checks.contains(.structure) && report.checks.contains(.foreignKeys))
        try sample.damage(pages: [5])
        #expect(try sample.file().check().isDamaged)
    }

    @Test("a damaged page is reported, and the report has an end", .proves("POR-03", "POR-04"))
    func damagedPages() throws {
        let sample = try EncryptedSample(.version(.v4))
        let pageCount = try sample.byteCount() / 4096
        for page in [1, 2, pageCount] {
            try sample.damage(pages: [page])
            let report = try sample.file().check()
            #expect(report.problems.first?.kind == .cipher)
            #expect(report.problems.first?.page == page)
            #expect(report.pageSize == 4096)
            try sample.damage(pages: [page])
        }
        try sample.change { $0 = $0.dropLast(1) }
        let report = try sample.file().check()
        #expect(report.isDamaged && report.checks.contains(.fileSize))
    }
}
