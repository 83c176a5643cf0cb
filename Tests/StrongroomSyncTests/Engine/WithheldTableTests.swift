import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Tables that a device does not share for a while, because it declares them otherwise than the space, or not at all.
@Suite struct WithheldTableTests {
    private static let sql = """
        CREATE TABLE p (id TEXT PRIMARY KEY NOT NULL, t TEXT, n INTEGER NOT NULL DEFAULT 0, u TEXT UNIQUE);
        CREATE TABLE child (id TEXT PRIMARY KEY NOT NULL, p TEXT NOT NULL REFERENCES p ON DELETE CASCADE, t TEXT);
        CREATE INDEX child_p ON child (p);
        CREATE TABLE q (id TEXT PRIMARY KEY NOT NULL, t TEXT);
        """
    private static let tables = [
        SyncedTable("p", merge: ["n": .counter]), SyncedTable("child"), SyncedTable("q"),
    ]
    private static let others = [SyncedTable("p"), SyncedTable("child"), SyncedTable("q")]
    private static let rows = """
        INSERT INTO p VALUES ('1', 'one', 1, 'a'), ('2', 'two', 2, 'b'), ('3', 'three', 3, 'c'),
            ('4', 'four', 4, 'd'), ('5', 'five', 5, 'e');
        INSERT INTO child VALUES ('c', '1', 'x'); INSERT INTO q VALUES ('q', 'x');
        """

    private func begin() async throws -> TwoDevices {
        let devices = try await TwoDevices(MemoryHub(), Self.sql, Self.tables, rows: Self.rows)
        try await devices.settle()
        return devices
    }

