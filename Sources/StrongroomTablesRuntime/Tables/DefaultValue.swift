/// The default of a property, as a term of a row of expressions: each column of a group by itself.
public struct DefaultValue<QueryValue: QueryRepresentable>: QueryExpression {
    public typealias TermBase = QueryValue.Unwrapped
    public typealias TermValue = QueryValue
    private let values: [QueryFragment]

    init(_ value: QueryValue.QueryOutput) {
        values = QueryValue(queryOutput: value).encodedValues.map(\.fragment)
    }

    /// The values, separated by commas.
    public var queryFragment: QueryFragment { values.commaSeparated }
    public var _resultColumns: [ResultColumn] {
        values.map { ResultColumn(fragment: $0, reading: ReadingForm(QueryValue.self)) }
    }
}

/// Makes the default of a property. Macros call it.
public func _default<Value: QueryRepresentable>(
    _ value: Value.QueryOutput, as type: Value.Type
) -> DefaultValue<Value> {
    DefaultValue(value)
}
