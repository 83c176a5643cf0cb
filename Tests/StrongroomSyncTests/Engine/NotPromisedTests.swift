import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// The examples of what the guide does not promise: that they are true, and that devices agree all the same.
@Suite struct NotPromisedTests {
    @Test(.proves("SYN-011"))
    func `a sum that no constraint states does not hold`() async throws {
        let devices = try await TwoDevices(rows: "INSERT INTO list VALUES ('account', 'x', 50)")
        try await devices.settle()
        for device in [devices.a, devices.b] {
            try device.write("UPDATE list SET stars = stars - 50 WHERE stars >= 50")
        }
        try await devices.settle()
        #expect(try devices.b.values("SELECT stars FROM list") == ["-50"])
    }

    @Test(.proves("SYN-011"))
    func `unique values are those of a device until it has exchanged`() async throws {
        let devices = try await TwoDevices()
        try devices.a.write("INSERT INTO tag VALUES ('a', 'cold', NULL)")
        try devices.b.write("INSERT INTO tag VALUES ('b', 'cold', NULL)")
        try await devices.settle()
        let shown = try devices.a.values("SELECT id FROM tag")
        #expect(shown.count == 1)
        let held = try await devices.a.queue.read { try SyncRow.fetchHeld($0, table: "tag") }
        #expect(held.count == 1)
        // The person changes the title of the one that is there.
        try devices.a.write("UPDATE tag SET title = 'frozen'")
        try await devices.settle()
        #expect(try devices.b.values("SELECT id FROM tag ORDER BY id") == ["a", "b"])
    }
}
