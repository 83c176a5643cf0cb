import StrongroomSync
import StrongroomTestSupport
import Synchronization
import Testing

/// Counts the states that a projection asks for.
private struct CountingSource: ProjectionSource {
    final class Counter: Sendable {
        let count = Mutex(0)
    }

    let base: MemorySource
    let counter = Counter()

    var schema: MergeSchema { base.schema }
    func state(of row: RowID) -> RowState? {
        counter.count.withLock { $0 += 1 }
        return base.state(of: row)
    }
    func status(of row: RowID) -> RowStatus { base.status(of: row) }
    func children(of parent: RowID, by reference: ReferenceID) -> [RowID] {
        base.children(of: parent, by: reference)
    }
    func hasChildren(of parent: RowID, by reference: ReferenceID) -> Bool {
        base.hasChildren(of: parent, by: reference)
    }
    func rows(in table: Int, unique index: Int, equalTo values: [CellValue]) -> [RowID] {
        base.rows(in: table, unique: index, equalTo: values)
    }
    func rows(in table: Int) -> [RowID] { base.rows(in: table) }
    func parents(named values: [CellValue], in table: Int) -> [RowID] {
        base.parents(named: values, in: table)
    }
}

@Suite("A projection of what changed")
struct IncrementalProjectionTests {
    typealias Tables = SimulatedSchema

    private static let run = Run(high: 0, low: 1)

    private static func state(
        life: UInt64 = 1, _ stamp: UInt64, _ values: [Int: CellValue]
    ) -> RowState {
        let author = Author(Stamp(bits: stamp), run)
        var state = RowState(life: life, birth: author)
        for (field, value) in values { state.cells.put(Cell(field, author, .value(value))) }
        return state
    }

    private static func list(_ number: Int, parent: Int?, stamp: UInt64 = 1) -> RowChange {
        let parent = parent.map { Meeting.text("\($0)") } ?? .null
        return RowChange(
            Meeting.row(Tables.list, "\(number)"), state(stamp, [0: .integer(1), 1: parent]))
    }

    private static func item(_ number: Int, in list: String, stamp: UInt64 = 1) -> RowChange {
        var state = state(stamp, [0: .integer(1), 1: Meeting.text(list), 2: .null, 3: .null])
        let author = Author(Stamp(bits: stamp), run)
        state.cells.put(
            Cell(
                4, author,
                CellContent(group: [.init("low", .integer(1)), .init("high", .integer(2))])))
        return RowChange(Meeting.row(Tables.item, "\(number)"), state)
    }

    /// Merges changes and shows them; how many states were asked for.
    private static func show(_ changes: [RowChange], _ source: inout MemorySource) -> Int {
        let touched = source.change { $0.merge(changes) }
        let counting = CountingSource(base: source)
        var projection = IncrementalProjection(of: counting, after: touched)
        source.show(projection.run())
        return counting.counter.count.withLock { $0 }
    }

    private static func expectFull(_ source: MemorySource) {
        var full = FullProjection(of: source)
        #expect(full.run() == source.projected)
    }

    @Test("is the full one after random changes of any kind", .proves("SYN-131", "SYN-002"))
    func random() throws {
        _ = try Fuzzing().run("projections", inputs: 60, Self.history)
    }

