import StrongroomSync
import StrongroomTestSupport
import Testing

@Suite("What is shown where constraints meet")
struct ConstraintTests {
    typealias Tables = SimulatedSchema

    @Test(
        "a parent that is gone: its children are held, shown without it, or with the default",
        .proves("SYN-120"), arguments: Arrival.allCases)
    func actions(_ arrival: Arrival) throws {
        var meeting = try Meeting([Meeting.list("list0"), Meeting.list("l")])
        let list = Meeting.row(Tables.list, "l")
        let (item, itemValues) = Meeting.item("i", in: "l")
        let (sub, subValues) = Meeting.list("sub", parent: Meeting.text("l"))
        let (box, boxValues) = Meeting.box("b", in: Meeting.text("l"))
        meeting.delete(0, list)
        meeting.insert(1, item, itemValues)
        meeting.insert(1, sub, subValues)
        meeting.insert(1, box, boxValues)
        try meeting.meet(arrival)
        #expect(try meeting.shown(item) == nil && meeting.status(item) == .orphan)
        #expect(try meeting.shown(sub)?[2] == .null)
        #expect(try meeting.shown(box)?[2] == Meeting.text("list0"))
        // The cells keep their values underneath: with the list come all of them.
        meeting.insert(1, list, Meeting.list("l").1)
        try meeting.meet(arrival)
        #expect(try meeting.shown(item)?[2] == Meeting.text("l"))
        #expect(try meeting.shown(sub)?[2] == Meeting.text("l"))
        #expect(try meeting.shown(box)?[2] == Meeting.text("l"))
    }

    @Test(
        "RESTRICT: who wrote the child brings the parent back with its values",
        .proves("SYN-120"), arguments: Arrival.allCases)
    func restrict(_ arrival: Arrival) throws {
        var meeting = try Meeting([Meeting.list("l", n: 4)])
        let list = Meeting.row(Tables.list, "l")
        let (doc, values) = Meeting.doc("d", in: "l")
        meeting.delete(0, list)
        meeting.insert(1, doc, values)
        try meeting.meet(arrival)
        #expect(try meeting.shown(doc)?[2] == Meeting.text("l"))
        #expect(try meeting.shown(list)?[3] == .integer(4))
        #expect(meeting.simulation.devices[0].source.state(of: list)?.life == 3)
    }

    @Test("a default that is not there holds the row, until it comes", .proves("SYN-120"))
    func missingDefault() throws {
        var meeting = try Meeting([Meeting.list("l")])
        let (box, values) = Meeting.box("b", in: Meeting.text("l"))
        meeting.delete(0, Meeting.row(Tables.list, "l"))
        meeting.insert(1, box, values)
        try meeting.meet(.firstFirst)
        #expect(meeting.status(box) == .orphan)
        meeting.insert(2, Meeting.row(Tables.list, "list0"), Meeting.list("list0").1)
        try meeting.meet(.firstFirst)
        #expect(try meeting.shown(box)?[2] == Meeting.text("list0"))
        meeting.delete(1, Meeting.row(Tables.list, "list0"))
        try meeting.settle()
        // SQLite itself sets the column to the default that is being deleted, and refuses.
        #expect(try meeting.shown(Meeting.row(Tables.list, "list0")) != nil)
    }

    @Test(
        "a child that comes before its parent is held, and shown with it",
        .proves("SYN-121", "SYN-122"))
    func childFirst() throws {
        var simulation = try Simulation(devices: 1)
        let (list, listValues) = Meeting.list("l")
        let (item, itemValues) = Meeting.item("i", in: "l")
        simulation.devices[0].insert(list, listValues, at: 1)
        simulation.devices[0].insert(item, itemValues, at: 2)
        try simulation.push(0, upTo: 99, isAnswerLost: false)
        let rows = simulation.devices[0].source.merged.snapshot.rows
        for order in [rows, rows.reversed()] {
            var source = MemorySource(MergedState(Tables.new))
            for change in order {
                let touched = source.change { $0.merge([change]) }
                var projection = IncrementalProjection(of: source, after: touched)
                source.show(projection.run())
            }
            #expect(source.status(of: list).level == .shown)
            #expect(source.status(of: item).level == .shown)
            // Gone, and here again.
            var dead = try #require(source.state(of: list))
            dead = dead.ended(in: .init(Run(high: 0, low: 1), 1), isSeenKept: false)
            for state in [dead, RowState(life: 3, birth: rows[0].state.birth)] {
                var state = state
                if state.isAlive {
                    state.cells = rows[1].row == list ? rows[1].state.cells : rows[0].state.cells
                }
                let touched = source.change { $0.merge([RowChange(list, state)]) }
                var projection = IncrementalProjection(of: source, after: touched)
                source.show(projection.run())
                #expect(source.status(of: item).level == (state.isAlive ? .shown : .orphan))
            }
        }
    }

    @Test(
        "rows that refer to each other, and one that refers to itself, are shown together",
        .proves("SYN-124"))
    func mutual() throws {
        var source = MemorySource(MergedState(Tables.new))
        func pair(_ name: String, _ partner: String) -> RowChange {
            let author = Author(Stamp(bits: 5), Run(high: 0, low: 1))
            var state = RowState(life: 1, birth: author)
            state.cells = [Cell(0, author, .value(Meeting.text(partner)))]
            return RowChange(Meeting.row(Tables.pair, name), state)
        }
        for change in [pair("a", "b"), pair("b", "c"), pair("self", "self")] {
            let touched = source.change { $0.merge([change]) }
            var projection = IncrementalProjection(of: source, after: touched)
            source.show(projection.run())
        }
        #expect(source.status(of: Meeting.row(Tables.pair, "a")).level == .orphan)
        #expect(source.status(of: Meeting.row(Tables.pair, "self")).level == .shown)
        let touched = source.change { $0.merge([pair("c", "a")]) }
        var projection = IncrementalProjection(of: source, after: touched)
        source.show(projection.run())
        for name in ["a", "b", "c"] {
            #expect(source.status(of: Meeting.row(Tables.pair, name)).level == .shown)
        }
    }

