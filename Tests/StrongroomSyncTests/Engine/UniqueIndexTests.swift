import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Rows of two devices that a unique index takes for equal: SQLite itself says which they are.
@Suite struct UniqueIndexTests {
    static let indexes = [
        "(pair, title)", "(pair, title COLLATE NOCASE)", "(pair, title COLLATE RTRIM)",
        "(pair, size)", "(pair, data)", "(pair, lower(title))", "(pair, size + 1)",
        "(pair, title) WHERE done = 0", "(pair, title COLLATE NOCASE) WHERE size IS NOT NULL",
        "(pair, substr(title, 1, 2), typeof(data)) WHERE title LIKE 'm%'",
        "(pair, coalesce(size, 0))",
        "(pair DESC, title COLLATE NOCASE DESC, done)",
    ]

    /// Values that some collations, columns and functions take for equal.
    private static let rows = [
        "'Milk', 1, x'61', 0", "'MILK', 1.0, 'a', 0", "'milk ', '1', 97, 1", "'milk', 2, NULL, 0",
        "NULL, NULL, NULL, 0", "'Mill', NULL, x'61', 1", "'ÉCLAIR', 0, x'', 0",
        "'éclair', -0.0, '', 0", "'m', 1e15, 1e15, 0",
    ]

    private static func schema(_ index: String) -> String {
        """
        CREATE TABLE item (
            id TEXT PRIMARY KEY NOT NULL, pair INTEGER NOT NULL, title TEXT, size NUMERIC, data,
            done INTEGER NOT NULL DEFAULT 0);
        CREATE UNIQUE INDEX item_unique ON item \(index);
        """
    }

    @Test(.proves("SYN-128"), arguments: indexes)
    func `SQLite decides which rows are equal`(index: String) async throws {
        let devices = try await TwoDevices(
            MemoryHub(), Self.schema(index), [SyncedTable("item")])
        let plain = try EngineFixture(Self.schema(index), [])
        var expected: [Int] = []
        for first in Self.rows {
            for second in Self.rows {
                let pair = expected.count
                let older = "INTO item VALUES ('a\(pair)', \(pair), \(first))"
                let newer = "INTO item VALUES ('b\(pair)', \(pair), \(second))"
                try devices.a.write("INSERT \(older)")
                try devices.b.write("INSERT \(newer)")
                try plain.write("INSERT \(older); INSERT OR IGNORE \(newer)")
                expected.append(
                    try plain.values("SELECT id FROM item WHERE pair = \(pair)").count)
            }
        }
        #expect(Set(expected) == [1, 2])
        try await devices.settle()
        let shown = "SELECT count(*) FROM item GROUP BY pair ORDER BY pair"
        #expect(try devices.a.values(shown) == expected.map(String.init))
        #expect(try devices.a.rows() == devices.b.rows())
        // What makes room for a held row shows it.
        try devices.a.write("DELETE FROM item WHERE id LIKE 'a%'")
        try devices.b.write("DELETE FROM item WHERE id LIKE 'a%'")
        try await devices.settle()
        #expect(try devices.a.values("SELECT count(*) FROM item") == ["\(expected.count)"])
        #expect(try devices.a.rows() == devices.b.rows())
        for device in [devices.a, devices.b] { try device.check() }
    }
}
