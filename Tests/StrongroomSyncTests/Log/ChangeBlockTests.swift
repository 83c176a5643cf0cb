import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("Blocks of changes", .proves("SYN-082"))
struct ChangeBlockTests {
    /// Changes with the names of their tables and fields, so that the numbers do not matter.
    private func named(_ changes: [RowChange], _ schema: MergeSchema) -> Set<[UInt8]> {
        Set(changes.map { $0.state.canonicalBytes(of: $0.row, in: schema[$0.row.table]) })
    }

    @Test("come back as they were, for devices that number tables otherwise or know none")
    func roundTrip() throws {
        for seed in UInt64(1)...300 {
            var random = RandomChanges(seed: seed)
            let changes = random.changes(.random(in: 0...40, using: &random.random))
            let bytes = ChangeBlock.encode(changes, RandomChanges.schema)
            var same = RandomChanges.schema
            let here = try ChangeBlock.decode(bytes, &same)
            #expect(Set(here) == Set(changes), "seed \(seed)")
            var other = MergeSchema(RandomChanges.schema.tables.reversed())
            let there = try ChangeBlock.decode(bytes, &other)
            #expect(
                named(there, other) == named(changes, RandomChanges.schema), "seed \(seed)")
            var none = MergeSchema([])
            let unknown = try ChangeBlock.decode(bytes, &none)
            #expect(named(unknown, none) == named(changes, RandomChanges.schema), "seed \(seed)")
            #expect(unknown.allSatisfy { $0.state.isValid }, "seed \(seed)")
        }
    }

    @Test("that were changed are refused or are other changes, and take little memory")
    func mutated() throws {
        var random = RandomChanges(seed: 7)
        let bytes = ChangeBlock.encode(random.changes(30), RandomChanges.schema)
        _ = try Fuzzing().run("a block", inputs: 5000) { random in
            let mutated = random.mutated(bytes)
            var schema = RandomChanges.schema
            do {
                let changes = try ChangeBlock.decode(mutated, &schema)
                try Fuzzing.expect(changes.count <= mutated.count, "more rows than bytes")
            } catch is Refusal {}
        }
    }

    @Test("with counts that nothing follows are refused before memory is taken")
    func hostileCounts() throws {
        var schema = RandomChanges.schema
        for count in [UInt64(1) << 20, 1 << 40, .max] {
            var bytes: [UInt8] = []
            bytes.append(number: count)
            #expect(throws: Refusal.self) { try ChangeBlock.decode(bytes, &schema) }
            // No runs, one table `t`, and then as many names, shapes, or rows.
            for start in [
                [0, 1, 1, 0x74], [0, 1, 1, 0x74, 0], [0, 1, 1, 0x74, 0, 1, 1, 0, 0, 0, 0],
            ] {
                var bytes = start.map(UInt8.init)
                bytes.append(number: count)
                bytes += [UInt8](repeating: 0, count: 100)
                #expect(throws: Refusal.self) { try ChangeBlock.decode(bytes, &schema) }
            }
        }
    }

    /// What one change takes in a batch, in bytes: header, signature, padding and all.
    private func byteCount(
        _ count: Int, _ padding: SyncPadding, _ state: (Int, Author) -> RowState
    ) throws -> Double {
        var fixture = try SpaceFixture()
        _ = try fixture.device()
        var writer = try BatchWriter(fixture.me, fixture.randomness)
        writer.padding = padding
        var random = RandomChanges(seed: 3)
        let changes = (0..<count).map { index in
            // Somebody types, or a program writes: a few milliseconds to a second from one to the next.
            let author = Author(
                Stamp(milliseconds: SpaceFixture.start + Int64(index * 700)), writer.run)
            return RowChange(
                RowID(0, RowKey(bytes: KeyValues.bytes(of: [.text(random.uuid())]))),
                state(index, author))
        }
        let bytes = try writer.write(changes, Self.wideSchema, fixture)
        return Double(bytes.count) / Double(count)
    }

    private static let wideSchema = MergeSchema([
        MergeTable(
            "reminder", key: [MergeColumn("id")],
            fields: (0..<10).map { MergeField(MergeColumn("column\($0)")) })
    ])

    private func cells(_ author: Author, _ values: [CellValue]) -> RowState {
        var state = RowState(life: 1)
        state.cells = values.enumerated().map { Cell($0.offset, author, .value($0.element)) }
        return state
    }

    @Test("take as many bytes a change as the bars say: a flag 22, a title 42, a row of ten 155")
    func sizes() throws {
        let title = Array("Milk, eggs and a cake".utf8)
        let texts = (0..<10).map { CellValue.text(Array("value \($0) 12345".utf8.prefix(12))) }
        let flag = try byteCount(1000, .none) { cells($1, [.integer(Int64($0 & 1))]) }
        let titled = try byteCount(1000, .none) { cells($1, [.text(title)]) }
        let row = try byteCount(1000, .none) { index, author in
            var state = cells(author, texts)
            state.birth = author
            return state
        }
        print("bytes a change at 1,000: flag \(flag), title \(titled), row of ten \(row)")
        #expect(flag <= 22)
        #expect(titled <= 42)
        #expect(row <= 155)
        let padded = try byteCount(1000, .padme) { cells($1, [.integer(Int64($0 & 1))]) }
        #expect(padded / flag < 1.08)
        for count in [1, 10] {
            let few = try byteCount(count, .none) { cells($1, [.integer(Int64($0 & 1))]) }
            print("bytes a change at \(count): flag \(few)")
        }
    }

    @Test("Padding hides lengths: few are left, and none is an eighth longer")
    func padding() throws {
        var lengths: Set<Int> = []
        for count in 1..<(1 << 16) {
            let padded = SyncPadding.padme(count)
            #expect(padded >= count && padded - count <= count / 8)
            lengths.insert(padded)
        }
        #expect(lengths.count < 300)
        let content = Array("content".utf8)
        for padding in [SyncPadding.padme, .none] {
            #expect(try SyncPadding.unpad(padding.pad(content)) == content)
        }
        var bytes = SyncPadding.padme.pad([UInt8](repeating: 1, count: 1000))
        bytes[bytes.count - 1] = 1
        #expect(throws: Refusal.self) { try SyncPadding.unpad(bytes) }
    }
}
