/// The numbers of a range as rows of a query.
///
///     Series(2019...2025).leftJoin(Item.all) { $0.value.eq($1.year) }
public struct Series: SelectStatement {
    public typealias Tables = Tables1<SeriesNumber>
    public typealias Shape = WholeRows<Tables1<SeriesNumber>>
    public typealias Row = SeriesNumber
    public let _clauses: SelectClauses

    /// The numbers of a range.
    public init(_ range: ClosedRange<Int>, by step: Int = 1) {
        let number = SeriesNumber.columns.value
        let next = number + step
        var inner = QueryFragment(text: #"WITH RECURSIVE "series" ("value") AS (SELECT "#)
        inner += range.lowerBound.queryFragment
        inner.append(text: " UNION ALL SELECT ")
        inner += next.queryFragment
        inner.append(text: #" FROM "series" WHERE "#)
        inner += (next <= range.upperBound).queryFragment
        inner.append(text: #") SELECT "series"."value" FROM "series""#)
        var source = QueryFragment([.subquery(inner.segments)])
        source.append(text: #" AS "series""#)
        var clauses = SelectClauses(unscoped: SeriesNumber.self)
        clauses.from.first = source
        _clauses = clauses
    }
}

/// A row of `Series`.
public struct SeriesNumber: Hashable, Sendable {
    /// The number.
    public var value: Int
}

extension SeriesNumber: SelectionTable {
    public static let _layout = TableLayout(SeriesNumber.self, name: "series")

    public static func _describe(_ columns: inout ColumnDescriptions) {
        columns.add("value", Int.self)
    }

    /// Reads the number.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or is no integer.
    public init(decoder: inout some QueryDecoder) throws {
        value = try decoder.decode(Int.self)
    }

    public func _encode(_ row: inout RowEncoder) { row.add(value, as: Int.self) }

    /// The columns of a series.
    public struct TableColumns: TableColumnsProtocol {
        public typealias QueryValue = SeriesNumber
        public let _table: TableReference
        public init(_ table: TableReference, _ name: String) { _table = table }
        /// The number.
        public var value: TableColumn<Int> { .init(_table, "value") }
    }

    /// The columns of a series on the outer side of a join.
    @dynamicMemberLookup
    public struct OuterColumns: OuterColumnsProtocol {
        public typealias QueryValue = SeriesNumber?
        public typealias Inner = TableColumns
        public let _table: TableReference
        public init(_ table: TableReference, _ name: String) { _table = table }
        /// The number.
        public var value: TableColumn<Int?> { .init(_table, "value") }
    }
}
