import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct ExchangeTests {
    @Test(.proves("SYN-005", "SYN-050"), arguments: 1..<9)
    func `what is taken in slices counts each difference once`(size: Int) async throws {
        let hub = MemoryHub()
        let (a, b) = (try EngineFixture(), try EngineFixture())
        var options = SyncOptions()
        options.atomicLimit = 1
        options.holdCount = size
        // Rows from before, and rows whose counters change after their insertion.
        try a.write("INSERT INTO list VALUES ('old', 'x', 4), ('none', 'x', 0)")
        let first = try await a.creating(hub, options)
        try a.write(
            """
            UPDATE list SET stars = stars + 1;
            INSERT INTO list VALUES ('l1', 'x', 5), ('l2', 'x', 0), ('l3', 'x', 7);
            UPDATE list SET stars = stars + 10; DELETE FROM list WHERE id = 'l3';
            INSERT INTO list VALUES ('l3', 'y', 2); UPDATE list SET stars = stars + 100;
            """)
        let written = try a.values("SELECT id || title || stars FROM list ORDER BY 1")
        let second = try await b.joining(try await first.inviteDevice().ticket, hub, options)
        for engine in [first, second, first] { try await engine.synchronize() }
        #expect(try a.values("SELECT id || title || stars FROM list ORDER BY 1") == written)
        #expect(try b.values("SELECT id || title || stars FROM list ORDER BY 1") == written)
    }

    @Test(.proves("SYN-030", "SYN-006"), arguments: [true, false])
    func `what was written without triggers is sent, counters by their difference`(
        isVerified: Bool
    ) async throws {
        let devices = try await TwoDevices(
            rows:
                "INSERT INTO list VALUES ('l1', 'Groceries', 3), ('l2', 'Tools', 1), ('l3', NULL, 0)"
        )
        try await devices.settle()
        let triggers = try devices.b.values(
            "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'list'")
        for name in try devices.b.values(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'list'")
        {
            try devices.b.write("DROP TRIGGER \"\(name)\"")
        }
        try devices.b.write(
            """
            UPDATE list SET stars = stars + 5 WHERE id = 'l1';
            UPDATE list SET title = 'Hammers' WHERE id = 'l2'; DELETE FROM list WHERE id = 'l3';
            INSERT INTO list VALUES ('l4', 'new', 2);
            """)
        try devices.a.write("UPDATE list SET stars = stars + 10 WHERE id <> 'l3'")
        var second = devices.second
        if isVerified {
            for sql in triggers { try devices.b.write(sql) }
            #expect(try await second.verifyRows().problems.count == 1)
        } else {
            second = try await SyncEngine.reopened(
                second, devices.b.queue, devices.hub, SyncOptions())
        }
        for engine in [second, devices.first, second] { try await engine.synchronize() }
        for device in [devices.a, devices.b] {
            #expect(
                try device.values("SELECT id || title || stars FROM list ORDER BY 1")
                    == ["l1Groceries18", "l2Hammers11", "l4new2"])
        }
    }

    @Test(.proves("SYN-110"))
    func `two devices of a space show the same rows`() async throws {
        let devices = try await TwoDevices(
            rows: """
                INSERT INTO list VALUES ('l1', 'Groceries', 3), ('l2', NULL, 0);
                INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1.5, x'00ff'), ('i2', 'l1', 'Egg', NULL, -0.0);
                INSERT INTO tag VALUES ('t1', 'cold', 'i1');
                """)
        try await devices.settle()
        #expect(try devices.b.rows().count == 5)

        try devices.a.write("UPDATE list SET title = 'Food', stars = stars + 2 WHERE id = 'l1'")
        try devices.b.write(
            """
            UPDATE list SET stars = stars + 5 WHERE id = 'l1';
            UPDATE item SET price = 2 WHERE id = 'i1';
            DELETE FROM item WHERE id = 'i2';
            INSERT INTO item VALUES ('i3', 'l2', 'Tea', 4, 'loose');
            """)
        try await devices.settle()
        #expect(
            try devices.a.values("SELECT title || stars FROM list WHERE id = 'l1'") == ["Food10"])
        #expect(try devices.a.rows().count == 5)
    }

    @Test(.proves("SYN-163"))
    func `what a space brought is deleted, and nothing else`() async throws {
        let devices = try await TwoDevices(
            rows: """
                INSERT INTO list VALUES ('l1', 'Groceries', 3);
                INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1.5, NULL);
                INSERT INTO tag VALUES ('t1', 'cold', 'i1');
                """)
        try await devices.settle()
        let b = devices.b
        try b.write(
            """
            CREATE TABLE private (list TEXT REFERENCES list, note TEXT);
            INSERT INTO private VALUES ('l1', 'ours');
            INSERT INTO tag VALUES ('t2', 'new', NULL);
            """)
        let before = try b.rows()
        // The schema says that a list with notes stays.
        await #expect(throws: DatabaseError.self) {
            try await devices.second.deleteLocalData()
        }
        #expect(try b.rows() == before)
        try b.write("UPDATE private SET list = NULL")
        try await devices.second.deleteLocalData()
        #expect(try b.values("SELECT note FROM private") == ["ours"])
        #expect(try b.values("SELECT id FROM tag") == ["t2"])
        #expect(try b.values("SELECT id FROM list UNION ALL SELECT id FROM item") == [])
        #expect(
            try b.values("SELECT name FROM sqlite_master WHERE name LIKE '%strongroom%'") == [])
        // Others keep theirs.
        try await devices.first.synchronize()
        #expect(try devices.a.rows().count == 3)
    }

    @Test(.proves("SYN-081"))
    func `a unit of many parts arrives`() async throws {
        let hub = MemoryHub()
        let (a, b) = (try EngineFixture(), try EngineFixture())
        try a.write(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO list SELECT 'l' || i, 'Title ' || i, 0 FROM n;
            """)
        var options = SyncOptions()
        options.capacity = 4096
        let first = try await a.creating(hub, options)
        #expect(try await first.synchronize().sentBatches > 10)
        let second = try await b.join(try await first.inviteDevice().ticket, hub)
        #expect(try await second.synchronize().mergedUnits == 1)
        #expect(try b.rows() == a.rows())
    }

    @Test func `a list that is deleted here takes the items with it that were added there`()
        async throws
    {
        let devices = try await TwoDevices(
            rows: "INSERT INTO list VALUES ('l1', 'Groceries', 3)")
        try await devices.settle()
        try devices.a.write("DELETE FROM list WHERE id = 'l1'")
        try devices.b.write("INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1.5, NULL)")
        try await devices.settle()
        #expect(try devices.a.rows() == [])
        #expect(devices.first.status.heldRows == ["its parent is missing": 1])

        try devices.b.write("INSERT INTO list VALUES ('l1', 'Again', 0)")
        try await devices.settle()
        #expect(try devices.a.rows().count == 2)
        #expect(devices.second.status.heldRows == [:])
    }
}
