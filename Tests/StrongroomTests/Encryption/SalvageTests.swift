import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A salvage")
struct SalvageTests {
    static let usual = CipherSettings.version(.v4)

    /// What `salvage` makes of a sample, and the witness on it.
    struct Saved {
        let report: SalvageReport
        let shell: SQLCipherShell

        init(
            _ sample: EncryptedSample, otherKeys: [String] = [], backups: [String] = [],
            as text: String = EncryptedSample.rawKey
        ) throws {
            let out = DatabaseFile(
                path: sample.directory.path(of: "out-\(UInt32.random(in: 0...UInt32.max)).db"),
                key: try EncryptedSample.key(text))
            report = try sample.file().salvage(
                to: out,
                hints: .init(otherKeys: otherKeys.map(EncryptedSample.key), backups: backups))
            shell = SQLCipherShell(path: out.path, key: .content(text))
        }

        func expectSound() throws {
            #expect(try shell.rows("PRAGMA cipher_integrity_check").isEmpty)
            #expect(try shell.cell("PRAGMA integrity_check") == "ok")
        }
    }

    @Test(
        "makes a file of two keys whole, log and all", .proves("ENC-021"), arguments: [false, true])
    func twoKeys(wal: Bool) throws {
        let sample = try EncryptedSample(Self.usual)
        if wal { try sample.leaveLog("INSERT INTO t SELECT NULL, a, randomblob(5000) FROM t;") }
        let copy = sample.directory.path(of: "copy.db")
        for suffix in wal ? ["", "-wal"] : [""] {
            try FileManager.default.copyItem(atPath: sample.path + suffix, toPath: copy + suffix)
        }
        let rows = try SQLCipherShell(path: copy, key: .content(sample.keyText))
            .rows(EncryptedSample.question)
        let pageCount = UInt32(try sample.byteCount() / 4096)
        for pages in [4...pageCount, 2...2] { try sample.changeKey(ofPages: pages) }
        let saved = try Saved(
            sample, otherKeys: [EncryptedSample.otherRawKey], as: EncryptedSample.otherRawKey)
        #expect(saved.report.method == .pages && saved.report.isComplete)
        #expect(try saved.shell.rows(EncryptedSample.question) == rows)
        try saved.expectSound()
    }

