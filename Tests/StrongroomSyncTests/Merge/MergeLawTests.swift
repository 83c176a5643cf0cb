import Foundation
import StrongroomCore
import StrongroomSync
import StrongroomTestSupport
import Testing

@Suite("The merge of two states", .tags(.slow))
struct MergeLawTests {
    /// `STRONGROOM_TRIPLES=1000000` is the full proof.
    private static let count =
        UInt64(ProcessInfo.processInfo.environment["STRONGROOM_TRIPLES"] ?? "") ?? 20_000

    private static let runs = [Run(high: 0, low: 9), Run(high: 1, low: 0), Run(high: 1, low: 5)]

    private static func author(_ random: inout SeededGenerator) -> Author {
        Author(Stamp(bits: UInt64.random(in: 0...3, using: &random)), random.pick(runs))
    }

    private static func value(_ random: inout SeededGenerator) -> CellValue {
        random.pick([
            .null, .integer(1), .integer(2), CellValue(1.0), CellValue(-0.0), CellValue(0.0),
            .integer(0),
            .text([]), .text([0]), .text([0xFF]), .blob([]), .blob([0]), .integer(.max),
            CellValue(0x1p63),
            .integer(.min), CellValue(-.infinity),
        ])
    }

    private static func content(_ random: inout SeededGenerator) -> CellContent {
        guard Int.random(in: 0...3, using: &random) == 0 else { return .value(value(&random)) }
        let columns = ["a", "b", "é", "e\u{301}"].shuffled(using: &random).prefix(2)
        return CellContent(group: columns.map { .init($0, value(&random)) })
    }

    /// A state of whatever kind, also such as no device makes.
    static func state(_ random: inout SeededGenerator) -> RowState {
        var state = RowState(life: UInt64.random(in: 1...4, using: &random))
        func some(_ body: (inout SeededGenerator) -> Void) {
            for _ in 0..<Int.random(in: 0...3, using: &random) { body(&random) }
        }
        guard state.isAlive else {
            let number = UInt64.random(in: 1...4, using: &random)
            state.tombstone.batches.put(.init(random.pick(runs), number))
            some { state.tombstone.batches.put(.init($0.pick(runs), number)) }
            some { state.tombstone.seen.put(.init(Int.random(in: 0...2, using: &$0), author(&$0))) }
            some { random in
                let (field, run) = (Int.random(in: 0...2, using: &random), random.pick(runs))
                state.tombstone.seenCounts.put(.init(field, run, number))
            }
            return state
        }
        if Bool.random(using: &random) { state.birth = author(&random) }
        some { state.cells.put(Cell(Int.random(in: 0...2, using: &$0), author(&$0), content(&$0))) }
        some { random in
            state.counters.put(
                CounterEntry(
                    Int.random(in: 0...1, using: &random), random.pick(runs),
                    count: UInt64.random(in: 1...3, using: &random),
                    sum: Int128.random(in: -2...2, using: &random)))
        }
        some { random in
            state.extremes.put(
                Extreme(
                    Int.random(in: 0...1, using: &random), isMaximum: Bool.random(using: &random),
                    value(&random)))
        }
        return state
    }

    private static func joined(_ one: RowState, _ other: RowState) -> RowState {
        var state = one
        _ = state.merge(other)
        return state
    }

    @Test(
        "is idempotent, commutative and associative, for whatever states there are",
        .proves("SYN-004"))
    func laws() throws {
        for seed in 0..<Self.count {
            var random = SeededGenerator(seed: seed)
            let one = Self.state(&random)
            let other = Self.state(&random)
            let third = Self.state(&random)
            try #require(one.isValid, "seed \(seed)")
            let both = Self.joined(one, other)
            guard Self.joined(one, one) == one, Self.joined(both, other) == both,
                both == Self.joined(other, one),
                Self.joined(both, third) == Self.joined(one, Self.joined(other, third))
            else {
                Issue.record("seed \(seed): \(one), \(other), \(third)")
                return
            }
        }
    }

    @Test("tells exactly what it changed", .proves("SYN-084"))
    func outcome() throws {
        let table = SimulatedSchema.new[SimulatedSchema.item]
        let row = RowID(SimulatedSchema.item, RowKey([.integer(1)]))
        var keeper = try DigestKeeper()
        for seed in 0..<Self.count / 10 {
            var random = SeededGenerator(seed: seed)
            let old = Self.state(&random)
            let change = Self.state(&random)
            var new = old
            let outcome = new.merge(change)
            #expect((outcome.kind == .nothing) == (new == old), "seed \(seed)")
            keeper.digest = StateDigest()
            try keeper.follow(row, in: table, from: nil, to: old)
            try keeper.follow(row, in: table, from: old, to: new)
            let followed = keeper.digest
            keeper.digest = StateDigest()
            try keeper.follow(row, in: table, from: nil, to: new)
            #expect(followed == keeper.digest, "seed \(seed)")
        }
    }