    /// Shows random changes, and compares after each step with a projection of everything.
    static func history(_ random: inout SeededGenerator) throws {
        var source = MemorySource(MergedState(Tables.new))
        for step in 1...60 {
            var changes: [RowChange] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                changes.append(someChange(UInt64(step), &random))
            }
            _ = show(changes, &source)
            var full = FullProjection(of: source)
            let expected = full.run()
            try Fuzzing.expect(
                expected == source.projected,
                "step \(step): \(expected) is not \(source.projected)")
        }
    }

    /// A change of few rows, so that parents, loops and unique values meet.
    private static func someChange(_ step: UInt64, _ random: inout SeededGenerator) -> RowChange {
        let table = random.pick(Array(Tables.new.tables.indices))
        func key(_ table: Int) -> CellValue {
            Meeting.text("\(Tables.new[table].name)\(Int.random(in: 0...5, using: &random))")
        }
        let keys = table == Tables.link ? [key(Tables.item), key(Tables.tag)] : [key(table)]
        let row = RowID(table, RowKey(keys))
        let life = UInt64.random(in: 1...4, using: &random)
        var state = RowState(life: life)
        guard state.isAlive else {
            state.tombstone.batches = [.init(run, step)]
            return RowChange(row, state)
        }
        let author = Author(Stamp(bits: UInt64.random(in: 1...20, using: &random)), run)
        if Int.random(in: 0...2, using: &random) > 0 { state.birth = author }
        for (number, field) in Tables.new[table].fields.enumerated()
        where Int.random(in: 0...3, using: &random) > 0 {
            let values = field.columns.map { column -> CellContent.GroupValue in
                let referred = Tables.new[table].references.first { reference in
                    reference.columns.contains {
                        Tables.new[table].column(at: Tables.new[table].columns[$0]) == column
                    }
                }
                let isNull = Int.random(in: 0...4, using: &random) == 0
                let value =
                    referred.map { key($0.parent) }
                    ?? .integer(Int64.random(in: 0...1, using: &random))
                return .init(column.name, isNull ? .null : value)
            }
            switch field.kind {
            case .latest:
                let content = field.isGroup ? CellContent(group: values) : .value(values[0].value)
                state.cells.put(Cell(number, author, content))
            case .counter: state.counters.put(CounterEntry(number, run, count: step, sum: 1))
            default:
                state.extremes.put(
                    Extreme(number, isMaximum: field.kind == .maximum, .integer(Int64(step))))
            }
        }
        return RowChange(row, state)
    }

    @Test("of a chain of 3,000 parents costs a step a row, once", .proves("SYN-131"))
    func chain() {
        var source = MemorySource(MergedState(Tables.new))
        let count = 3000
        let first = (0..<count).map { Self.list($0, parent: $0 == 0 ? nil : $0 - 1) }
        #expect(Self.show(first.shuffled(), &source) <= 2 * count)
        // A leaf more, and a new title in the middle, do not walk the chain.
        #expect(Self.show([Self.list(count, parent: count - 1, stamp: 2)], &source) <= 10)
        var title = Self.list(count / 2, parent: count / 2 - 1, stamp: 1)
        title.state.cells[0].author.stamp = Stamp(bits: 9)
        #expect(Self.show([title], &source) <= 10)
        // The first under the last: a loop of all, cut at the newest edge; then it is opened.
        #expect(Self.show([Self.list(0, parent: count, stamp: 5)], &source) <= 2 * count + 10)
        #expect(source.status(of: Meeting.row(Tables.list, "0")).isCut)
        Self.expectFull(source)
        #expect(Self.show([Self.list(0, parent: nil, stamp: 7)], &source) <= 2 * count + 10)
        #expect(!source.status(of: Meeting.row(Tables.list, "0")).isCut)
        Self.expectFull(source)
    }

    @Test(
        "of a list with 5,000 items asks for its items only when the list comes or goes",
        .proves("SYN-131"))
    func bigList() {
        var source = MemorySource(MergedState(Tables.new))
        let count = 5000
        _ = Self.show([Self.list(1, parent: nil)], &source)
        #expect(Self.show((0..<count).map { Self.item($0, in: "1") }, &source) <= 2 * count)
        var title = Self.list(1, parent: nil)
        title.state.cells[0].author.stamp = Stamp(bits: 9)
        #expect(Self.show([title], &source) <= 5)
        #expect(Self.show([Self.item(7, in: "1", stamp: 3)], &source) <= 5)
        let row = Meeting.row(Tables.list, "1")
        var dead = RowState(life: 2)
        dead.tombstone.batches = [.init(Self.run, 1)]
        #expect(Self.show([RowChange(row, dead)], &source) <= 3 * count)
        #expect(source.projected.values.allSatisfy { $0.status.level == .orphan })
        var again = Self.list(1, parent: nil)
        again.state.life = 3
        #expect(Self.show([again], &source) <= 3 * count)
        #expect(source.projected.values.allSatisfy { $0.status.level == .shown })
        Self.expectFull(source)
    }

    @Test("of 1,000 equal unique values is decided once a batch", .proves("SYN-131", "SYN-126"))
    func rivals() {
        var source = MemorySource(MergedState(Tables.new))
        func tag(_ number: Int, _ name: Int64, _ stamp: Int) -> RowChange {
            RowChange(
                Meeting.row(Tables.tag, "\(number)"), Self.state(UInt64(stamp), [0: .integer(name)])
            )
        }
        let count = 1000
        #expect(Self.show((1...count).map { tag($0, 1, $0) }, &source) <= 4 * count)
        #expect(source.projected.values.filter { $0.status.level == .shown }.count == 1)
        // The oldest gets another name: the next one is shown.
        var renamed = tag(1, 2, 1)
        renamed.state.cells[0].author.stamp = Stamp(bits: 5000)
        #expect(Self.show([renamed], &source) <= 2 * count)
        #expect(source.status(of: Meeting.row(Tables.tag, "2")).level == .shown)
        Self.expectFull(source)
    }
}