    /// As in `Documentation/SQLCipher.md`, "Salvage": SQLCipher's own `.recover` gives none
    /// of its rows.
    @Test("saves every row of every whole page, and says which are lost", .proves("ENC-022"))
    func onePageOf20000Rows() throws {
        let sample = try EncryptedSample(
            Self.usual,
            sql: """
                CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB);
                CREATE INDEX by_a ON t (a);
                WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000)
                  INSERT INTO t SELECT n, 'row ' || n, randomblob(500) FROM c;
                """)
        let rows = try sample.shell.rows(
            "SELECT id, a, hex(substr(b, 1, 4) || substr(b, -4)) FROM t")
        try sample.damage(pages: [1000])
        let saved = try Saved(sample)
        let table = try #require(saved.report.tables.first)
        #expect(table.name == "t" && table.rowCount >= 19_990 && table.rowCount < 20_000)
        let loss = try #require(table.losses.first?.rowIDs)
        #expect(table.losses.count == 1 && table.losses[0].page == 1000)
        #expect(loss.count == 20_000 - table.rowCount)
        let expected = rows.filter { row in
            guard case .integer(let id) = row[0] else { return false }
            return !loss.contains(id)
        }
        #expect(
            try saved.shell.rows("SELECT id, a, hex(substr(b, 1, 4) || substr(b, -4)) FROM t")
                == expected)
        #expect(saved.report.lostPages == [1000...1000])
        try saved.expectSound()
    }

    @Test("loses one row where one page of its rest is damaged, and says which", .proves("ENC-022"))
    func overflow() throws {
        let sample = try EncryptedSample(
            Self.usual,
            sql: """
                CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB);
                INSERT INTO t VALUES (1, x'01'), (7, zeroblob(50000)), (9, randomblob(60000)), (12, x'02');
                """)
        // Row 9 is the last that needed such pages.
        let page = try sample.shell.cell(
            "SELECT max(pageno) FROM dbstat WHERE pagetype = 'overflow'")
        guard case .integer(let last) = page else { return }
        try sample.damage(pages: [Int(last)])
        let saved = try Saved(sample)
        #expect(saved.report.tables[0].rowCount == 3)
        #expect(saved.report.tables[0].losses.map(\.rowIDs) == [9...9])
        #expect(
            try saved.shell.rows("SELECT id, length(b) FROM t") == [[1, 1], [7, 50000], [12, 1]])
    }

    @Test("finds the rows under a lost page of a tree again", .proves("ENC-022"))
    func interior() throws {
        let sample = try EncryptedSample(
            Self.usual,
            sql: """
                CREATE TABLE other (x, y, z, w);
                INSERT INTO other VALUES (1, 2, 3, 4);
                CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB);
                WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000)
                  INSERT INTO t SELECT n, 'row ' || n, randomblob(300) FROM c;
                DELETE FROM t WHERE id BETWEEN 500 AND 1200;
                """)
        let rows = try sample.shell.rows(
            "SELECT id, a, hex(substr(b, 1, 4) || substr(b, -4)) FROM t")
        let root = try sample.shell.cell("SELECT rootpage FROM sqlite_schema WHERE name = 't'")
        guard case .integer(let page) = root else { return }
        try sample.damage(pages: [Int(page)])
        let saved = try Saved(sample)
        #expect(
            try saved.shell.rows("SELECT id, a, hex(substr(b, 1, 4) || substr(b, -4)) FROM t")
                == rows)
        #expect(saved.report.tables.map(\.rowCount) == [1, rows.count])
        #expect(saved.report.strayRowCount == 0 && !saved.report.isComplete)
        try saved.expectSound()
    }

    @Test("leaves deleted rows deleted", .proves("ENC-022"))
    func deleted() throws {
        let sample = try EncryptedSample(
            Self.usual,
            sql: """
                PRAGMA secure_delete = OFF;
                CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
                CREATE TABLE gone (a TEXT);
                WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)
                  INSERT INTO t SELECT n, 'kept ' || hex(randomblob(40)) FROM c;
                WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)
                  INSERT INTO gone SELECT 'secret ' || hex(randomblob(40)) FROM c;
                DROP TABLE gone;
                DELETE FROM t WHERE id % 2 = 0;
                """)
        let root = try sample.shell.cell("SELECT rootpage FROM sqlite_schema WHERE name = 't'")
        guard case .integer(let page) = root else { return }
        try sample.damage(pages: [Int(page)])
        let saved = try Saved(sample)
        #expect(try saved.shell.cell("SELECT count(*) FROM t") == 1000)
        #expect(saved.report.strayRowCount == 0)
        #expect(try !saved.shell.run(".dump").contains("secret"))
    }

    @Test("saves rows whose table is not known into a table of their own", .proves("ENC-022"))
    func firstPage() throws {
        let sample = try EncryptedSample(Self.usual)
        let count = try sample.shell.cell("SELECT count(*) FROM t")
        try sample.damage(pages: [1])
        let saved = try Saved(sample)
        #expect(saved.report.strayTable == "lost_and_found")
        // Those of the index are there too.
        let rows = try saved.shell.cell("SELECT count(*) FROM lost_and_found WHERE id > 0")
        #expect(rows == count)
        #expect(saved.report.notes.contains { $0.hasPrefix("page 1 is lost") })
        try saved.expectSound()
    }

    @Test(
        "keeps everything that SQLite can tell, in every form of table", .proves("ENC-022"),
        arguments: [true, false])
    func kitchenSink(isTruncated: Bool) throws {
        let folder = try TemporaryDirectory()
        let plain = folder.path(of: "plain.db")
        try DelicateDatabase.create(at: plain)
        let key = try EncryptedSample.key(EncryptedSample.rawKey)
        let path = folder.path(of: "app.db")
        try DatabaseFile(path: plain).transfer(to: DatabaseFile(path: path, key: key))
        let source = SQLCipherShell(path: path, key: .content(EncryptedSample.rawKey))
        let content = try DelicateDatabase.content(source)
        // A table that is not asked about loses its end; without loss, another page size makes the
        // rows be copied.
        let out = DatabaseFile(
            path: folder.path(of: "out.db"), key: key,
            configuration: {
                var configuration = Configuration()
                if !isTruncated {
                    configuration.prepareDatabase {
                        try $0.execute(sql: "PRAGMA cipher_page_size = 8192")
                    }
                }
                return configuration
            }())
        if isTruncated {
            let descriptor = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            // The file is cut by a byte: its last page is lost.
            let end = try descriptor.seekToEnd()
            try descriptor.truncate(atOffset: end - 1)
            try descriptor.close()
        }
        let report = try DatabaseFile(path: path, key: key).salvage(to: out)
        #expect(report.method == .rows)
        let copy = SQLCipherShell(
            path: out.path, key: .content(EncryptedSample.rawKey),
            settings: isTruncated ? [] : ["PRAGMA cipher_page_size = 8192"])
        if isTruncated {
            #expect(report.lostPages.count == 1)
        } else {
            #expect(report.isComplete, "\(report)")
            #expect(try DelicateDatabase.content(copy) == content)
        }
        #expect(try copy.rows("PRAGMA cipher_integrity_check").isEmpty)
    }

    @Test(
        "writes a file of other settings with the usual ones", .proves("ENC-022"), arguments: 2...3)
    func versions(_ version: Int) throws {
        let settings = CipherSettings.version(try #require(.init(rawValue: version)))
        let sample = try EncryptedSample(
            settings, sql: "PRAGMA user_version = 9;" + EncryptedSample.content)
        let rows = try sample.shell.rows(EncryptedSample.question)
        let saved = try Saved(sample)
        #expect(saved.report.isComplete && saved.report.pageSize == 4096)
        #expect(try saved.shell.rows(EncryptedSample.question) == rows)
        #expect(try saved.shell.cell("PRAGMA user_version") == 9)
        try saved.expectSound()
    }

    @Test("makes up for a lost salt", .proves("ENC-021"))
    func salt() throws {
        let sample = try EncryptedSample(Self.usual)
        let rows = try sample.shell.rows(EncryptedSample.question)
        try sample.change { $0[5] ^= 4 }
        let saved = try Saved(sample)
        #expect(saved.report.method == .pages)
        #expect(try saved.shell.rows(EncryptedSample.question) == rows)
        let secret = try EncryptedSample(Self.usual, keyText: "correct horse")
        let backup = secret.directory.path(of: "backup.db")
        try FileManager.default.copyItem(atPath: secret.path, toPath: backup)
        let secretRows = try secret.shell.rows(EncryptedSample.question)
        try secret.change { $0[5] ^= 4 }
        let savedSecret = try Saved(secret, backups: [backup])
        #expect(try savedSecret.shell.rows(EncryptedSample.question) == secretRows)
    }

    @Test("makes nothing, and replaces nothing, where it cannot or must not", .proves("ENC-023"))
    func refusals() throws {
        let sample = try EncryptedSample(Self.usual)
        let before = try Data(contentsOf: URL(fileURLWithPath: sample.path))
        func code(_ key: String, _ name: String) throws -> DatabaseFileError.Code? {
            let out = DatabaseFile(
                path: sample.directory.path(of: name), key: try EncryptedSample.key(sample.keyText))
            let error = #expect(throws: DatabaseFileError.self) {
                try sample.file(key).salvage(to: out)
            }
            return error?.code
        }
        #expect(try code(EncryptedSample.otherRawKey, "out.db") == .wrongKey)
        #expect(try code(sample.keyText, "sample.db") == .sameFile)
        _ = try sample.directory.write("mine", to: "taken.txt")
        #expect(try code(sample.keyText, "taken.txt") == .exists)
        #expect(throws: CancellationError.self) {
            let out = DatabaseFile(
                path: sample.directory.path(of: "out.db"),
                key: try EncryptedSample.key(sample.keyText))
            try sample.file().salvage(to: out) { progress in
                if progress.phase == .verifying { throw CancellationError() }
            }
        }
        #expect(try sample.directory.names().sorted() == ["sample.db", "taken.txt"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: sample.path)) == before)
    }
}
