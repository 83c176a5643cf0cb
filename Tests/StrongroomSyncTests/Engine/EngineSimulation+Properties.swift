import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport

@testable import StrongroomSync

// What has to hold.

extension EngineSimulation {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private func require(_ holds: Bool, _ what: @autoclosure () -> String) throws {
        if !holds { throw Failure(description: what()) }
    }

    /// What holds after each exchange of a device, however it ended.
    func check(_ index: Int) async throws {
        let device = devices[index]
        try await checkOwnWrites(index)
        let problems =
            try await chance(25)
            ? device.engine.verifyRows().problems : device.engine.differences()
        try require(problems.isEmpty, "device \(index): \(problems)")
        let runs = await device.engine.store.runs
        try require(
            runs.seen.allSatisfy { runs.vector.covers($0.value) },
            "device \(index) has merged batches before those that their authors had seen")
        try requireConstraints(index)
        try await checkOutbox(index)
        guard chance(25) else { return }
        let state = try await device.engine.mergedState()
        for (number, other) in devices.enumerated() where number != index && !hasCopies {
            let otherState = try await other.engine.mergedState()
            guard otherState.vector == state.vector,
                await other.engine.store.floor == device.engine.store.floor
            else { continue }
            try require(
                otherState.canonicalBytes == state.canonicalBytes,
                "devices \(index) and \(number) have merged the same, and have other states")
        }
    }

    /// What the hub may lose of this device's run is in the outbox; and what is in the hub never changes.
    private func checkOutbox(_ index: Int) async throws {
        let store = await devices[index].engine.store
        let run = Data(store.run.bytes)
        let numbers = try await devices[index].fixture.queue.read { db in
            try Int64.fetchAll(
                db,
                sql: "SELECT number FROM strongroom_sync_outbox WHERE run = ? ORDER BY number",
                arguments: [run])
        }
        let last = Int64(store.runs.vector[store.run])
        try require(
            numbers.last ?? 0 == last && Int64(numbers.count) == last - (numbers.first ?? 1) + 1,
            "device \(index) has batches up to \(last), and keeps \(numbers)")
        try require(
            hasFloors || numbers.first ?? 1 == 1, "device \(index) keeps \(numbers) of \(last)")
        let contents = hub.contents
        for (name, body) in hubContents where name.contains("/log/") {
            try require(
                hasFloors && contents[name] == nil || contents[name] == body,
                "the hub has something else under \(name)")
        }
        hubContents = contents
    }

    /// Taking what the app wrote changes none of its rows, but for what policies say. Held rows may appear.
    private func checkOwnWrites(_ index: Int) async throws {
        let device = devices[index]
        let before = try contents(of: device.fixture)
        try await device.engine.takeNotes()
        let after = try contents(of: device.fixture)
        let held = try await device.fixture.queue.read { db in
            try SyncReport.heldRows(db).map { "\($0.table) \($0.key)" }
        }
        // Where the app has deleted the oldest of several rows with one unique value, the next one is shown instead.
        for (key, row) in before where after[key] != row {
            try require(
                after[key] == nil && held.contains(key),
                "device \(index) had \(key) \(row), and has \(after[key] ?? "nothing")")
        }
    }

    /// The rows by their keys, without what policies change: a smaller value gives way to the greatest, a loop is cut,
    /// and a tag that is shown again is referred to again.
    private func contents(of fixture: EngineFixture) throws -> [String: String] {
        let queries = world.contents(in: fixture.version)
        return try fixture.queue.read { db in
            var contents: [String: String] = [:]
            for (table, keyCount, columns) in queries {
                for row in try Row.fetchAll(db, sql: "SELECT \(columns) FROM \(table)") {
                    let key = (0..<keyCount).map { "\(row[$0] as DatabaseValue)" }
                    // Held rows are named as other devices know them.
                    contents["\(table == "thing" ? "item" : table) \(key)"] = "\(row)"
                }
            }
            return contents
        }
    }

    private func requireConstraints(_ index: Int) throws {
        let fixture = devices[index].fixture
        let problems = try fixture.brokenConstraints()
        try require(problems.isEmpty, "device \(index): \(problems)")
    }

    /// No payment is lost, and each is in its tally once: they are written together, and never deleted.
    private func requirePayments(_ index: Int) async throws {
        guard world.name == EngineWorld.plain.name else { return }
        let fixture = devices[index].fixture
        let lost = payments.subtracting(try fixture.payments()).sorted()
        try require(lost.isEmpty, "device \(index) has lost the payments \(lost)")
        // Of two batches of one number, nobody knows what both have added.
        if hasCopies, losesHub { return }
        // What a copy had not sent may have been in batches that are deleted: such a counter is listed.
        if hasCopies, hasFloors, try devices.contains(where: { try $0.hasInexactTally }) { return }
        let wrong = try fixture.texts(
            """
            SELECT id, n, (SELECT total(amount) FROM payment WHERE tally = tally.id) AS paid
            FROM tally WHERE n <> paid
            """)
        try require(wrong.isEmpty, "device \(index) counts wrong: \(wrong)")
    }

    /// Exchanges until those who wrote what the hub lacks had time enough to send it again.
    private func waitForLost() async throws {
        for _ in 0..<3 {
            time.withLock { $0 += 11 * 60_000 }
            for index in devices.indices { try await devices[index].engine.synchronize() }
        }
    }

    /// Exchanges until nothing is new: then all devices have the same.
    func settle() async throws {
        if losesHub { try await waitForLost() }
        for index in devices.indices {
            for _ in devices[index].fixture.version..<world.upgrades.count {
                try await upgrade(index)
            }
        }
        for _ in 0..<4 {
            for index in devices.indices {
                time.withLock { $0 += 1000 }
                try await devices[index].engine.synchronize()
            }
        }
        let rows = try devices[0].fixture.rows()
        let state = try await devices[0].engine.mergedState()
        for index in devices.indices {
            let engine = devices[index].engine
            let differences = try await engine.differences()
            try require(differences.isEmpty, "device \(index): \(differences)")
            let status = engine.status
            try require(status.findings.isEmpty, "device \(index): \(status.findings)")
            try require(
                status.waitingBatches.isEmpty && status.unsentBatches == 0,
                "device \(index): batches wait")
            let own = try await engine.mergedState()
            try require(
                own.canonicalBytes == state.canonicalBytes && own.vector == state.vector,
                "device \(index) has another merged state in the end")
            let ownRows = try devices[index].fixture.rows()
            try require(ownRows == rows, "device \(index) shows \(ownRows), device 0 \(rows)")
            try requireConstraints(index)
            try await requirePayments(index)
        }
        let summary = try await devices[0].engine.synchronize()
        try require(summary.sentBatches == 0, "there is no end of sending")
        history += rows.map { "  \($0)" }
    }
}

extension EngineFixture {
    /// The keys of all payments.
    func payments() throws -> Set<String> {
        guard try queue.read({ try $0.tableExists("payment") }) else { return [] }
        return Set(try values("SELECT id FROM payment"))
    }
}

extension EngineSimulation.Device {
    fileprivate var hasInexactTally: Bool {
        get throws {
            try fixture.queue.read { try InexactCounters.all($0).contains { $0.table == "tally" } }
        }
    }
}
