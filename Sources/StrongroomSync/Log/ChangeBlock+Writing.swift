extension ChangeBlock {
    /// The bytes of up to ``largestCount`` changes.
    package static func encode(_ changes: [RowChange], _ schema: MergeSchema) -> [UInt8] {
        precondition(changes.count <= largestCount)
        var order: [Int] = []
        var rows: [Int: [RowChange]] = [:]
        for change in changes {
            if rows[change.row.table] == nil { order.append(change.row.table) }
            rows[change.row.table, default: []].append(change)
        }
        var runs = Numbering<Run>()
        var body: [UInt8] = []
        body.append(number: UInt64(order.count))
        for number in order {
            var writer = TableWriter(schema[number], runs: runs)
            writer.write(rows[number] ?? [], to: &body)
            runs = writer.runs
        }
        var bytes: [UInt8] = []
        bytes.append(number: UInt64(runs.values.count))
        for run in runs.values { bytes.append(run) }
        return bytes + body
    }

    /// Values and the numbers that they were given.
    private struct Numbering<Value: Hashable> {
        private(set) var values: [Value] = []
        private var numbers: [Value: Int] = [:]

        mutating func number(of value: Value) -> UInt64 {
            if let number = numbers[value] { return UInt64(number) }
            numbers[value] = values.count
            values.append(value)
            return UInt64(values.count - 1)
        }
    }

    /// The section of one table.
    private struct TableWriter {
        let table: MergeTable
        var runs: Numbering<Run>
        /// By their bytes: Swift takes different bytes for equal.
        private var names = Numbering<[UInt8]>()
        private var shapes = Numbering<Shape>()
        private var stamps = Stamps()

        init(_ table: MergeTable, runs: Numbering<Run>) {
            self.table = table
            self.runs = runs
        }

        mutating func write(_ rows: [RowChange], to bytes: inout [UInt8]) {
            let shapeNumbers = rows.map { shapes.number(of: shape(of: $0.state)) }
            var values: [UInt8] = []
            var authors: [Author] = []
            for row in rows { append(row.state, to: &values, &authors) }
            let authorBytes = encode(authors)

            bytes.append(counted: table.name.utf8)
            bytes.append(number: UInt64(names.values.count))
            for name in names.values { bytes.append(counted: name) }
            bytes.append(number: UInt64(shapes.values.count))
            for shape in shapes.values { Self.append(shape, to: &bytes) }
            Self.appendKeys(rows.map(\.row.key), to: &bytes)
            Self.append(column: rows.map(\.state.life), to: &bytes)
            Self.append(column: shapeNumbers, to: &bytes)
            bytes += authorBytes
            bytes += values
        }

        private mutating func number(_ field: Int) -> Int {
            Int(names.number(of: Array(table.fields[field].name.utf8)))
        }

        private mutating func shape(of state: RowState) -> Shape {
            var shape = Shape()
            shape.isAlive = state.isAlive
            guard state.isAlive else { return shape }
            shape.hasBirth = state.birth != nil
            let authors = state.cells.map(\.author) + (state.birth.map { [$0] } ?? [])
            shape.hasOneAuthor = authors.dropFirst().allSatisfy { $0 == authors[0] }
            for cell in state.cells {
                let field = number(cell.field)
                switch cell.content {
                case .value: shape.cells.append(.init(field: field, content: .value))
                case .group(let values):
                    let columns = values.map { Int(names.number(of: Array($0.column.utf8))) }
                    shape.cells.append(.init(field: field, content: .group(columns)))
                }
            }
            for counter in state.counters { shape.counters.append(number(counter.field)) }
            for extreme in state.extremes {
                shape.extremes.append(
                    .init(field: number(extreme.field), isMaximum: extreme.isMaximum))
            }
            return shape
        }

        private static func append(_ shape: Shape, to bytes: inout [UInt8]) {
            bytes.append(
                (shape.isAlive ? Shape.aliveBit : 0) | (shape.hasBirth ? Shape.birthBit : 0)
                    | (shape.hasOneAuthor ? Shape.oneAuthorBit : 0))
            guard shape.isAlive else { return }
            bytes.append(number: UInt64(shape.cells.count))
            for cell in shape.cells {
                bytes.append(number: UInt64(cell.field))
                switch cell.content {
                case .value: bytes.append(number: 0)
                case .group(let columns):
                    bytes.append(number: UInt64(columns.count + 1))
                    for column in columns { bytes.append(number: UInt64(column)) }
                }
            }
            bytes.append(number: UInt64(shape.counters.count))
            for field in shape.counters { bytes.append(number: UInt64(field)) }
            bytes.append(number: UInt64(shape.extremes.count))
            for extreme in shape.extremes {
                bytes.append(number: UInt64(extreme.field))
                bytes.append(extreme.isMaximum ? 1 : 0)
            }
        }

        private static func appendKeys(_ keys: [RowKey], to bytes: inout [UInt8]) {
            let (form, values) = KeyForm.form(of: keys)
            bytes.append(form.rawValue)
            if form == .packed { bytes.append(number: UInt64(values.first?.count ?? 0)) }
            bytes.append(number: UInt64(keys.count))
            switch form {
            case .raw: for key in keys { bytes.append(counted: key.bytes) }
            case .packed:
                for value in values.joined() { PackedValue.append(value, to: &bytes) }
            case .uuid:
                for case .text(let text) in values.joined() {
                    bytes += UUIDText.bytes(of: text)?.bytes ?? []
                }
            }
        }

        private static func append(column numbers: [UInt64], to bytes: inout [UInt8]) {
            guard let first = numbers.first else { return }
            if numbers.allSatisfy({ $0 == first }) {
                bytes.append(Mode.same.rawValue)
                bytes.append(number: first)
            } else {
                bytes.append(Mode.each.rawValue)
                for number in numbers { bytes.append(number: number) }
            }
        }

        private mutating func encode(_ authors: [Author]) -> [UInt8] {
            var bytes: [UInt8] = []
            let first = authors.first?.run
            if authors.allSatisfy({ $0.run == first }) {
                bytes.append(Mode.same.rawValue)
                if let first { bytes.append(number: runs.number(of: first)) }
                for author in authors { stamps.append(author.stamp, to: &bytes) }
            } else {
                bytes.append(Mode.each.rawValue)
                for author in authors {
                    bytes.append(number: runs.number(of: author.run))
                    stamps.append(author.stamp, to: &bytes)
                }
            }
            return bytes
        }

        // MARK: Rows

        private mutating func append(
            _ state: RowState, to values: inout [UInt8], _ authors: inout [Author]
        ) {
            guard state.isAlive else { return append(state.tombstone, to: &values) }
            let own = (state.birth.map { [$0] } ?? []) + state.cells.map(\.author)
            if own.dropFirst().allSatisfy({ $0 == own[0] }) {
                authors += own.prefix(1)
            } else {
                authors += own
            }
            for cell in state.cells {
                switch cell.content {
                case .value(let value): PackedValue.append(value, to: &values)
                case .group(let group):
                    for value in group { PackedValue.append(value.value, to: &values) }
                }
            }
            for counter in state.counters {
                values.append(number: runs.number(of: counter.run))
                values.append(number: counter.count)
                values.append(wideSigned: counter.sum)
            }
            for extreme in state.extremes { PackedValue.append(extreme.value, to: &values) }
        }

        private mutating func append(_ tombstone: Tombstone, to values: inout [UInt8]) {
            values.append(number: UInt64(tombstone.batches.count))
            for batch in tombstone.batches {
                values.append(number: runs.number(of: batch.run))
                values.append(number: batch.number)
            }
            values.append(number: UInt64(tombstone.seen.count))
            for seen in tombstone.seen {
                values.append(number: UInt64(number(seen.field)))
                values.append(number: runs.number(of: seen.author.run))
                values.append(fixed: seen.author.stamp.bits)
            }
            values.append(number: UInt64(tombstone.seenCounts.count))
            for seen in tombstone.seenCounts {
                values.append(number: UInt64(number(seen.field)))
                values.append(number: runs.number(of: seen.run))
                values.append(number: seen.count)
            }
        }
    }
}
