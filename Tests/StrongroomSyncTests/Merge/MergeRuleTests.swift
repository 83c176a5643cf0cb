import StrongroomSync
import StrongroomTestSupport
import Testing

@Suite("Two devices that wrote without knowing of each other")
struct MergeRuleTests {
    @Test(
        "one deletes, the other edits: the row is deleted", .proves("SYN-040"),
        arguments: Arrival.allCases)
    func deletion(_ arrival: Arrival) throws {
        let (row, values) = Meeting.box("b")
        var meeting = try Meeting([(row, values)])
        meeting.delete(0, row)
        meeting.update(1, row, 1, .integer(5))
        try meeting.meet(arrival)
        #expect(try meeting.shown(row) == nil)
    }

    @Test(
        "one deletes, the other edits: where edits win, the row is back with all that it had, edits of several devices included",
        .proves("SYN-041"), arguments: Arrival.allCases)
    func editWins(_ arrival: Arrival) throws {
        let (row, values) = Meeting.note("n", text: .integer(1), in: "i", count: 3)
        var meeting = try Meeting([Meeting.list("l"), Meeting.item("i", in: "l"), (row, values)])
        meeting.delete(0, row)
        meeting.update(1, row, 1, .integer(55))
        meeting.update(2, row, 3, .integer(10))
        try meeting.meet(arrival)
        #expect(
            try meeting.shown(row) == [
                Meeting.text("n"), .integer(55), Meeting.text("i"), .integer(10),
            ])
        #expect(meeting.simulation.devices[0].source.state(of: row)?.life == 3)
    }

    @Test(
        "one deletes and inserts again: the new values hold, edits of the old life do not",
        .proves("SYN-042", "SYN-025"), arguments: Arrival.allCases)
    func reinsertion(_ arrival: Arrival) throws {
        let (row, values) = Meeting.box("b")
        var meeting = try Meeting([(row, values)])
        meeting.delete(0, row)
        meeting.insert(0, row, Meeting.box("b", title: .integer(7)).1)
        meeting.update(1, row, 1, .integer(5))
        try meeting.meet(arrival)
        #expect(try meeting.shown(row)?[1] == .integer(7))
    }

    @Test(
        "both delete: the row is dead; both insert it again: it is one row",
        .proves("SYN-043"), arguments: Arrival.allCases)
    func both(_ arrival: Arrival) throws {
        let (row, values) = Meeting.list("l")
        var meeting = try Meeting([(row, values)])
        meeting.delete(0, row)
        meeting.delete(1, row)
        try meeting.meet(arrival)
        #expect(try meeting.shown(row) == nil)
        meeting.insert(0, row, Meeting.list("l", n: 2).1)
        meeting.insert(1, row, Meeting.list("l", n: 3).1)
        meeting.update(1, row, 1, .integer(8))
        try meeting.meet(arrival)
        #expect(try meeting.shown(row)?[1] == .integer(8))
        #expect(try meeting.shown(row)?[3] == .integer(5))
        #expect(meeting.simulation.devices[0].source.state(of: row)?.life == 5)
    }

    @Test("both insert one key: it is one row", .proves("SYN-044"), arguments: Arrival.allCases)
    func oneKey(_ arrival: Arrival) throws {
        var meeting = try Meeting()
        let (row, values) = Meeting.box("b", title: .integer(1))
        meeting.insert(0, row, values)
        meeting.insert(1, row, Meeting.box("b", title: .integer(2)).1)
        try meeting.meet(arrival)
        #expect(try meeting.shown(row)?[1] == .integer(2))
    }

    @Test(
        "both edit one cell: the later edit holds", .proves("SYN-045"), arguments: Arrival.allCases)
    func oneCell(_ arrival: Arrival) throws {
        for first in [0, 1] {
            let (row, values) = Meeting.box("b")
            var meeting = try Meeting([(row, values)])
            meeting.update(first, row, 1, .integer(1))
            meeting.update(1 - first, row, 1, .integer(2))
            try meeting.meet(arrival)
            #expect(try meeting.shown(row)?[1] == .integer(2))
        }
    }

    @Test("of one time, the greater run holds, then the greater value", .proves("SYN-045"))
    func ties() {
        let stamp = Stamp(milliseconds: 5)
        let (low, high) = (Run(high: 0, low: 1), Run(high: 1, low: 0))
        func cell(_ run: Run, _ value: CellValue) -> RowState {
            var state = RowState(life: 1)
            state.cells = [Cell(0, Author(stamp, run), .value(value))]
            return state
        }
        let order = [
            cell(low, .null), cell(low, .integer(1)), cell(low, CellValue(1.0)),
            cell(low, .text([])),
            cell(low, .blob([])), cell(high, .null),
        ]
        for (index, one) in order.enumerated() {
            for other in order[index...] {
                var (merged, reversed) = (one, other)
                _ = merged.merge(other)
                _ = reversed.merge(one)
                #expect(merged == other && reversed == other)
            }
        }
    }

    @Test(
        "both edit different cells: both edits hold", .proves("SYN-046"),
        arguments: Arrival.allCases)
    func twoCells(_ arrival: Arrival) throws {
        let (row, values) = Meeting.list("l")
        var meeting = try Meeting([(row, values)])
        meeting.update(0, row, 1, .integer(5))
        meeting.update(1, row, 4, .integer(6))
        try meeting.meet(arrival)
        #expect(try meeting.shown(row)?[1] == .integer(5))
        #expect(try meeting.shown(row)?[4] == .integer(6))
    }

    @Test(
        "columns of one group travel and win together", .proves("SYN-047"),
        arguments: Arrival.allCases)
    func group(_ arrival: Arrival) throws {
        let (row, values) = Meeting.item("i", in: "l")
        var meeting = try Meeting([Meeting.list("l"), (row, values)])
        // Low is less than high at each author: 1...2 before, here 0...2, there 1...9.
        meeting.update(0, row, 5, .integer(0))
        meeting.update(1, row, 6, .integer(9))
        try meeting.meet(arrival)
        let shown = try meeting.shown(row)
        let columns = SimulatedSchema.new[SimulatedSchema.item]
        let (low, high) = (columns.column(named: "low"), columns.column(named: "high"))
        #expect(low == 6 && high == 5)
        #expect(shown.map { [$0[5], $0[6]] } == [.integer(1), .integer(9)])
    }

    @Test(
        "a key that changes is a row less and a row more; the children follow by their own edits",
        .proves("SYN-048"), arguments: Arrival.allCases)
    func keyChange(_ arrival: Arrival) throws {
        var meeting = try Meeting([Meeting.list("l"), Meeting.item("i", in: "l")])
        let item = Meeting.row(SimulatedSchema.item, "i")
        meeting.insert(0, Meeting.row(SimulatedSchema.list, "m"), Meeting.list("m").1)
        meeting.update(0, item, 2, Meeting.text("m"))
        meeting.delete(0, Meeting.row(SimulatedSchema.list, "l"))
        meeting.update(1, item, 1, .integer(9))
        try meeting.meet(arrival)
        #expect(try meeting.shown(Meeting.row(SimulatedSchema.list, "l")) == nil)
        #expect(try meeting.shown(item)?[2] == Meeting.text("m"))
        #expect(try meeting.shown(item)?[1] == .integer(9))
    }

    @Test("a table may be one group", .proves("SYN-049"), arguments: Arrival.allCases)
    func whole(_ arrival: Arrival) throws {
        let (row, values) = Meeting.doc("d", in: "l")
        var meeting = try Meeting([Meeting.list("l"), Meeting.list("m"), (row, values)])
        meeting.update(0, row, 2, Meeting.text("m"))
        meeting.update(1, row, 1, .integer(9))
        try meeting.meet(arrival)
        #expect(try meeting.shown(row) == [Meeting.text("d"), .integer(9), Meeting.text("l")])
    }

    @Test(
        "counters add up, also where a value was set", .proves("SYN-050"),
        arguments: Arrival.allCases)
    func counter(_ arrival: Arrival) throws {
        let (row, values) = Meeting.list("l", n: 10)
        var meeting = try Meeting([(row, values)])
        meeting.update(0, row, 3, .integer(12))
        meeting.update(1, row, 3, .integer(13))
        meeting.update(2, row, 3, .integer(0))
        try meeting.meet(arrival)
        #expect(try meeting.shown(row)?[3] == .integer(5))
    }

    @Test("a sum that is no integer of SQLite's holds the row", .proves("SYN-050"))
    func overflow() throws {
        let (row, values) = Meeting.list("l", n: Int64.max - 5)
        var meeting = try Meeting([(row, values)])
        meeting.update(0, row, 3, .integer(Int64.max))
        meeting.update(1, row, 3, .integer(Int64.max))
        try meeting.meet(.firstFirst)
        #expect(try meeting.shown(row) == nil)
        #expect(meeting.status(row) == .incomplete)
        // Who brings it back into the range shows it again: an edit of a held row is an insertion.
        meeting.insert(0, row, Meeting.list("l", n: 1).1)
        try meeting.meet(.firstFirst)
        #expect(try meeting.shown(row)?[3] == .integer(1))
    }

    @Test("greatest and least by SQLite's order", .proves("SYN-051"), arguments: Arrival.allCases)
    func extremes(_ arrival: Arrival) throws {
        let (row, values) = Meeting.tag("t", .integer(1), best: .integer(5), worst: .integer(5))
        var meeting = try Meeting([(row, values)])
        meeting.update(0, row, 2, CellValue(7.5))
        meeting.update(1, row, 2, .integer(7))
        meeting.update(0, row, 3, .text([]))
        meeting.update(1, row, 3, CellValue(-0.5))
        try meeting.meet(arrival)
        #expect(try meeting.shown(row)?[2] == CellValue(7.5))
        #expect(try meeting.shown(row)?[3] == CellValue(-0.5))
        // What is not greater is put back.
        meeting.update(0, row, 2, .integer(0))
        try meeting.meet(arrival)
        #expect(try meeting.shown(row)?[2] == CellValue(7.5))
    }

    @Test("values keep class and bits", .proves("SYN-056"))
    func values() throws {
        let all: [CellValue] = [
            .null, CellValue(.nan), .integer(1 << 60 + 1), CellValue(0.0), CellValue(-0.0),
            CellValue(1.0),
            .integer(1), CellValue(.leastNonzeroMagnitude), .text([]), .blob([]),
            .text([0x61, 0, 0x62]), .text([0xFF, 0xC0]),
            .text(Array("é".utf8)), .text(Array("e\u{301}".utf8)), .blob([0]),
        ]
        #expect(CellValue(Double.nan) == .null)
        for value in all {
            let (row, values) = Meeting.box("b", title: value)
            var meeting = try Meeting([(row, values)])
            try meeting.meet(.snapshot)
            #expect(try meeting.shown(row)?[1] == value)
        }
        #expect(Set(all).count == all.count - 1)
        #expect(all.sorted().sorted() == all.shuffled().sorted())
    }

    @Test(
        "an older version keeps what it does not know, of rows that it edits, and of tables",
        .proves("SYN-059", "SYN-141"))
    func unknown() throws {
        var meeting = try Meeting([Meeting.list("l")])
        meeting.simulation.devices.append(
            SimulatedDevice(meeting.simulation.newRun(), skew: 0, isOld: true))
        let list = Meeting.row(SimulatedSchema.list, "l")
        let pair = Meeting.row(SimulatedSchema.pair, "p")
        meeting.update(0, list, 4, .integer(3))
        meeting.insert(0, pair, [Meeting.text("p"), .null])
        try meeting.settle()
        #expect(meeting.simulation.devices[3].app[list]?.count == 4)
        meeting.update(3, list, 1, .integer(42))
        try meeting.settle()
        // A device that knows nothing but the old one's snapshot.
        let rows = meeting.simulation.devices[3].source.merged.canonicalBytes
        var device = SimulatedDevice(meeting.simulation.newRun(), skew: 0, isOld: false)
        let changes = try device.decode(rows)
        device.source.change { $0.merge(changes) }
        #expect(device.source.merged.canonicalBytes == rows)
        var full = FullProjection(of: device.source)
        let shown = full.run()
        #expect(shown[list]?.values?[1] == .integer(42) && shown[list]?.values?[4] == .integer(3))
        #expect(shown[pair]?.status.level == .shown)
    }
}
