import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport

@testable import StrongroomSync

/// Changes of every kind, from a seed.
struct RandomChanges {
    var random: SeededGenerator
    let runs: [Run]

    static let schema = MergeSchema([
        MergeTable(
            "item", key: [MergeColumn("id")],
            fields: [
                MergeField(MergeColumn("title")), MergeField(MergeColumn("count"), .counter),
                MergeField(group: "place", [MergeColumn("x"), MergeColumn("y")]),
                MergeField(MergeColumn("best"), .maximum),
            ], editWins: true),
        MergeTable(
            "tag", key: [MergeColumn("list"), MergeColumn("name")],
            fields: [MergeField(MergeColumn("color"))]),
    ])

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        runs = (0..<3).map { _ in
            Run(high: .random(in: .min ... .max, using: &random), low: seed)
        }.sorted()
        self.random = random
    }

    mutating func changes(_ count: Int) -> [RowChange] {
        var keys: Set<RowID> = []
        return (0..<count).compactMap { _ in
            let row = row()
            guard keys.insert(row).inserted else { return nil }
            return RowChange(row, state(row.table))
        }
    }

    private mutating func row() -> RowID {
        if Bool.random(using: &random) {
            return RowID(0, RowKey(bytes: KeyValues.bytes(of: [.text(uuid())])))
        }
        let key = KeyValues.bytes(of: [value(), value()].map { $0.isNull ? .integer(-5) : $0 })
        return RowID(1, RowKey(bytes: key))
    }

    mutating func uuid() -> [UInt8] {
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        return UUIDText.text(of: bytes, isUpper: false)
    }

    mutating func value() -> CellValue {
        switch Int.random(in: 0...9, using: &random) {
        case 0: .null
        case 1: .integer(.random(in: 0...127, using: &random))
        case 2: .integer(.random(in: .min ... .max, using: &random))
        case 3: .real(bits: random.pick([0, 1 << 63, 1, Double.pi.bitPattern, 0x7ff0 << 48]))
        case 4: .text(uuid())
        case 5: .text(UUIDText.text(of: (0..<16).map { UInt8($0 * 17) }, isUpper: true))
        case 6: .blob(random.bytes(upTo: 40))
        case 7: .blob((0..<16).map { _ in 0 })
        default: .text(random.bytes(upTo: 100))
        }
    }

    private mutating func author() -> Author {
        let milliseconds = 1_790_000_000_000 + Int64.random(in: -99_999...99_999, using: &random)
        let count = UInt64(random.pick([0, 0, 0, 1, 0xffff]))
        return Author(Stamp(bits: UInt64(milliseconds) << 16 | count), random.pick(runs))
    }

    private mutating func state(_ table: Int) -> RowState {
        var state = RowState(life: .random(in: 1...6, using: &random))
        guard state.isAlive else {
            state.tombstone = tombstone(table)
            return state
        }
        let one = author()
        let isOne = Bool.random(using: &random)
        if Bool.random(using: &random) { state.birth = one }
        if Bool.random(using: &random) {
            state.cells.append(Cell(0, isOne ? one : author(), .value(value())))
        }
        guard table == 0 else { return state }
        if Bool.random(using: &random) {
            let group = CellContent(group: [.init("x", value()), .init("y", value())])
            state.cells.append(Cell(2, isOne ? one : author(), group))
        }
        if Bool.random(using: &random) {
            let sum = Int128.random(in: (-1 << 90)...(1 << 90), using: &random)
            state.counters = runs.prefix(2).map { CounterEntry(1, $0, count: 3, sum: sum) }
        }
        if Bool.random(using: &random) {
            state.extremes.append(Extreme(3, isMaximum: true, value()))
        }
        return state
    }

    private mutating func tombstone(_ table: Int) -> Tombstone {
        var tombstone = Tombstone()
        tombstone.batches = runs.prefix(2).map { .init($0, .random(in: 1...999, using: &random)) }
        guard table == 0, Bool.random(using: &random) else { return tombstone }
        tombstone.seen = [.init(0, author()), .init(2, author())]
        tombstone.seenCounts = [.init(1, runs[0], 7)]
        return tombstone
    }
}
