import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Tables whose triggers another program has dropped, before and after the first exchange.
@Suite struct ScanAgainTests {
    private static let rows = """
        INSERT INTO list VALUES ('l1', 'Food', 3), ('l2', 'Tools', 0);
        INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1.5, NULL);
        """

    static func dropTriggers(_ fixture: EngineFixture, of table: String) throws {
        let names = try fixture.values(
            """
            SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '\(table)'
                AND name LIKE 'strongroom%'
            """)
        #expect(!names.isEmpty)
        for name in names { try fixture.write("DROP TRIGGER \"\(name)\"") }
    }

    @Test(.proves("SYN-030"))
    func `what is scanned twice before the first exchange counts once`() async throws {
        let (hub, a, b) = (MemoryHub(), try EngineFixture(), try EngineFixture())
        try a.write(Self.rows)
        var first = try await a.engine(hub)
        for step in 1...2 {
            try a.write("UPDATE list SET stars = stars + 10 WHERE id = 'l1'")
            try Self.dropTriggers(a, of: "list")
            try a.write("UPDATE list SET stars = stars + 1")
            first = try await SyncEngine.reopened(first, a.queue, hub, SyncOptions())
            if step == 1 { try a.write("UPDATE list SET stars = stars + 5 WHERE id = 'l2'") }
        }
        try await first.synchronize()
        let second = try await b.join(try await first.inviteDevice().ticket, hub)
        try await second.synchronize()
        let expected = ["l1 25", "l2 7"]
        for fixture in [a, b] {
            let stars = try fixture.values("SELECT id || ' ' || stars FROM list ORDER BY 1")
            #expect(stars == expected)
        }
        #expect(try a.rows() == b.rows())
    }
}
