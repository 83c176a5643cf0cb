import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Columns that older versions of an app do not have.
@Suite struct AbsentValueTests {
    private static let old = "CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL, price REAL);"
    private static let new = """
        CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL, price REAL, cents INTEGER NOT NULL,
            label TEXT NOT NULL, CHECK (cents >= 0));
        """
    private static let absent = ["cents": "price * 100", "label": "upper(id) || '!'"]

    @Test(.proves("SYN-142"))
    func `an expression over the row stands for a column that the writer does not have`()
        async throws
    {
        let hub = MemoryHub()
        let a = try EngineFixture(Self.old, [SyncedTable("item")])
        let b = try EngineFixture(Self.new, [SyncedTable("item", absent: Self.absent)])
        let first = try await a.engine(hub)
        let second = try await b.join(try await first.inviteDevice().ticket, hub)
        func settle() async throws {
            for _ in 0..<2 {
                try await first.synchronize()
                try await second.synchronize()
            }
            #expect(try await second.differences() == [])
        }
        try a.write("INSERT INTO item VALUES ('a', 1.5), ('b', NULL), ('c', -1)")
        try await settle()
        let shown = "SELECT id || ' ' || cents || ' ' || typeof(cents) || ' ' || label FROM item"
        #expect(try b.values(shown) == ["a 150 integer A!"])
        // NULL and a CHECK hold the others, until the older version writes something else.
        #expect(second.status.heldRows == ["a value is missing or does not fit": 2])
        try a.write("UPDATE item SET price = price + 1; UPDATE item SET price = 3 WHERE id = 'b'")
        try await settle()
        #expect(
            try b.values(shown) == [
                "a 250 integer A!", "b 300 integer B!", "c 0 integer C!",
            ])
        // What is written here holds from then on.
        try b.write("UPDATE item SET cents = 7 WHERE id = 'a'")
        try await settle()
        try a.write("UPDATE item SET price = 9 WHERE id = 'a'")
        try await settle()
        #expect(try b.values(shown).first == "a 7 integer A!")
    }

    @Test(.proves("SYN-142", "SYN-274"))
    func `an expression that gives no value of the row is refused`() throws {
        let fixture = try EngineFixture(Self.new, [])
        let expressions = [
            "random()": "another value each time", "prize * 100": "not understood",
            "(SELECT max(price) FROM item)": "asks tables", "price, id": "not understood",
        ]
        for (sql, words) in expressions {
            let table = SyncedTable("item", absent: ["cents": sql, "label": "id"])
            let findings = try SyncEngine.check(fixture.queue, [table])
            #expect(findings.map(\.reason) == [.unsuitableColumn], "\(sql)")
            #expect(findings.first?.message.contains(words) == true, "\(findings)")
            #expect(findings.first?.column == "cents")
        }
        let table = SyncedTable("item", absent: Self.absent)
        #expect(try SyncEngine.check(fixture.queue, [table]) == [])
    }
}
