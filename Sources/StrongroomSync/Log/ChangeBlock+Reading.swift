extension ChangeBlock {
    /// The changes in a block.
    ///
    /// - Parameter schema: Notes the tables and fields that only others have. Give a copy: after a refusal it may have some
    ///   of a block that does not count.
    /// - Throws: ``Refusal`` for bytes that no device writes.
    package static func decode(
        _ bytes: [UInt8], _ schema: inout MergeSchema
    ) throws(Refusal) -> [RowChange] {
        var reader = ObjectReader(bytes)
        var runs: [Run] = []
        for _ in 0..<(try reader.count(eachAtLeast: Run.byteCount)) {
            runs.append(try reader.run())
        }
        let limit = bytes.count > largestByteCount ? 1 : largestCount
        var changes: [RowChange] = []
        let tableCount = try reader.count(eachAtLeast: 8)
        guard tableCount <= largestTableCount else { throw .malformed("too many tables") }
        for _ in 0..<tableCount {
            var table = TableReader(runs: runs)
            try table.readStart(&reader, rowLimit: limit - changes.count)
            changes += try table.readRows(&reader, &schema)
        }
        try reader.requireEnd()
        return changes
    }

    private struct TableReader {
        let runs: [Run]
        private var name = ""
        private var names: [String] = []
        private var shapes: [Shape] = []
        private var keys: [RowKey] = []
        private var lives: [UInt64] = []
        private var shapeNumbers: [UInt64] = []
        private var stamps = Stamps()

        init(runs: [Run]) {
            self.runs = runs
        }

        mutating func readStart(
            _ reader: inout ObjectReader, rowLimit: Int
        ) throws(Refusal) {
            name = try reader.name()
            let nameCount = try reader.count(eachAtLeast: 2)
            guard nameCount <= largestNameCount else { throw .malformed("too many columns") }
            for _ in 0..<nameCount { names.append(try reader.name()) }
            for _ in 0..<(try reader.count()) { shapes.append(try shape(&reader)) }
            try readKeys(&reader, rowLimit)
            lives = try Self.column(&reader, keys.count, atMost: RowState.lifeLimit)
            guard !shapes.isEmpty else { throw .malformed("rows have no shape") }
            shapeNumbers = try Self.column(&reader, keys.count, atMost: UInt64(shapes.count - 1))
        }

        private func nameNumber(_ reader: inout ObjectReader) throws(Refusal) -> Int {
            guard !names.isEmpty else { throw .malformed("a name that is not in the list") }
            return Int(try reader.number(atMost: UInt64(names.count - 1)))
        }

        private func run(_ reader: inout ObjectReader) throws(Refusal) -> Run {
            guard !runs.isEmpty else { throw .malformed("a run that is not in the list") }
            return runs[Int(try reader.number(atMost: UInt64(runs.count - 1)))]
        }

        private func shape(_ reader: inout ObjectReader) throws(Refusal) -> Shape {
            var shape = Shape()
            let bits = try reader.byte()
            shape.isAlive = bits & Shape.aliveBit != 0
            shape.hasBirth = bits & Shape.birthBit != 0
            shape.hasOneAuthor = bits & Shape.oneAuthorBit != 0
            guard bits < 8, shape.isAlive || bits == 0 else {
                throw .malformed("a shape that no row has")
            }
            guard shape.isAlive else { return shape }
            for _ in 0..<(try pieceCount(&reader)) {
                let field = try nameNumber(&reader)
                let columnCount = Int(try reader.number(atMost: UInt64(largestColumnCount)))
                var columns: [Int] = []
                for _ in 0..<max(columnCount - 1, 0) { columns.append(try nameNumber(&reader)) }
                shape.cells.append(
                    .init(field: field, content: columnCount == 0 ? .value : .group(columns)))
            }
            for _ in 0..<(try pieceCount(&reader)) {
                shape.counters.append(try nameNumber(&reader))
            }
            for _ in 0..<(try pieceCount(&reader)) {
                shape.extremes.append(
                    .init(field: try nameNumber(&reader), isMaximum: try reader.flag()))
            }
            return shape
        }

        private func pieceCount(_ reader: inout ObjectReader) throws(Refusal) -> Int {
            let count = try reader.count()
            guard count <= largestColumnCount else { throw .malformed("too many columns") }
            return count
        }

        private mutating func readKeys(
            _ reader: inout ObjectReader, _ rowLimit: Int
        ) throws(Refusal) {
            guard let form = KeyForm(rawValue: try reader.byte()) else {
                throw .malformed("keys in an unknown form")
            }
            let columnCount =
                form == .packed ? Int(try reader.number(atMost: UInt64(largestColumnCount))) : 1
            guard columnCount > 0 else { throw .malformed("keys without columns") }
            let count = try reader.count()
            guard (1...max(rowLimit, 1)).contains(count), rowLimit > 0 else {
                throw .malformed("too many rows")
            }
            keys.reserveCapacity(count)
            for _ in 0..<count {
                keys.append(try key(&reader, form, columnCount))
            }
        }

        private func key(
            _ reader: inout ObjectReader, _ form: KeyForm, _ columnCount: Int
        ) throws(Refusal) -> RowKey {
            switch form {
            case .raw: return RowKey(bytes: Array(try reader.counted()))
            case .uuid:
                let text = UUIDText.text(of: try reader.take(16), isUpper: false)
                return RowKey(bytes: KeyValues.bytes(of: [.text(text)]))
            case .packed:
                var values: [CellValue] = []
                for _ in 0..<columnCount { values.append(try PackedValue.read(&reader)) }
                return RowKey(bytes: KeyValues.bytes(of: values))
            }
        }

        private static func column(
            _ reader: inout ObjectReader, _ count: Int, atMost limit: UInt64
        ) throws(Refusal) -> [UInt64] {
            switch try mode(&reader) {
            case .same: return Array(repeating: try reader.number(atMost: limit), count: count)
            case .each:
                var numbers: [UInt64] = []
                for _ in 0..<count { numbers.append(try reader.number(atMost: limit)) }
                return numbers
            }
        }

        private static func mode(_ reader: inout ObjectReader) throws(Refusal) -> Mode {
            guard let mode = Mode(rawValue: try reader.byte()) else {
                throw .malformed("a column in an unknown form")
            }
            return mode
        }

        // MARK: Rows

        mutating func readRows(
            _ reader: inout ObjectReader, _ schema: inout MergeSchema
        ) throws(Refusal) -> [RowChange] {
            let common = try Self.mode(&reader) == .same && needsAuthors ? try run(&reader) : nil
            var authors: [[Author]] = []
            authors.reserveCapacity(keys.count)
            for index in keys.indices {
                authors.append(
                    try readAuthors(of: shapes[Int(shapeNumbers[index])], common, &reader))
            }
            let table = schema.table(noting: name)
            var fields: [Int?] = Array(repeating: nil, count: names.count)
            var changes: [RowChange] = []
            changes.reserveCapacity(keys.count)
            for index in keys.indices {
                let shape = shapes[Int(shapeNumbers[index])]
                var state = try state(
                    RowState(life: lives[index]), shape, authors[index], &reader)
                state.renumber { number in
                    if let field = fields[number] { return field }
                    let field = schema.field(noting: names[number], in: table)
                    fields[number] = field
                    return field
                }
                changes.append(RowChange(RowID(table, keys[index]), state))
            }
            return changes
        }

        private var needsAuthors: Bool {
            shapeNumbers.contains { number in
                let shape = shapes[Int(number)]
                return shape.hasBirth || !shape.cells.isEmpty
            }
        }

        private mutating func readAuthors(
            of shape: Shape, _ common: Run?, _ reader: inout ObjectReader
        ) throws(Refusal) -> [Author] {
            let pieceCount = shape.cells.count + (shape.hasBirth ? 1 : 0)
            let count = shape.hasOneAuthor ? min(pieceCount, 1) : pieceCount
            var authors: [Author] = []
            for _ in 0..<count {
                let run = if let common { common } else { try run(&reader) }
                authors.append(Author(try stamps.read(&reader), run))
            }
            guard let first = authors.first, shape.hasOneAuthor else { return authors }
            return Array(repeating: first, count: pieceCount)
        }

        private func state(
            _ start: RowState, _ shape: Shape, _ authors: [Author],
            _ reader: inout ObjectReader
        ) throws(Refusal) -> RowState {
            var state = start
            guard state.isAlive == shape.isAlive else {
                throw .malformed("a life of another shape")
            }
            guard shape.isAlive else {
                state.tombstone = try tombstone(&reader)
                return state
            }
            var authors = authors[...]
            if shape.hasBirth { state.birth = authors.popFirst() }
            for (cell, author) in zip(shape.cells, authors) {
                state.cells.append(
                    Cell(cell.field, author, try content(cell.content, &reader)))
            }
            for counter in shape.counters {
                let run = try run(&reader)
                let count = try reader.number()
                state.counters.append(
                    CounterEntry(
                        counter, run, count: count, sum: try reader.wideSigned()))
            }
            for extreme in shape.extremes {
                state.extremes.append(
                    Extreme(
                        extreme.field, isMaximum: extreme.isMaximum,
                        try PackedValue.read(&reader)))
            }
            return state
        }

        private func content(
            _ content: Shape.Content, _ reader: inout ObjectReader
        ) throws(Refusal) -> CellContent {
            guard case .group(let columns) = content else {
                return .value(try PackedValue.read(&reader))
            }
            var values: [CellContent.GroupValue] = []
            for column in columns {
                values.append(.init(names[column], try PackedValue.read(&reader)))
            }
            return .group(values)
        }

        private func tombstone(_ reader: inout ObjectReader) throws(Refusal) -> Tombstone {
            var tombstone = Tombstone()
            for _ in 0..<(try reader.count(eachAtLeast: 2)) {
                let run = try run(&reader)
                tombstone.batches.append(.init(run, try reader.number()))
            }
            for _ in 0..<(try reader.count(eachAtLeast: 10)) {
                let field = try nameNumber(&reader)
                let run = try run(&reader)
                tombstone.seen.append(
                    .init(field, Author(Stamp(bits: try reader.fixed()), run)))
            }
            for _ in 0..<(try reader.count(eachAtLeast: 3)) {
                let field = try nameNumber(&reader)
                let run = try run(&reader)
                tombstone.seenCounts.append(.init(field, run, try reader.number()))
            }
            return tombstone
        }
    }
}

extension RowState {
    /// Gives fields the numbers of this device, whose order is another one.
    fileprivate mutating func renumber(_ number: (Int) -> Int) {
        for index in cells.indices { cells[index].field = number(cells[index].field) }
        for index in counters.indices { counters[index].field = number(counters[index].field) }
        for index in extremes.indices { extremes[index].field = number(extremes[index].field) }
        for index in tombstone.seen.indices {
            tombstone.seen[index].field = number(tombstone.seen[index].field)
        }
        for index in tombstone.seenCounts.indices {
            tombstone.seenCounts[index].field = number(tombstone.seenCounts[index].field)
        }
        cells.sort { $0.place < $1.place }
        counters.sort { $0.place < $1.place }
        extremes.sort { $0.place < $1.place }
        tombstone.batches.sort { $0.place < $1.place }
        tombstone.seen.sort { $0.place < $1.place }
        tombstone.seenCounts.sort { $0.place < $1.place }
    }
}
