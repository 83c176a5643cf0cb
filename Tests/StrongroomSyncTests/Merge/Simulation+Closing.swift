import StrongroomSync
import StrongroomTestSupport

// What has to come out of a few cases, after whatever has happened before.

extension Simulation {
    /// Plays the cases with two devices; call it when all is quiet.
    mutating func close() throws {
        try reinsertion()
        try movesInALoop()
        try editAgainstDeletion()
        try countersAddUp()
        try parentIsKept()
        try finish()
    }

    mutating func settle() throws {
        for _ in 0..<3 {
            for index in devices.indices { try push(index, upTo: 99, isAnswerLost: false) }
            for index in devices.indices { try pull(index, upTo: nil) }
        }
        time += 1000
    }

    private func row(_ table: Int, _ name: String) -> RowID {
        RowID(table, RowKey([.text(Array(name.utf8))]))
    }

    private func text(_ text: String) -> CellValue { .text(Array(text.utf8)) }

    private mutating func insertList(_ index: Int, _ name: String) {
        var values: [CellValue] = [text(name), .integer(1), .null, .integer(0)]
        if !devices[index].isOld { values.append(.integer(1)) }
        devices[index].insert(row(SimulatedSchema.list, name), values, at: time)
    }

    private func expect(_ holds: Bool, _ what: String) throws {
        if !holds { throw Failure(description: what) }
    }

    private func all(_ row: RowID, _ column: Int, _ value: CellValue) -> Bool {
        devices.allSatisfy { $0.app[row]?[column] == value }
    }

    private mutating func reinsertion() throws {
        let row = row(SimulatedSchema.list, "again")
        insertList(0, "again")
        try settle()
        guard var values = devices[0].app[row] else { throw Failure(description: "no list") }
        devices[1].update(row, 1, .integer(5), at: time)
        values[1] = .integer(777)
        devices[0].delete(row, at: time)
        devices[0].insert(row, values, at: time)
        try settle()
        try expect(all(row, 1, .integer(777)), "a row inserted again is lost")
    }

    private mutating func movesInALoop() throws {
        let (one, other) = (row(SimulatedSchema.list, "x1"), row(SimulatedSchema.list, "x2"))
        insertList(0, "x1")
        insertList(0, "x2")
        try settle()
        // With wrong clocks nobody knows which edge is the newest.
        guard !options.hasNoClock else { return }
        devices[0].update(one, 2, text("x2"), at: time)
        time += 5000
        devices[1].update(other, 2, text("x1"), at: time)
        try settle()
        try expect(
            all(one, 2, text("x2")) && all(other, 2, .null), "the newest edge of a loop is not cut")
        devices[1].update(one, 2, .null, at: time)
        try settle()
        try expect(all(other, 2, text("x1")), "a cut edge did not come back")
    }

    private mutating func editAgainstDeletion() throws {
        let note = row(SimulatedSchema.note, "kept")
        let item = row(SimulatedSchema.item, "kept")
        devices[0].insert(
            item,
            [text("kept"), .null, text("x1"), .null, .null, .integer(1), .integer(2)], at: time)
        devices[0].insert(note, [text("kept"), .integer(1), text("kept"), .integer(3)], at: time)
        try settle()
        devices[0].delete(note, at: time)
        devices[1].update(note, 1, .integer(55), at: time)
        devices[1].update(note, 3, .integer(8), at: time)
        try settle()
        try expect(all(note, 1, .integer(55)) && all(note, 3, .integer(8)), "an edit did not win")
        devices[0].delete(note, at: time)
        try settle()
        try expect(
            devices.allSatisfy { $0.app[note] == nil }, "a deletion that saw all did not win")
    }

    private mutating func countersAddUp() throws {
        let list = row(SimulatedSchema.list, "x2")
        guard case .integer(let n)? = devices[0].app[list]?[3] else { return }
        devices[0].update(list, 3, .integer(n + 2), at: time)
        devices[1].update(list, 3, .integer(n + 3), at: time)
        try settle()
        try expect(all(list, 3, .integer(n + 5)), "a counter does not add up")
    }

    private mutating func parentIsKept() throws {
        let doc = row(SimulatedSchema.doc, "kept")
        devices[0].delete(row(SimulatedSchema.list, "x1"), at: time)
        devices[1].insert(doc, [text("kept"), .integer(1), text("x1")], at: time)
        let item = row(SimulatedSchema.item, "late")
        devices[1].insert(
            item,
            [text("late"), .null, text("x1"), .null, .integer(9), .integer(1), .integer(2)],
            at: time)
        try settle()
        try expect(
            all(doc, 2, text("x1")) && all(row(SimulatedSchema.list, "x1"), 0, text("x1")),
            "RESTRICT did not keep a parent")
    }
}
