import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("Units of changes", .proves("SYN-081"))
struct UnitTests {
    private func parts(_ changes: [RowChange], capacity: Int = UnitWriter.capacity) throws
        -> [UnitPart]
    {
        var parts: [UnitPart] = []
        var writer = UnitWriter(RandomChanges.schema, seen: Vector(), capacity: capacity) {
            parts.append($0)
        }
        for change in changes { try writer.add(change) }
        try writer.finish()
        return parts
    }

    private func read(_ parts: [UnitPart]) throws -> [RowChange] {
        var reader = UnitReader()
        var schema = RandomChanges.schema
        var changes: [RowChange] = []
        for part in parts { changes += try reader.add(part, &schema) ?? [] }
        #expect(reader.isComplete)
        return changes
    }

    @Test("are cut into parts that fit, and come back whole")
    func roundTrip() throws {
        for seed in UInt64(1)...40 {
            var random = RandomChanges(seed: seed)
            let changes = random.changes(60)
            let capacity = Int.random(in: 300...4000, using: &random.random)
            let parts = try parts(changes, capacity: capacity)
            #expect(parts.count > 1 && parts.allSatisfy { $0.piece.count <= capacity })
            #expect(parts.map(\.index) == (0..<UInt64(parts.count)).map { $0 })
            #expect(parts.map(\.isLast) == parts.indices.map { $0 == parts.count - 1 })
            #expect(try Set(read(parts)) == Set(changes), "seed \(seed)")
        }
        #expect(try parts([]).count == 1)
        #expect(try read(parts([])).isEmpty)
    }

    @Test("of many changes and of one long row fit into batches")
    func large() throws {
        var fixture = try SpaceFixture()
        _ = try fixture.device()
        var writer = try BatchWriter(fixture.me, fixture.randomness)
        let author = Author(Stamp(milliseconds: SpaceFixture.start), writer.run)
        var random = RandomChanges(seed: 9)
        var changes = (0..<25_000).map { index in
            var state = RowState(life: 1)
            state.cells = [Cell(0, author, .value(.integer(Int64(index))))]
            return RowChange(
                RowID(0, RowKey(bytes: KeyValues.bytes(of: [.text(random.uuid())]))), state)
        }
        var long = RowState(life: 1)
        long.cells = [Cell(0, author, .value(.blob([UInt8](repeating: 7, count: 5 << 20))))]
        changes.append(RowChange(RowID(0, RowKey(bytes: KeyValues.bytes(of: [.integer(1)]))), long))

        let parts = try parts(changes)
        #expect(parts.count >= 8)
        var verified: [UnitPart] = []
        var tail: LogTail?
        for part in parts {
            var body = writer.body(fixture, [])
            body.seen[writer.run] = writer.number - part.index
            body.part = part.index
            body.isLastPart = part.isLast
            body.isBlockEnd = part.isBlockEnd
            body.piece = part.piece
            let name = writer.nextName
            let bytes = try writer.write(body, fixture)
            #expect(bytes.count <= 1 << 20)
            let batch = try fixture.verification.batch(bytes, under: name, after: tail)
            tail = batch.tail
            verified.append(batch.body.unitPart)
        }
        let read = try read(verified)
        #expect(read.count == changes.count && Set(read) == Set(changes))
    }

    @Test("whose parts are missing, doubled, or in another order are refused")
    func wrongParts() throws {
        var random = RandomChanges(seed: 5)
        let parts = try parts(random.changes(60), capacity: 1000)
        for wrong in [
            Array(parts.dropFirst()), [parts[0], parts[0]], [parts[0], parts[2]],
            parts + [parts[0]], parts + parts,
        ] {
            #expect(throws: Refusal.self) { try read(wrong) }
        }
    }

    @Test("that never end take no more memory than a row may have")
    func endless() throws {
        var reader = UnitReader()
        var schema = RandomChanges.schema
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        var count = 0
        #expect(throws: Refusal.tooLarge) {
            while true {
                let part = UnitPart(
                    index: UInt64(count), isLast: false, isBlockEnd: false, piece: piece)
                _ = try reader.add(part, &schema)
                count += 1
            }
        }
        #expect(count == 64)
    }

    @Test("of several rows in a block of several parts are refused: they could take any memory")
    func manyRowsInPieces() throws {
        var random = RandomChanges(seed: 6)
        let block = ChangeBlock.encode(random.changes(5), RandomChanges.schema)
        let half = block.count / 2
        let pieces = [Array(block[..<half]), Array(block[half...])]
        #expect(throws: Refusal.self) {
            try read(
                pieces.enumerated().map {
                    UnitPart(
                        index: UInt64($0.offset), isLast: $0.offset == 1,
                        isBlockEnd: $0.offset == 1, piece: $0.element)
                })
        }
    }
}
