public import StrongroomEssentials
public import StrongroomSchema

/// A type that reads itself from columns of a result.
public protocol QueryDecodable {
    /// Reads as many columns as the type has.
    ///
    /// - Throws: `QueryDecodingError` when a column does not fit the type.
    init(decoder: inout some QueryDecoder) throws
}

/// A way to store a Swift value in columns.
///
/// Most types represent themselves; `Date.UnixTimeRepresentation` represents a `Date`.
public protocol QueryRepresentable<QueryOutput>: QueryDecodable, ScalarShape
where RowValue == QueryOutput {
    /// The Swift type that is stored.
    associatedtype QueryOutput = Self
    /// The type without optionality.
    associatedtype Unwrapped: QueryRepresentable = Self where Unwrapped.Unwrapped == Unwrapped
    /// The type of a column, or of a group of columns, with such values.
    associatedtype ColumnTerm = TableColumn<Self>
    /// The same on the outer side of a join.
    associatedtype OptionalColumnTerm = TableColumn<Self?>

    associatedtype SubqueryValue = Unwrapped?
    /// The truth of a comparison with such a value, which is NULL where the value is.
    associatedtype ConditionValue: QueryRepresentable = Bool
    /// Represents a value.
    init(queryOutput: QueryOutput)
    /// The value.
    var queryOutput: QueryOutput { get }

    /// The value, if it is valid, of one column, and stands for no moment and no thing.
    var _boundValue: QueryBinding? { get }
    /// Adds what the value writes, column by column.
    func _encode(_ row: inout RowEncoder)
    /// Tells which columns the type has.
    static func _describe(_ columns: inout ColumnDescriptions, _ column: ColumnDescription)
    /// Whether the columns ahead hold no value of this type.
    static func _isMissing(_ decoder: borrowing some QueryDecoder) -> Bool
    /// The number of columns.
    static var _columnCount: Int { get }
    /// Whether the type takes NULL.
    static var _isOptional: Bool { get }
    /// Whether the type is a group with a column that takes NULL.
    static var _hasOptionalColumn: Bool { get }
    /// What stands for the column in the results of a statement that is fetched: the column itself.
    ///
    ///     static func queryFragment(decoding column: QueryFragment) -> QueryFragment {
    ///         "json(\(column))"
    ///     }
    ///
    /// Inner selects, tables of `With` and views carry the column as it is stored.
    static func queryFragment(decoding column: QueryFragment) -> QueryFragment
    /// The type by which SQL casts.
    static var _affinity: SQLiteTypeAffinity { get }
}

extension QueryRepresentable where QueryOutput == Self {
    /// The value itself.
    @inlinable public init(queryOutput: Self) { self = queryOutput }
    /// The value itself.
    @inlinable public var queryOutput: Self { self }
}

extension QueryRepresentable {
    public var _boundValue: QueryBinding? { nil }
    public static var _isOptional: Bool { false }
    public static var _hasOptionalColumn: Bool { false }
    public static func queryFragment(decoding column: QueryFragment) -> QueryFragment { column }
    public static var _affinity: SQLiteTypeAffinity { .text }
}

/// A value of one column, which can stand in a query as it is.
public protocol QueryBindable: QueryRepresentable, QueryExpression where QueryValue == Self {
    /// What is bound.
    var queryBinding: QueryBinding { get }
    /// The function that SQL puts around a bound value, if any: `jsonb`.
    static var _bindingFunction: String? { get }
    /// Whether a value stands for one moment or one thing, as dates and UUIDs do.
    static var _isMoment: Bool { get }
}

extension QueryBindable {
    public var _boundValue: QueryBinding? { nil }
    @inlinable public static var _bindingFunction: String? { nil }
    @inlinable public static var _isMoment: Bool { false }
    @inlinable public static var _columnCount: Int { 1 }
    @inlinable public static var _hasOptionalColumn: Bool { false }

    /// The bound value.
    public var queryFragment: QueryFragment {
        let fragment = QueryFragment(queryBinding, isMoment: Self._isMoment)
        guard let function = Self._bindingFunction else { return fragment }
        return .call(function, [fragment])
    }

    @inlinable
    public func _encode(_ row: inout RowEncoder) {
        row.append(
            queryBinding, function: Self._bindingFunction, isMoment: Self._isMoment)
    }

    public static func _describe(
        _ columns: inout ColumnDescriptions, _ column: ColumnDescription
    ) {
        var column = column
        column.isOptional = column.isOptional || _isOptional
        column.bindingFunction = _bindingFunction
        column.reading = ReadingForm(Self.self)
        column.affinity = _affinity
        column.json = JSONForm(Self.self)
        columns.append(column, Self.self)
    }

    @inlinable
    public static func _isMissing(_ decoder: borrowing some QueryDecoder) -> Bool {
        decoder.isNull(ahead: 0)
    }
}

extension QueryBindable where QueryOutput == Date {
    @inlinable public static var _isMoment: Bool { true }
}

extension QueryBindable where QueryOutput == UUID {
    @inlinable public static var _isMoment: Bool { true }
}

extension Optional: QueryDecodable where Wrapped: QueryRepresentable {
    /// Reads nil where all columns are NULL, and a value otherwise.
    ///
    /// - Throws: `QueryDecodingError` when a column does not fit the type.
    @inlinable
    public init(decoder: inout some QueryDecoder) throws {
        if Wrapped._isMissing(decoder) {
            decoder.skip(Wrapped._columnCount)
            self = nil
        } else {
            self = try Wrapped(decoder: &decoder)
        }
    }
}

extension Optional: RowShape where Wrapped: QueryRepresentable {
    public typealias RowValue = Wrapped.QueryOutput?
}

extension Optional: SelectedShape where Wrapped: QueryRepresentable {}

extension Optional: ScalarShape where Wrapped: QueryRepresentable {
    public typealias SubqueryValue = Wrapped.Unwrapped?
}

extension Optional: QueryRepresentable where Wrapped: QueryRepresentable {
    public typealias QueryOutput = Wrapped.QueryOutput?
    public typealias Unwrapped = Wrapped.Unwrapped
    public typealias ColumnTerm = Wrapped.OptionalColumnTerm
    public typealias OptionalColumnTerm = Wrapped.OptionalColumnTerm
    public typealias ConditionValue = Bool?

    public static func queryFragment(decoding column: QueryFragment) -> QueryFragment {
        Wrapped.queryFragment(decoding: column)
    }
    public static var _affinity: SQLiteTypeAffinity { Wrapped._affinity }
    @inlinable public init(queryOutput: Wrapped.QueryOutput?) {
        self = queryOutput.map(Wrapped.init(queryOutput:))
    }
    @inlinable public var queryOutput: Wrapped.QueryOutput? { self.map(\.queryOutput) }
    public static var _isOptional: Bool { true }
    @inlinable public static var _columnCount: Int { Wrapped._columnCount }

    public func _encode(_ row: inout RowEncoder) {
        guard let self else { return row.appendNulls(Wrapped._columnCount) }
        self._encode(&row)
    }

    public static func _describe(
        _ columns: inout ColumnDescriptions, _ column: ColumnDescription
    ) {
        var column = column
        column.isOptional = true
        Wrapped._describe(&columns, column)
    }

    @inlinable
    public static func _isMissing(_ decoder: borrowing some QueryDecoder) -> Bool {
        Wrapped._isMissing(decoder)
    }
}
