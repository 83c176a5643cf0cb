import Strongroom
import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// What an engine would know: the rows as they were when this was made.
private struct RememberedRows: KnownRows {
    var hashes: [RowName: UInt64] = [:]
    var keys: [(table: Int, key: [CapturedValue])] = []

    init(_ db: Database, _ tables: [CapturedTable]) throws {
        for table in tables {
            try RowScan.forEachRow(db, table) { key, hash in
                hashes[RowName(table: table.number, key: key.keyBytes)] = hash
                keys.append((table.number, key))
            }
        }
    }

    func hash(of key: [UInt8], in table: Int) -> UInt64? { hashes[RowName(table: table, key: key)] }

    func forEachShownKey(
        in table: Int, after last: [UInt8]?, limit: Int, _ body: ([CapturedValue]) throws -> Void
    ) rethrows {
        for (number, key) in keys where number == table { try body(key) }
    }
}

@Suite struct RowScanTests {
    @Test(.proves("SYN-030"))
    func `what was written without triggers is found by a scan`() throws {
        let fixture = try CaptureFixture(
            """
            CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL COLLATE NOCASE, a, b);
            INSERT INTO t VALUES ('k1', 1, 'x'), ('k2', 2, NULL), ('k3', 3, 0.5), ('k4', 4, x'00');
            """, [SyncedTable("t")])
        try fixture.write { db throws in
            let table = try Capture.tables(db, SyncSchema(db, fixture.declarations))[0]
            let known = try RememberedRows(db, [table])
            #expect(try RowScan.run(db, table, against: known, time: 5) == RowScan.Counts(rows: 4))
            #expect(try fixture.taken(db).isEmpty)
            try db.applyingChanges {
                try db.execute(
                    sql: """
                        INSERT INTO t VALUES ('k5', 5, 5); DELETE FROM t WHERE id = 'k1';
                        UPDATE t SET a = 2.0 WHERE id = 'k2'; UPDATE t SET id = 'K3' WHERE id = 'k3';
                        UPDATE t SET b = '' WHERE id = 'k4'
                        """)
            }
            #expect(try fixture.taken(db).isEmpty)
            let counts = try RowScan.run(db, table, against: known, time: 1_700_000_000_123)
            #expect((counts.rows, counts.inserted, counts.changed, counts.deleted) == (4, 2, 2, 2))
            let rows = try fixture.taken(db)
            #expect(
                try fixture.words(db, rows).sorted() == [
                    "t 'K3': inserted", "t 'k1': deleted", "t 'k2': a b", "t 'k3': deleted",
                    "t 'k4': a b",
                    "t 'k5': inserted",
                ])
            #expect(
                rows.allSatisfy {
                    ($0.inserted ?? $0.deleted ?? $0.columns.values.first) == 1_700_000_000_123
                })
        }
    }

    @Test(.proves("SYN-030"))
    func `hashes tell all values apart, and are the sum of those of columns`() throws {
        let values: [CapturedValue] = [
            .null, .integer(0), .integer(1), .integer(-1), .integer(256), .real(0), .real(1),
            .real(1.5), .text([]),
            .text([0]), .text([0x31]), .blob([]), .blob([0]), .blob([0x31]), .text([0xff]),
            .text([0, 0]),
        ]
        let hashes = (0..<3).flatMap { position in values.map { RowHash.value($0, at: position) } }
        #expect(Set(hashes).count == hashes.count)
        // They stay the same for good: files keep them.
        #expect(RowHash.value(.text(Array("Anna".utf8)), at: 1) == 14_291_876_579_252_278_477)
        #expect(RowHash.value(.integer(7), at: 0) == 598_311_902_572_441_984)
    }
}
