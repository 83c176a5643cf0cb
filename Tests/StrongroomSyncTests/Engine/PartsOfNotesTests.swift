import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// More notes than one unit has, which are taken in several transactions.
@Suite struct PartsOfNotesTests {
    @Test(.proves("SYN-005", "SYN-006"), arguments: [2, 3, 5])
    func `a row whose notes are not taken yet keeps what was written to it`(size: Int) async throws
    {
        var options = SyncOptions()
        (options.holdCount, options.atomicLimit) = (size, 5)
        let (hub, a, b) = (MemoryHub(), try EngineFixture(), try EngineFixture())
        try a.write(
            """
            INSERT INTO list VALUES ('l1', 'Food', 0);
            INSERT INTO tag VALUES ('t1', 'cold', NULL), ('t2', 'warm', NULL), ('t3', 'old', NULL);
            """)
        let first = try await a.creating(hub, options)
        try await first.synchronize()
        let second = try await b.join(try await first.inviteDevice().ticket, hub)
        try await second.synchronize()
        // What one row gives up another one gets, much later.
        try a.write(
            """
            UPDATE tag SET title = 'free' WHERE id = 't1';
            INSERT INTO tag VALUES ('t4', '4', NULL), ('t5', '5', NULL), ('t6', '6', NULL);
            INSERT INTO list VALUES ('l2', 'a', 0), ('l3', 'b', 0), ('l4', 'c', 0);
            UPDATE tag SET title = 'cold' WHERE id = 't2';
            """)
        let rows = try a.rows()
        for engine in [first, second, first] { try await engine.synchronize() }
        #expect(try a.rows() == rows)
        #expect(try b.rows() == rows)
        #expect(try await first.differences() == [])
    }
}
