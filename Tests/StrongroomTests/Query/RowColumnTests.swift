import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Rows read by columns as well as by names and positions.
@Suite struct RowColumnTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    enum Columns: String, ColumnExpression { case id, name, bytes, note, missing }

    /// Runs a check on a row that stands on a statement, and on the same row once it is kept.
    private func withRow(_ check: (Row) throws -> Void) throws {
        try fixture.open().read { db throws in
            let cursor = try Row.fetchCursor(
                db,
                sql: """
                    SELECT 1 AS id, 'Arthur' AS Name, x'0102' AS bytes, NULL AS note, 'twin' AS name
                    """)
            let row = try #require(try cursor.next())
            try check(row)
            #expect(try cursor.next() == nil)
            try check(row)
        }
    }

    @Test(.proves("ROW-007"))
    func `A cell is read by position, by name and by column`() throws {
        try withRow { row throws in
            #expect(row[0] as Int == 1 && row[4] as String == "twin")
            #expect(row["name"] as String == "Arthur" && row["NAME"] as String == "Arthur")
            #expect(row[Column("nAmE")] as String == "Arthur")
            #expect(row[Columns.name] as String == "Arthur")
            #expect(row[Columns.name] as? String == "Arthur")
            #expect(row[Columns.missing] as String? == nil)
        }
    }

    @Test(.proves("ROW-014"))
    func `A cell is decoded by position, by name and by column, or an error thrown`() throws {
        try withRow { row throws in
            #expect(try row.decode(Int.self, atIndex: 0) == 1)
            #expect(try row.decode(String.self, forColumn: "NAME") == "Arthur")
            #expect(try row.decode(forColumn: Column("name")) == "Arthur")
            #expect(try row.decode(String.self, forColumn: Columns.name) == "Arthur")
            #expect(try row.decode(Int?.self, forColumn: Columns.missing) == nil)
            #expect(try row.decode(Int?.self, forColumn: "note") == nil)
            let failures: [() throws -> Void] = [
                { _ = try row.decode(Int.self, atIndex: 3) },
                { _ = try row.decode(Int.self, atIndex: 5) },
                { _ = try row.decode(Int.self, atIndex: -1) },
                { _ = try row.decode(Int?.self, atIndex: 5) },
                { _ = try row.decode(Int.self, forColumn: "missing") },
                { _ = try row.decode(Int.self, forColumn: Columns.missing) },
                { _ = try row.decode(UUID?.self, forColumn: Columns.name) },
            ]
            for failure in failures {
                #expect(throws: RowDecodingError.self, performing: failure)
            }
        }
    }

    @Test(.proves("ROW-015"))
    func `The first value of several columns is read, by name and by column`() async throws {
        try withRow { row throws in
            #expect(row.coalesce(["note", "missing", "NAME", "id"]) as String? == "Arthur")
            let columns: [any ColumnExpression] = [Column("note"), Columns.missing, Columns.name]
            #expect(row.coalesce(columns) as String? == "Arthur")
            #expect(row.coalesce([Columns.note, Columns.missing]) as String? == nil)
        }
        await #expect(processExitsWith: .failure) {
            let _: Int? = (["a": nil, "b": "text"] as Row).coalesce(["a", "b"])
        }
    }

    /// So that a test may use what is deprecated.
    private protocol BytesWithoutCopy {
        func dataNoCopy(_ column: Columns) -> Data?
        func dataNoCopy(atIndex index: Int) -> Data?
        func dataNoCopy(named columnName: String) -> Data?
    }

    private struct OldCode: BytesWithoutCopy {
        let row: Row

        @available(*, deprecated) func dataNoCopy(_ column: Columns) -> Data? {
            row.dataNoCopy(column)
        }

        @available(*, deprecated) func dataNoCopy(atIndex index: Int) -> Data? {
            row.dataNoCopy(atIndex: index)
        }

        @available(*, deprecated) func dataNoCopy(named columnName: String) -> Data? {
            row.dataNoCopy(named: columnName)
        }
    }

    @Test(.proves("ROW-016"))
    func `Bytes are lent by position, by name and by column`() throws {
        try withRow { row throws in
            let bytes: (Data?) -> [UInt8]? = { $0.map { Array($0) } }
            #expect(try row.withUnsafeData(atIndex: 2, bytes) == [1, 2])
            #expect(try row.withUnsafeData(named: "BYTES", bytes) == [1, 2])
            #expect(try row.withUnsafeData(at: Columns.bytes, bytes) == [1, 2])
            #expect(try row.withUnsafeData(at: Columns.name, bytes) == Array("Arthur".utf8))
            #expect(try row.withUnsafeData(at: Columns.note, bytes) == nil)
            #expect(try row.withUnsafeData(at: Columns.missing, bytes) == nil)
            #expect(throws: RowDecodingError.self) { try row.withUnsafeData(at: Columns.id, bytes) }
            let old: any BytesWithoutCopy = OldCode(row: row)
            #expect(old.dataNoCopy(.bytes) == Data([1, 2]) && old.dataNoCopy(.missing) == nil)
            #expect(old.dataNoCopy(atIndex: 2) == Data([1, 2]))
            #expect(old.dataNoCopy(named: "bytes") == Data([1, 2]))
            #expect(old.dataNoCopy(named: "note") == nil)
        }
    }
}
