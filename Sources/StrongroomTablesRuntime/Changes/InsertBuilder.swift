/// A row to insert: what each column is written with, nil where the database gives the value.
///
/// A row of plain values holds them without fragments, and an array of such rows is one element.
public struct InsertedRow: Sendable {
    private enum Content {
        /// The values of a row in Swift, of which no fragments are made one by one.
        case encoded([EncodedValue?])
        case fragments([QueryFragment?])
        /// One row of plain values, or the rows of an array.
        case plain(PlainRows)
    }
    private let content: Content

    init(values: [QueryFragment?]) { content = .fragments(values) }

    init<Row: _ColumnGroup>(_ row: Row) {
        let layout = Row._layout
        if layout.bindsPlainly {
            if let plain = RowEncoder.plainRow(row, layout.isWritable) {
                self.init(plain)
                return
            }
        }
        self.init(eachOf: row)
    }

    /// A row whose values are looked at one by one.
    init<Row: QueryRepresentable>(eachOf row: Row) {
        var encoder = RowEncoder(columns: Row._columnCount)
        row._encode(&encoder)
        self.init(encoded: encoder.values)
    }

    private init(encoded: [EncodedValue?]) { content = .encoded(encoded) }

    private init(_ rows: consuming PlainRows) { content = .plain(rows) }

    /// One row of plain values, or the rows of an array.
    var plainRows: PlainRows? {
        if case .plain(let rows) = content { rows } else { nil }
    }

    /// The rows of an array: one element, if all write plain values into the same columns.
    static func elements<Row: _ColumnGroup>(_ rows: [Row]) -> [InsertedRow] {
        if rows.count > 1 {
            var encoder = RowEncoder(PlainRows(Row._layout.isWritable, count: rows.count))
            for row in rows {
                row._encode(&encoder)
                if !encoder.endPlainRow() { break }
            }
            if let plain = encoder.plainRows, plain.isUniform { return [InsertedRow(plain)] }
        }
        return rows.map { InsertedRow($0) }
    }

    /// All rows, if they write plain values into the same columns.
    static func plainRows(of rows: [InsertedRow]) -> PlainRows? {
        guard var result = rows.first?.plainRows else { return nil }
        if rows.count == 1 { return result }
        for row in rows.dropFirst() {
            guard let next = row.plainRows, next.written == result.written else { return nil }
            result.append(next)
        }
        return result
    }

    /// The rows of the element, each by itself.
    var singleRows: [InsertedRow] {
        plainRows?.rows.map { InsertedRow(encoded: $0) } ?? [self]
    }

    var values: [QueryFragment?] {
        switch content {
        case .encoded(let values): values.map { $0?.fragment }
        case .fragments(let fragments): fragments
        case .plain: []
        }
    }

    private func isGiven(_ column: Int) -> Bool {
        switch content {
        case .encoded(let values): column < values.count && values[column] != nil
        case .fragments(let fragments): column < fragments.count && fragments[column] != nil
        case .plain: false
        }
    }

    /// Says for each column whether the row writes it.
    func written(_ isWritable: [Bool]) -> [Bool] {
        isWritable.indices.map { isWritable[$0] && isGiven($0) }
    }

    /// Whether the row writes these columns, and no others.
    func writes(_ columns: [Bool], _ isWritable: [Bool]) -> Bool {
        columns.indices.allSatisfy { columns[$0] == (isWritable[$0] && isGiven($0)) }
    }

    /// Adds the values of some columns.
    ///
    /// - Returns: False when they are more than plain values.
    func append(
        _ isWritten: [Bool], to values: inout [QueryBinding], _ hasMoments: inout Bool
    ) -> Bool {
        guard case .encoded(let encoded) = content else { return false }
        for column in isWritten.indices where isWritten[column] {
            guard let value = encoded[column], value.isPlain else { return false }
            values.append(value.binding)
            if value.isMoment { hasMoments = true }
        }
        return true
    }

    /// The values of some columns in parentheses.
    func tuple(_ isWritten: [Bool]) -> QueryFragment {
        var segments: [QueryFragment.Segment] = []
        segments.reserveCapacity(2 * isWritten.count + 1)
        for column in isWritten.indices where isWritten[column] {
            segments.append(.text(segments.isEmpty ? "(" : ", "))
            switch content {
            case .encoded(let values): values[column]?.append(to: &segments)
            case .fragments(let fragments): segments += fragments[column]?.segments ?? []
            case .plain: break
            }
        }
        segments.append(.text(")"))
        return QueryFragment(segments, shape: .bare)
    }
}

/// Rows to insert into a table.
///
/// A function that makes them names the table: `@InsertBuilder<Player> var team: InsertedRows<Player>`.
public struct InsertedRows<Target: QuerySource>: Sendable {
    let rows: [InsertedRow]
}

/// Rows of a table and its drafts, on lines, in arrays and loops.
@resultBuilder
public enum InsertBuilder<Target: QuerySource> {
    public static func buildExpression(_ row: Target) -> [InsertedRow] {
        [InsertedRow(row)]
    }
    public static func buildExpression<Draft: TableDraft>(
        _ row: Draft
    ) -> [InsertedRow] where Draft.DraftedTable == Target {
        [InsertedRow(row)]
    }
    public static func buildExpression(_ rows: [Target]) -> [InsertedRow] {
        InsertedRow.elements(rows)
    }
    public static func buildExpression<Draft: TableDraft>(
        _ rows: [Draft]
    ) -> [InsertedRow] where Draft.DraftedTable == Target {
        InsertedRow.elements(rows)
    }
    public static func buildExpression<Columns: SelectionColumns>(
        _ row: Columns
    ) -> [InsertedRow] where Columns.QueryValue == Target {
        [InsertedRow(values: row._resultColumns.map(\.fragment))]
    }
    public static func buildBlock(_ part: [InsertedRow]) -> [InsertedRow] { part }
    public static func buildBlock(_ parts: [InsertedRow]...) -> [InsertedRow] {
        parts.flatMap { $0 }
    }
    public static func buildOptional(_ part: [InsertedRow]?) -> [InsertedRow] {
        part ?? []
    }
    public static func buildEither(first part: [InsertedRow]) -> [InsertedRow] {
        part
    }
    public static func buildEither(second part: [InsertedRow]) -> [InsertedRow] {
        part
    }
    public static func buildArray(_ parts: [[InsertedRow]]) -> [InsertedRow] {
        parts.flatMap { $0 }
    }
    public static func buildFinalResult(_ rows: [InsertedRow]) -> InsertedRows<Target> {
        InsertedRows(rows: rows)
    }
}

/// What a row consists of, by the columns that it is inserted into.
public protocol WrittenShape {
    /// The values of a row.
    associatedtype Row
    /// Writes the values of a row.
    static func _encode(_ row: Row, _ encoder: inout RowEncoder)
}

/// Rows of several values.
public protocol WrittenTuple: WrittenShape, SelectedShape {
    /// The types of the values, without optionality: those of a query must be the same.
    associatedtype PlainRow
}

/// Rows of one value, or of one group.
public enum WrittenValue<Value: QueryRepresentable>: WrittenShape {
    public typealias Row = Value.QueryOutput
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row, as: Value.self)
    }
}

extension WrittenShape {
    static func fragments(_ row: Row) -> [QueryFragment] {
        var encoder = RowEncoder()
        _encode(row, &encoder)
        return encoder.values.map { $0?.fragment ?? QueryFragment(.null) }
    }
}

extension AssignedExpression {
    /// What an expression writes: the columns of a group each by itself.
    var insertedFragments: [QueryFragment] { _assignedColumns }
}
