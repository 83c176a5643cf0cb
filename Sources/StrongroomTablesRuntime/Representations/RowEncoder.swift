public import StrongroomCore

/// Collects what a row writes, column by column.
public struct RowEncoder {
    /// What becomes of the values.
    enum Purpose {
        case row, singleValue, plainRows
    }

    private let purpose: Purpose
    /// What is written; nil where the database gives the value.
    private(set) var values: [EncodedValue?] = []
    /// The value of a single column, of which no array is made; nil after several.
    private(set) var singleValue: EncodedValue?
    private var singleCount = 0
    /// Rows, of which no arrays are made one by one.
    private(set) var plainRows: PlainRows?

    init(_ purpose: Purpose = .row) { self.purpose = purpose }

    /// Makes an encoder with room for so many columns.
    init(columns: Int) {
        purpose = .row
        values.reserveCapacity(columns)
    }

    /// Makes an encoder of any number of rows.
    init(_ plainRows: consuming PlainRows) {
        purpose = .plainRows
        self.plainRows = plainRows
    }

    /// Ends a row.
    ///
    /// - Returns: Whether all rows are plain ones that write the same columns.
    mutating func endPlainRow() -> Bool {
        plainRows?.endRow()
        return plainRows?.isUniform == true
    }

    /// What a row writes, if that is plain values; nil for all else.
    static func plainRow(_ row: some QueryRepresentable, _ isWritable: [Bool]) -> PlainRows? {
        // An initialiser with the rows would copy the whole encoder.
        var encoder = RowEncoder(.plainRows)
        encoder.plainRows = PlainRows(isWritable, count: 1)
        row._encode(&encoder)
        guard encoder.endPlainRow() else { return nil }
        return encoder.plainRows.take()
    }

    /// Adds a property.
    @inlinable
    public mutating func add<Value: QueryRepresentable>(
        _ value: Value.QueryOutput, as type: Value.Type
    ) {
        Value(queryOutput: value)._encode(&self)
    }

    /// Adds a property that the database fills in when it is nil.
    public mutating func addUnlessNil<Value: QueryRepresentable>(
        _ value: Value.QueryOutput?, as type: Value.Type
    ) {
        guard let value else { return skip(type) }
        add(value, as: type)
    }

    /// Adds a property that the database computes: it is kept for comparisons and never written.
    public mutating func addGenerated<Value: QueryRepresentable>(
        _ value: Value.QueryOutput, as type: Value.Type
    ) {
        add(value, as: type)
    }

    /// Leaves out a property.
    public mutating func skip<Value: QueryRepresentable>(_ type: Value.Type) {
        for _ in 0..<type._columnCount { append(nil) }
    }

    @usableFromInline
    mutating func append(
        _ binding: consuming QueryBinding, function: String?, isMoment: Bool = false
    ) {
        if case .plainRows = purpose {
            let isPlain = function == nil && binding.isValid
            plainRows?.append(binding, isPlain: isPlain, isMoment: isMoment)
        } else {
            append(EncodedValue(binding: binding, function: function, isMoment: isMoment))
        }
    }

    private mutating func append(_ value: EncodedValue?) {
        switch purpose {
        case .row: values.append(value)
        case .singleValue:
            singleValue = singleCount == 0 ? value : nil
            singleCount += 1
        case .plainRows:
            if let value {
                plainRows?.append(
                    value.binding, isPlain: value.isPlain, isMoment: value.isMoment)
            } else {
                plainRows?.appendNothing()
            }
        }
    }

    mutating func appendNulls(_ count: Int) {
        for _ in 0..<count { append(.null, function: nil) }
    }
}

/// What one column is written with.
struct EncodedValue: Hashable, Sendable {
    var binding: QueryBinding
    /// The function that SQL puts around it.
    var function: String?
    /// Whether it is a date or a UUID.
    var isMoment = false

    /// Whether it is a value alone, which can be bound.
    var isPlain: Bool { function == nil && binding.isValid }

    /// Adds what ``fragment`` consists of.
    func append(to segments: inout [QueryFragment.Segment]) {
        if function == nil, !isMoment {
            segments.append(.binding(binding))
        } else {
            segments += fragment.segments
        }
    }

    var fragment: QueryFragment {
        let value = QueryFragment(binding, isMoment: isMoment)
        if binding == .null { return value }
        return function.map { .call($0, [value]) } ?? value
    }
}

extension QueryRepresentable {
    /// What the value writes, if it is one column; nil for several.
    var singleEncodedValue: EncodedValue? {
        var row = RowEncoder(.singleValue)
        _encode(&row)
        return row.singleValue
    }

    /// What the value writes, column by column.
    var encodedValues: [EncodedValue] {
        var row = RowEncoder(columns: Self._columnCount)
        _encode(&row)
        return row.values.map { $0 ?? EncodedValue(binding: .null) }
    }
}

extension _ColumnGroup {
    /// What a row stores, column by column.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - isWritten: Whether columns are left out that the database computes.
    public static func encode(
        _ row: Self, written isWritten: Bool = false
    ) -> [(column: String, value: DatabaseValue)] {
        zip(_layout.columns, row.encodedValues).compactMap { column, value in
            if isWritten, !column.isWritable { return nil }
            return (column.name, value.binding.databaseValue)
        }
    }
}

/// Looks which case of an enum a row holds.
public struct FoundCase<Value> {
    private var found: (name: String, value: Value)?
    private var other: String?

    /// Makes a search that has found nothing.
    public init() {}

    /// Reads the columns of one case.
    ///
    /// - Throws: `QueryDecodingError` when a column of the case does not fit its type.
    public mutating func look<Payload: QueryRepresentable, Decoder: QueryDecoder>(
        _ name: String, _ type: Payload.Type, in decoder: inout Decoder,
        _ make: (Payload.QueryOutput) -> Value
    ) throws {
        guard !Payload._isMissing(decoder) else { return decoder.skip(Payload._columnCount) }
        let value = make(try decoder.decode(type))
        if found == nil { found = (name, value) } else { other = other ?? name }
    }

    /// The case that is set.
    ///
    /// - Throws: `QueryDecodingError` when no case is set, or more than one.
    public func value(in decoder: borrowing some QueryDecoder) throws -> Value {
        guard let found else { throw decoder.error(.null) }
        if let other {
            let message = "cases \"\(found.name)\" and \"\(other)\" are both set"
            throw decoder.error(.value(message))
        }
        return found.value
    }
}
