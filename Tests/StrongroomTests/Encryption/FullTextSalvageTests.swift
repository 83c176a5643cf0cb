import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A salvage of full-text tables", .proves("POR-05"))
struct FullTextSalvageTests {
    private static let rows = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB);
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 600)
          INSERT INTO t SELECT n, 'row word' || n, randomblob(200) FROM c;
        """

    /// A sample, and what `salvage` makes of it.
    private struct Saved {
        let report: SalvageReport
        let queue: DatabaseQueue

        init(_ sample: EncryptedSample, runningModules: Bool = true) throws {
            let out = DatabaseFile(
                path: sample.directory.path(of: "out.db"),
                key: try EncryptedSample.key(sample.keyText))
            report = try sample.file().salvage(to: out, runningModules: runningModules)
            #expect(try out.check(runningModules: runningModules).isSound)
            let key = sample.keyText
            var configuration = Configuration()
            configuration.prepareDatabase { try $0.useKey(EncryptedSample.key(key)) }
            queue = try DatabaseQueue(path: out.path, configuration: configuration)
        }

        func number(_ sql: String) throws -> Int? {
            try queue.read { try Int.fetchOne($0, sql: sql) }
        }
    }

    /// The page in the middle of those of a table.
    private func page(of table: String, in sample: EncryptedSample) throws -> Int {
        let pages = try sample.shell.rows(
            "SELECT pageno FROM dbstat WHERE name = '\(table)' AND pagetype = 'leaf'")
        guard case .integer(let page) = pages[pages.count / 2][0] else { return 0 }
        return Int(page)
    }

    private func sample(_ sql: String, damaging table: String? = nil) throws -> EncryptedSample {
        let sample = try EncryptedSample(.version(.v4), sql: Self.rows + sql)
        if let table { try sample.damage(pages: [page(of: table, in: sample)]) }
        return sample
    }

    @Test("builds an index of another table again, without the rows that are lost")
    func externalContent() throws {
        let saved = try Saved(
            sample(
                """
                CREATE VIRTUAL TABLE ft USING fts4 (content="t", a);
                INSERT INTO ft (ft) VALUES ('rebuild');
                """, damaging: "t"))
        let count = try saved.number("SELECT count(*) FROM t")
        #expect(count ?? 0 > 550 && count ?? 600 < 600)
        #expect(saved.report.rebuiltIndexes == ["ft"])
        #expect(!saved.report.isComplete)
        #expect(!saved.report.tables.contains { $0.name.hasPrefix("ft_seg") })
        #expect(try saved.number("SELECT count(*) FROM ft WHERE ft MATCH 'row'") == count)
    }

    @Test("loses nothing of a whole file with an index that did not follow its table")
    func disagreement() throws {
        let saved = try Saved(
            sample(
                """
                CREATE VIRTUAL TABLE ft USING fts4 (content="t", a);
                INSERT INTO ft (ft) VALUES ('rebuild');
                DELETE FROM t WHERE id > 500;
                """))
        #expect(saved.report.isComplete && saved.report.rebuiltIndexes == ["ft"])
        #expect(try saved.number("SELECT count(*) FROM t") == 500)
        #expect(try saved.number("SELECT count(*) FROM ft WHERE ft MATCH 'row'") == 500)
    }

    @Test("runs no module unless it is asked to", .proves("ENG-03"))
    func withoutModules() throws {
        let saved = try Saved(
            sample(
                """
                CREATE VIRTUAL TABLE ft USING fts4 (content="t", a);
                INSERT INTO ft (ft) VALUES ('rebuild');
                """, damaging: "t"), runningModules: false)
        #expect(saved.report.rebuiltIndexes.isEmpty)
        #expect(saved.report.notes.contains { $0.hasPrefix("ft was copied as stored") })
        #expect(saved.report.tables.contains { $0.name == "ft_segdir" })
        #expect(try saved.number("SELECT count(*) FROM t") ?? 0 > 550)
    }

    @Test("builds an index of FTS5 again", .needsFTS5)
    func damagedIndex() throws {
        let saved = try Saved(
            sample(
                """
                CREATE VIRTUAL TABLE ft USING fts5 (a);
                INSERT INTO ft SELECT a FROM t;
                CREATE VIRTUAL TABLE external USING fts5 (a, content = 't', content_rowid = 'id');
                INSERT INTO external (external) VALUES ('rebuild');
                DELETE FROM t WHERE id = 7;
                """, damaging: "ft_data"))
        #expect(saved.report.rebuiltIndexes == ["ft", "external"])
        #expect(try saved.number("SELECT count(*) FROM ft WHERE ft MATCH 'row'") == 600)
        #expect(try saved.number("SELECT count(*) FROM ft WHERE ft MATCH 'word599'") == 1)
        #expect(try saved.number("SELECT count(*) FROM external WHERE external MATCH 'word7'") == 0)
    }

    @Test(
        "leaves out an index without content, and saves all else",
        .needsFTS5)
    func contentless() throws {
        let saved = try Saved(
            sample(
                """
                CREATE VIRTUAL TABLE ft USING fts5 (a, content = '');
                INSERT INTO ft (rowid, a) SELECT id, a FROM t;
                """, damaging: "ft_data"))
        #expect(saved.report.rebuiltIndexes.isEmpty)
        #expect(saved.report.notes.contains { $0.hasPrefix("ft was left out") })
        #expect(try saved.number("SELECT count(*) FROM t") == 600)
        #expect(try saved.number("SELECT count(*) FROM sqlite_schema WHERE name = 'ft'") == 0)
    }

    @Test("leaves out a spatial index that has lost a part, and keeps its tables")
    func spatialIndex() throws {
        let saved = try Saved(
            sample(
                """
                CREATE VIRTUAL TABLE place USING rtree (id, x0, x1);
                INSERT INTO place SELECT id, id, id + 1 FROM t;
                """, damaging: "place_node"))
        #expect(saved.report.notes.contains { $0.hasPrefix("place was left out") })
        #expect(try saved.number("SELECT count(*) FROM t") == 600)
        #expect(try saved.number("SELECT count(*) FROM place_rowid") == 600)
    }

    @Test("runs no trigger of the database, and leaves out those of an index's own tables")
    func triggers() throws {
        let saved = try Saved(
            sample(
                """
                CREATE TABLE trace (a);
                CREATE VIRTUAL TABLE ft USING fts4 (content="t", a);
                INSERT INTO ft (ft) VALUES ('rebuild');
                DELETE FROM t WHERE id > 500;
                .dbconfig defensive off
                CREATE TRIGGER spy AFTER INSERT ON ft_segdir BEGIN INSERT INTO trace VALUES (1); END;
                """))
        #expect(saved.report.rebuiltIndexes == ["ft"])
        #expect(saved.report.notes.contains { $0.hasPrefix("the trigger spy was left out") })
        #expect(try saved.number("SELECT count(*) FROM trace") == 0)
    }

    @Test("keeps a table of a tokenizer that only the app has")
    func unknownTokenizer() throws {
        let sample = try sample(
            """
            CREATE VIRTUAL TABLE ft USING fts4 (content="t", a);
            INSERT INTO ft (ft) VALUES ('rebuild');
            .dbconfig defensive off
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ', a)', ', a, tokenize=mine)')
              WHERE name = 'ft';
            """, damaging: "t")
        let saved = try Saved(sample)
        #expect(saved.report.notes.contains { $0.hasPrefix("ft could not be examined") })
        #expect(try saved.number("SELECT count(*) FROM ft_segments") != nil)
        #expect(try saved.number("SELECT count(*) FROM t") ?? 0 > 550)
    }
}
