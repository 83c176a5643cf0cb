import StrongroomSync
import StrongroomTestSupport
import Testing

@Suite("New runs, snapshots and floors")
struct RunAndFloorTests {
    typealias Tables = SimulatedSchema

    @Test(
        "a restored file sends what it had not sent under a new run: nothing lost, nothing twice",
        .proves("SYN-115", "SYN-116"))
    func restored() throws {
        let (row, values) = Meeting.list("l", n: 10)
        var meeting = try Meeting([(row, values)])
        let file = meeting.simulation.devices[0]
        // The device goes on and sends; then its file is put back, and gets other edits.
        meeting.update(0, row, 3, .integer(17))
        meeting.update(0, row, 1, .integer(7))
        try meeting.simulation.push(0, upTo: 99, isAnswerLost: true)
        let run = meeting.simulation.devices[0].run
        meeting.simulation.devices[0] = file
        meeting.simulation.time += 1000
        meeting.update(0, row, 3, .integer(12))
        meeting.update(0, row, 4, .integer(3))
        try meeting.simulation.drain(0)
        #expect(meeting.simulation.devices[0].number == 2)
        try meeting.meet(.firstFirst)
        #expect(meeting.simulation.devices[0].run != run)
        #expect(try meeting.shown(row)?[3] == .integer(19))
        #expect(try meeting.shown(row)?[1] == .integer(7))
        #expect(try meeting.shown(row)?[4] == .integer(3))
    }

    @Test(
        "a clone of which both go on: a clone notices at its next exchange, also by the vectors of others",
        .proves("SYN-115", "SYN-116"))
    func cloned() throws {
        let (row, values) = Meeting.list("l", n: 10)
        var meeting = try Meeting([(row, values)])
        meeting.simulation.devices.append(meeting.simulation.devices[0])
        for round in 0..<3 as Range<Int64> {
            for device in [0, 3] {
                guard case .integer(let n)? = meeting.simulation.devices[device].app[row]?[3] else {
                    throw Simulation.Failure(description: "no row")
                }
                meeting.update(device, row, 3, .integer(n + 1 + round))
                try meeting.simulation.push(device, upTo: 99, isAnswerLost: false)
            }
        }
        try meeting.meet(.firstFirst)
        #expect(try meeting.shown(row)?[3] == .integer(22))
        #expect(meeting.simulation.devices[0].run != meeting.simulation.devices[3].run)
    }

    @Test(
        "two batches of one number: who notices merges both and publishes the state",
        .proves("SYN-117"))
    func twoOfOneNumber() throws {
        let (row, values) = Meeting.list("l")
        var meeting = try Meeting([(row, values)])
        let file = meeting.simulation.devices[0]
        meeting.update(0, row, 1, .integer(7))
        try meeting.simulation.push(0, upTo: 99, isAnswerLost: false)
        try meeting.simulation.pull(1, upTo: nil)
        // The hub loses the batch, and the file is put back.
        let position = Tombstone.Position(file.run, file.number + 1)
        meeting.simulation.hub.log[position] = nil
        meeting.simulation.hub.heads[file.run] = file.number
        meeting.simulation.devices[0] = file
        meeting.update(0, row, 4, .integer(3))
        try meeting.simulation.push(0, upTo: 99, isAnswerLost: false)
        try meeting.simulation.pull(1, upTo: nil)
        #expect(meeting.simulation.hub.snapshots.count == 1)
        try meeting.meet(.firstFirst)
        #expect(try meeting.shown(row)?[1] == .integer(7))
        #expect(try meeting.shown(row)?[4] == .integer(3))
    }

    @Test("a batch waits for those that its author had merged", .proves("SYN-003"))
    func causality() {
        let (one, other) = (Run(high: 0, low: 1), Run(high: 0, low: 2))
        var state = MergedState(Tables.new)
        var seen = Vector()
        seen[one] = 1
        let second = BatchContent(run: other, number: 1, seen: seen, changes: [])
        let first = BatchContent(run: one, number: 1, seen: Vector(), changes: [])
        #expect(first.isValid && second.isValid)
        #expect(state.readiness(of: second) == .missing)
        #expect(state.readiness(of: first) == .ready)
        state.merge(first)
        #expect(state.readiness(of: first) == .merged)
        #expect(state.readiness(of: second) == .ready)
        var gap = first
        gap.number = 3
        #expect(!gap.isValid)
        gap.seen[one] = 2
        #expect(gap.isValid && state.readiness(of: gap) == .missing)
    }

    @Test("below the floor tombstones go, and nothing comes back", .proves("SYN-151"))
    func floor() throws {
        let (row, values) = Meeting.box("b")
        var meeting = try Meeting([(row, values)])
        meeting.delete(0, row)
        try meeting.settle()
        let merged = meeting.simulation.devices[0].source.merged
        let reported = meeting.simulation.devices.map(\.vector)
        let floor = Floor(number: 1, merged: merged.vector, reported: reported)
        var lowered = merged
        let old = merged.snapshot
        #expect(lowered.apply(floor).keys.contains(row))
        #expect(lowered.rows.isEmpty)
        // A snapshot with the tombstone changes nothing; one from before the deletion is refused.
        #expect(lowered.canMerge(old))
        lowered.merge(old)
        #expect(lowered.rows.isEmpty)
        var earlier = old
        earlier.vector = Vector()
        #expect(!lowered.canMerge(earlier))
        // Who has not applied the floor does not merge what came after it.
        let batch = BatchContent(
            run: Run(high: 5, low: 5), number: 1, seen: lowered.vector, floor: 1, changes: [])
        #expect(merged.readiness(of: batch) == .floor)
        #expect(lowered.readiness(of: batch) == .ready)
        // A floor that not all have passed leaves the tombstone.
        var behind = reported
        behind[1] = Vector()
        var kept = merged
        #expect(kept.apply(Floor(number: 1, merged: merged.vector, reported: behind)).isEmpty)
        #expect(kept.rows.count == 1)
    }

    @Test("a device that was away for too long", .proves("SYN-152", "SYN-153"))
    func longAway() {
        func decision(_ isInSnapshot: Bool, _ wasSent: Bool, _ edits: Bool, _ wins: Bool)
            -> ReturnDecision
        {
            ReturnDecision(
                isInSnapshot: isInSnapshot, wasSent: wasSent, hasUnsentEdits: edits, editWins: wins)
        }
        for edits in [true, false] {
            for wins in [true, false] {
                #expect(decision(true, true, edits, wins) == .merge)
                #expect(decision(true, false, edits, wins) == .merge)
                #expect(decision(false, false, edits, wins) == .send)
                #expect(
                    decision(false, true, edits, wins)
                        == (edits && wins ? .reinsert : .delete(hasUnsentEdits: edits)))
            }
        }
        // Its own state cannot be merged with a snapshot that has dropped what it needs.
        var away = MergedState(Tables.new)
        let run = Run(high: 0, low: 1)
        let row = Meeting.row(Tables.box, "b")
        away.merge(
            BatchContent(
                run: run, number: 1, seen: Vector(), changes: [RowChange(row, RowState(life: 1))]))
        var vector = Vector()
        vector[run] = 2
        let floor = Floor(number: 1, passed: vector, known: vector)
        let snapshot = SnapshotContent(vector: vector, floor: floor, rows: [])
        #expect(snapshot.isValid && !away.canMerge(snapshot))
        var new = MergedState(Tables.new)
        #expect(new.canMerge(snapshot))
        new.merge(snapshot)
        #expect(new.floor == floor && new.vector == vector)
    }
}
