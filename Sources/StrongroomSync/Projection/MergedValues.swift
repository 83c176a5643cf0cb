/// A living row as the projection sees it: its merged values, one for each column.
struct MergedRow {
    let table: MergeTable
    let row: RowID
    let birth: Author
    /// Who wrote the acyclic reference, as far as a loop asks.
    let edgeAuthor: Author
    let values: [CellValue]

    /// Nil for a row that is dead or lacks a needed value.
    ///
    /// - Parameter absent: Computes the value of a column from the others, where an expression stands for it.
    init?(
        _ row: RowID, _ state: RowState?, in table: MergeTable,
        absent: (_ column: Int, _ values: [CellValue]) -> CellValue? = { _, _ in nil }
    ) {
        guard let state, state.isAlive, let birth = state.birth, table.isKnown,
            let values = table.mergedValues(of: row, state, absent: absent)
        else { return nil }
        self.table = table
        self.row = row
        self.birth = birth
        self.values = values
        edgeAuthor = table.edgeAuthor(in: state)
    }

    /// The values of a foreign key; nil if one is NULL, so that it refers to nothing.
    func target(of reference: Int) -> [CellValue]? {
        let values = table.references[reference].columns.map { self.values[$0] }
        return values.contains(.null) ? nil : values
    }

    /// The values of a unique index; nil if one is NULL, so that nothing is equal.
    func uniqueValues(_ index: Int) -> [CellValue]? {
        let unique = table.uniques[index]
        let values = unique.columns.map { self.values[$0] }
        return values.prefix(unique.plainCount).contains(.null) ? nil : values
    }

    /// Which of two rows of a table is older.
    func isOlder(than other: MergedRow) -> Bool {
        birth == other.birth ? row.key < other.row.key : birth < other.birth
    }

    /// Whether the edge of this row is cut rather than that of another one in the same loop.
    func isCut(before other: MergedRow) -> Bool {
        let (author, otherAuthor) = (edgeAuthor, other.edgeAuthor)
        return author == otherAuthor ? other.row.key < row.key : otherAuthor < author
    }
}

extension MergeTable {
    /// The values of a living row, one for each of the columns; nil if a needed one is missing.
    package func mergedValues(
        of row: RowID, _ state: RowState,
        absent: (_ column: Int, _ values: [CellValue]) -> CellValue? = { _, _ in nil }
    ) -> [CellValue]? {
        let keyValues = row.key.values
        guard keyValues.count == key.count else { return nil }
        var values: [CellValue] = []
        var computed: [Int] = []
        values.reserveCapacity(columns.count)
        for (index, place) in columns.enumerated() {
            switch place {
            case .key(let index):
                values.append(keyValues[index])
            case .field(let field, let column):
                if let value = value(of: state, field, column) {
                    values.append(value)
                    continue
                }
                guard fields[field].columns[column].isComputedIfAbsent else { return nil }
                computed.append(index)
                values.append(.null)
            }
        }
        for index in computed {
            guard let value = absent(index, values) else { return nil }
            guard !value.isNull || column(at: columns[index]).isNullable else { return nil }
            values[index] = value
        }
        return values
    }

    /// Who wrote the acyclic reference.
    fileprivate func edgeAuthor(in state: RowState) -> Author {
        let none = Author(Stamp(bits: 0), Run(high: 0, low: 0))
        guard let acyclic else { return none }
        return references[acyclic.reference].columns.reduce(none) { latest, column in
            guard case .field(let field, _) = columns[column],
                let cell = state.cells[place: field]
            else { return latest }
            return max(latest, cell.author)
        }
    }

    private func value(of state: RowState, _ number: Int, _ index: Int) -> CellValue? {
        let field = fields[number]
        let column = field.columns[index]
        let value: CellValue?
        switch field.kind {
        case .latest:
            switch state.cells[place: number]?.content {
            case .value(let only)? where !field.isGroup: value = only
            case .group(let values)? where field.isGroup:
                value = values.first { $0.column.hasSameBytes(as: column.name) }?.value
            default: value = nil
            }
        case .counter:
            let entries = state.counters.filter { $0.field == number }
            guard !entries.isEmpty else { return column.absent }
            let sum = entries.reduce(0) { $0 + $1.sum }
            guard let clamp = column.clamp else {
                return Int64(exactly: sum).map(CellValue.integer)
            }
            return .integer(
                Int64(min(max(sum, Int128(clamp.lowerBound)), Int128(clamp.upperBound))))
        case .maximum, .minimum:
            let place = FieldPlace(field: number, part: field.kind == .maximum ? 1 : 0)
            value = state.extremes[place: place]?.value
        }
        guard let value else { return column.absent }
        return value.isNull && !column.isNullable ? nil : value
    }
}

extension RowKey {
    /// The key of these values.
    package init(_ values: [CellValue]) {
        // SQL takes 0.0 and -0.0 for one key.
        bytes = KeyValues.bytes(of: values.map { $0 == CellValue(-0.0) ? CellValue(0.0) : $0 })
    }

    /// The values of the columns of the key; none if the bytes are no key.
    package var values: [CellValue] { KeyValues.values(of: self) ?? [] }
}
