import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

#if os(Linux)
/// What iterating over many rows takes of the machine's memory.
///
/// The whole process is measured, so that the measuring has a process of its own.
@Suite struct CursorMemoryTests {
    private static let rowCount = 1_000_000
    private static let limitInBytes = 1 << 20
    private static let sql = "SELECT i, name FROM t"
    /// Enough for ten bytes of each row to show: the smallest object has more.
    private static let fewerRows = "SELECT i, name FROM t LIMIT \(rowCount / 10)"

    @Test(.proves("MEM-005"))
    func `A cursor over a million rows adds less than a megabyte`() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            let fixture = try FixtureDatabase()
            let queue = try fixture.open()
            try queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE t(i INTEGER PRIMARY KEY, name TEXT);
                        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT ?)
                        INSERT INTO t SELECT i, 'a name that is no small text ' || i FROM n
                        """, arguments: [Self.rowCount])
            }
            try queue.read { db in
                try Self.measure("values", db) { try Int64.fetchCursor(db, sql: Self.sql) }
                try Self.measure("rows", db) { try Row.fetchCursor(db, sql: Self.fewerRows) }
                try Self.measure("tuples", db) {
                    try SQLRequest<(Int64, String)>(sql: Self.fewerRows).fetchCursor(db)
                }
                try Self.measure("cells of rows", db) {
                    try Row.fetchCursor(db, sql: Self.fewerRows)
                        .map { row in row["name"] as String }
                }
            }
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let added = output.matches(of: #/\+(\d+) bytes/#).compactMap { Int($0.1) }
        #expect(added.count == 4 && added.allSatisfy { $0 < Self.limitInBytes }, "\(output)")
    }

    private static func measure<C: Cursor>(
        _ name: String, _ db: Database, _ makeCursor: () throws -> C
    ) throws {
        // SQLite's pages and the code are there before: they do not grow with the rows.
        _ = try Int.fetchOne(db, sql: "SELECT SUM(LENGTH(name)) FROM t")
        let warmUp = try makeCursor().prefix(1000)
        while try warmUp.next() != nil {}
        let before = try residentBytes()
        var most = before
        var count = 0
        let cursor = try makeCursor()
        while try cursor.next() != nil {
            count += 1
            if count.isMultiple(of: 20_000) { most = max(most, try residentBytes()) }
        }
        try #require(count >= rowCount / 10)
        print("\(name): +\(most - before) bytes")
    }

    /// The memory that the process takes, as the second number in `/proc/self/statm` tells in pages.
    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return try #require(pages) * sysconf(Int32(_SC_PAGESIZE))
    }
}
#endif