    @Test("of snapshots does not ask for their order, nor how often they come", .proves("SYN-004"))
    func snapshots() throws {
        for seed in 0..<Self.count / 20 {
            var random = SeededGenerator(seed: seed)
            let snapshots = (0..<3).map { _ in Self.snapshot(&random) }
            var states: [MergedState] = []
            for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0, 1], [0, 0, 2, 1, 2]] {
                var state = MergedState(SimulatedSchema.new)
                for number in order { state.merge(snapshots[number]) }
                states.append(state)
            }
            for state in states {
                try #require(state.rows == states[0].rows, "seed \(seed)")
                try #require(state.vector == states[0].vector, "seed \(seed)")
                try #require(state.canonicalBytes == states[0].canonicalBytes, "seed \(seed)")
            }
        }
    }

    private static func snapshot(_ random: inout SeededGenerator) -> SnapshotContent {
        var rows: [RowChange] = []
        for number in 0..<3 where Bool.random(using: &random) {
            rows.append(
                RowChange(
                    RowID(SimulatedSchema.item, RowKey([.integer(Int64(number))])), state(&random)))
        }
        var vector = Vector()
        for run in runs { vector[run] = UInt64.random(in: 0...3, using: &random) }
        return SnapshotContent(vector: vector, floor: Floor(), rows: rows)
    }
}

@Suite("Forms of a row's state")
struct RowFormTests {
    @Test(
        "the canonical form comes back as the same state, and no other bytes do", .proves("SYN-001")
    )
    func canonical() throws {
        let row = RowID(SimulatedSchema.item, RowKey([.text(Array("key".utf8))]))
        _ = try Fuzzing().run("canonical rows", inputs: 2000) { random in
            let state = MergeLawTests.state(&random)
            var schema = SimulatedSchema.new
            let bytes = state.canonicalBytes(of: row, in: schema[row.table])
            var reader = CanonicalReader(bytes)
            let change = try reader.row(noting: &schema)
            try Fuzzing.expect(
                change == RowChange(row, state) && reader.isAtEnd, "read \(change), not \(state)")
            let damaged = random.mutated(bytes)
            var other = CanonicalReader(damaged)
            guard let read = try? other.row(noting: &schema), other.isAtEnd else { return }
            let written = read.state.canonicalBytes(of: read.row, in: schema[read.row.table])
            try Fuzzing.expect(
                written == damaged, "\(damaged) was read, and written as \(written)")
        }
    }

    @Test("the stored form comes back as the same state", .proves("SYN-150"))
    func stored() throws {
        _ = try Fuzzing().run("stored rows", inputs: 5000) { random in
            let state = MergeLawTests.state(&random)
            // The row shows some of it, and something else.
            let shown: [Int: CellContent] = Dictionary(
                uniqueKeysWithValues: state.cells.filter { _ in Bool.random(using: &random) }
                    .map { ($0.field, $0.content) })
            var runs = RunTable([Run(high: 7, low: 7)])
            let bytes = StoredState.encode(state, runs: &runs) { shown[$0] }
            let kept = RunTable(runs.runs)
            let read = try StoredState.decode(bytes, runs: kept) { shown[$0] }
            try Fuzzing.expect(read == state, "read \(read), not \(state)")
            // Damage is an error or another state, never a crash.
            _ = try? StoredState.decode(random.mutated(bytes), runs: kept) { shown[$0] }
        }
    }

    @Test(
        "a new row of ten columns takes 15 bytes beside its key, a tombstone at most 24",
        .proves("SYN-150"))
    func sizes() {
        var runs = RunTable((0..<100).map { Run(high: 1, low: $0) })
        let author = Author(Stamp(milliseconds: 1_764_000_000_000), Run(high: 1, low: 99))
        var state = RowState(life: 1, birth: author)
        state.cells = (0..<10).map { Cell($0, author, .value(.integer(Int64($0)))) }
        let new = StoredState.encode(state, runs: &runs) { .value(.integer(Int64($0))) }
        #expect(new.count == 15)
        // Two columns were edited since, by another run, ten days later.
        let later = Author(Stamp(milliseconds: 1_764_864_000_000), Run(high: 1, low: 5))
        for field in [3, 4] { state.cells[field].author = later }
        let edited = StoredState.encode(state, runs: &runs) { .value(.integer(Int64($0))) }
        #expect(edited.count <= 35)
        let dead = state.ended(in: .init(later.run, 1 << 40), isSeenKept: false)
        #expect(StoredState.encode(dead, runs: &runs) { _ in nil }.count <= 24)
    }
}