    @Test(
        "a loop of moves is cut at the newest edge, and held where NULL cannot stand",
        .proves("SYN-125"))
    func loops() throws {
        for table in [Tables.list, Tables.node] {
            for newest in [0, 1] {
                var meeting = try Meeting()
                for name in ["a", "b"] {
                    let values =
                        table == Tables.list
                        ? Meeting.list(name).1 : [Meeting.text(name), .null, .null]
                    meeting.insert(0, Meeting.row(table, name), values)
                }
                try meeting.settle()
                let rows = ["a", "b"].map { Meeting.row(table, $0) }
                meeting.update(
                    1 - newest, rows[1 - newest], 2, Meeting.text(newest == 1 ? "b" : "a"))
                meeting.update(newest, rows[newest], 2, Meeting.text(newest == 1 ? "a" : "b"))
                try meeting.meet(.firstFirst)
                let other = rows[1 - newest]
                if table == Tables.list {
                    #expect(try meeting.shown(rows[newest])?[2] == .null)
                    #expect(try meeting.shown(other)?[2] == rows[newest].key.values[0])
                } else {
                    #expect(meeting.status(rows[newest]) == .loop)
                    #expect(meeting.status(other) == .stranded)
                }
                guard table == Tables.list else { continue }
                meeting.update(2, other, 2, .null)
                try meeting.meet(.firstFirst)
                #expect(try meeting.shown(rows[newest])?[2] == other.key.values[0])
            }
        }
    }

    @Test(
        "of equal unique values the oldest row is shown; a new value of either shows both",
        .proves("SYN-126"), arguments: Arrival.allCases)
    func unique(_ arrival: Arrival) throws {
        for changed in [0, 1] {
            var meeting = try Meeting()
            let (old, oldValues) = Meeting.tag("z", .integer(1))
            let (young, youngValues) = Meeting.tag("a", .integer(1))
            meeting.insert(0, old, oldValues)
            meeting.insert(1, young, youngValues)
            try meeting.meet(arrival)
            #expect(try meeting.shown(old) != nil && meeting.status(young) == .rival)
            if changed == 0 {
                meeting.update(2, old, 1, .integer(2))
            } else {
                meeting.insert(2, young, Meeting.tag("a", .integer(2)).1)
            }
            try meeting.meet(arrival)
            #expect(try meeting.shown(old) != nil)
            #expect(try meeting.shown(young) != nil)
        }
    }

    @Test(
        "unique values that two rows swap in one transaction are swapped everywhere",
        .proves("SYN-130"))
    func swap() throws {
        var meeting = try Meeting([Meeting.tag("a", .integer(1)), Meeting.tag("b", .integer(2))])
        let (one, other) = (Meeting.row(Tables.tag, "a"), Meeting.row(Tables.tag, "b"))
        meeting.update(0, one, 1, .integer(9))
        meeting.update(0, other, 1, .integer(1))
        meeting.update(0, one, 1, .integer(2))
        try meeting.meet(.firstFirst)
        #expect(try meeting.shown(one)?[1] == .integer(2))
        #expect(try meeting.shown(other)?[1] == .integer(1))
    }

    @Test("an insertion with the key of a held row is a new life of it", .proves("SYN-132"))
    func heldKey() throws {
        var meeting = try Meeting()
        meeting.insert(0, Meeting.row(Tables.tag, "z"), Meeting.tag("z", .integer(1)).1)
        meeting.insert(1, Meeting.row(Tables.tag, "a"), Meeting.tag("a", .integer(1)).1)
        try meeting.meet(.firstFirst)
        let held = Meeting.row(Tables.tag, "a")
        #expect(meeting.status(held) == .rival)
        meeting.insert(2, held, Meeting.tag("a", .integer(3)).1)
        try meeting.meet(.firstFirst)
        #expect(try meeting.shown(held)?[1] == .integer(3))
        #expect(meeting.simulation.devices[0].source.state(of: held)?.life == 5)
    }

    @Test("a row that does not fit is held, and stops no other", .proves("SYN-129"))
    func fitting() throws {
        var source = MemorySource(MergedState(Tables.new)) { values, table in
            table != Tables.box || values[1] != .integer(13)
        }
        let author = Author(Stamp(bits: 5), Run(high: 0, low: 1))
        var changes = [13, 14].map { number -> RowChange in
            var state = RowState(life: 1, birth: author)
            state.cells = [
                Cell(0, author, .value(.integer(Int64(number)))), Cell(1, author, .value(.null)),
            ]
            return RowChange(Meeting.row(Tables.box, "\(number)"), state)
        }
        // NOT NULL without a value.
        let incomplete = RowState(life: 1, birth: author)
        changes.append(RowChange(Meeting.row(Tables.tag, "t"), incomplete))
        let touched = source.change { $0.merge(changes) }
        var projection = IncrementalProjection(of: source, after: touched)
        source.show(projection.run())
        #expect(
            source.projected.mapValues(\.status.level) == [
                changes[0].row: .incomplete, changes[1].row: .shown, changes[2].row: .incomplete,
            ])
        var full = FullProjection(of: source)
        #expect(full.run() == source.projected)
    }
}