    @Test(.proves("SYN-057", "SYN-006"), arguments: [true, false])
    func `only tables that are declared otherwise rest, and nothing of them is lost`(
        isMismatch: Bool
    ) async throws {
        let devices = try await begin()
        // Written before the app declares something else.
        try devices.b.write("UPDATE p SET t = 'early', n = n + 10 WHERE id = '1'")
        var second = try await SyncEngine.reopened(
            devices.second, devices.b.queue, devices.hub,
            tables: isMismatch ? Self.others : [Self.tables[2]], SyncOptions())
        if isMismatch {
            #expect(
                second.status.withheldTables
                    == ["child": "it refers to p", "p": "p.n: latest here, sum there"])
        } else {
            #expect(second.status.withheldTables == [:])
        }
        try devices.a.write(
            """
            UPDATE p SET t = 'A', u = 'aa' WHERE id = '2'; DELETE FROM p WHERE id = '3';
            INSERT INTO p VALUES ('6', 'six', 6, 'f'); UPDATE p SET n = n + 1;
            UPDATE q SET t = 'A'; UPDATE child SET t = 'A';
            """)
        try devices.b.write(
            """
            UPDATE p SET t = 'B' WHERE id = '4'; DELETE FROM p WHERE id = '5';
            INSERT INTO p VALUES ('7', 'seven', 7, 'g'); INSERT INTO q VALUES ('r', 'B');
            """)
        let before = try devices.b.texts("SELECT * FROM p ORDER BY 1")
        for engine in [second, devices.first, second, devices.first] {
            #expect(try await engine.synchronize().sentSnapshots == 0)
        }
        #expect(try devices.b.texts("SELECT * FROM p ORDER BY 1") == before)
        #expect(try devices.b.values("SELECT t FROM child") == ["x"])
        for device in [devices.a, devices.b] {
            #expect(try device.values("SELECT id || t FROM q ORDER BY 1") == ["qA", "rB"])
        }
        #expect(
            try devices.a.values("SELECT id || t || n || u FROM p ORDER BY 1") == [
                "1early12a", "2A3aa", "4four5d", "5five6e", "6six7f",
            ])
        #expect(devices.first.status.findings == [] && second.status.divergedDevices == [])

        second = try await SyncEngine.reopened(
            second, devices.b.queue, devices.hub, tables: Self.tables, SyncOptions())
        #expect(second.status.withheldTables == [:])
        for engine in [second, devices.first, second, devices.first] {
            try await engine.synchronize()
        }
        for device in [devices.a, devices.b] {
            #expect(
                try device.values("SELECT id || t || n || u FROM p ORDER BY 1") == [
                    "1early12a", "2A3aa", "4B5d", "6six7f", "7seven7g",
                ])
            #expect(try device.values("SELECT t FROM child") == ["A"])
            try device.check()
        }
        #expect(try await second.differences() == [])
        let (state, own) = (
            try await devices.first.mergedState(), try await second.mergedState()
        )
        #expect(state.canonicalBytes == own.canonicalBytes)
    }

    @Test(.proves("SYN-057"))
    func `a device that joins with another policy keeps its rows of the table to itself`()
        async throws
    {
        let hub = MemoryHub()
        let (a, b) = (
            try EngineFixture(Self.sql, Self.tables), try EngineFixture(Self.sql, Self.others)
        )
        try a.write(Self.rows)
        try b.write(
            "INSERT INTO p VALUES ('8', 'mine', 1, NULL); INSERT INTO q VALUES ('s', 'mine')")
        let first = try await a.engine(hub)
        let second = try await b.join(try await first.inviteDevice().ticket, hub)
        #expect(second.status.withheldTables.keys.sorted() == ["child", "p"])
        for engine in [first, second, first] { try await engine.synchronize() }
        #expect(try b.values("SELECT id FROM p") == ["8"])
        #expect(try a.values("SELECT id FROM p WHERE id = '8'") == [])
        for device in [a, b] {
            #expect(try device.values("SELECT id FROM q ORDER BY 1") == ["q", "s"])
        }
        let report = try await b.queue.read { try SyncReport($0) }
        #expect(report?.withheldTables == second.status.withheldTables)
        let again = try await SyncEngine.reopened(
            second, b.queue, hub, tables: Self.tables, SyncOptions())
        for engine in [again, first, again] { try await engine.synchronize() }
        #expect(try a.rows() == b.rows())
        #expect(try a.values("SELECT t FROM p WHERE id = '8'") == ["mine"])
    }

    @Test(.proves("SYN-057"), arguments: [true, false])
    func `of two devices that add a table at once, the second one withholds it`(
        isKnownLate: Bool
    ) async throws {
        let devices = try await TwoDevices(MemoryHub(), Self.sql, [Self.tables[2]])
        try await devices.settle()
        let first = try await SyncEngine.reopened(
            devices.first, devices.a.queue, devices.hub, tables: Self.tables, SyncOptions())
        let second = try await SyncEngine.reopened(
            devices.second, devices.b.queue, devices.hub, tables: Self.others, SyncOptions())
        try devices.a.write("INSERT INTO p VALUES ('1', 'A', 1, NULL)")
        try devices.b.write(
            "INSERT INTO p VALUES ('2', 'B', 1, NULL); INSERT INTO q VALUES ('q', 'B')")
        #expect(first.status.withheldTables == [:] && second.status.withheldTables == [:])
        if isKnownLate {
            try await second.updateRoster()
            try await first.synchronize()
            try await second.agreeOnTables()
        }
        for engine in [first, second, first, second] { try await engine.synchronize() }
        #expect(second.status.withheldTables.keys.sorted() == ["child", "p"])
        #expect(first.status.withheldTables == [:])
        #expect(try devices.a.values("SELECT id FROM p") == ["1"])
        #expect(try devices.b.values("SELECT id FROM p") == ["2"])
        #expect(try devices.a.values("SELECT t FROM q") == ["B"])
        let again = try await SyncEngine.reopened(
            second, devices.b.queue, devices.hub, tables: Self.tables, SyncOptions())
        for engine in [again, first, again] { try await engine.synchronize() }
        #expect(try devices.a.values("SELECT id || t FROM p ORDER BY 1") == ["1A", "2B"])
        #expect(try devices.b.values("SELECT id || t FROM p ORDER BY 1") == ["1A", "2B"])
    }
}
