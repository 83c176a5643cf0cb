public import StrongroomEssentials

/// A date, or another representation of one, with which SQLite's date functions compute.
public protocol _DateValue: QueryBindable where QueryOutput == Date {
    static var _form: _DateForm { get }
}

/// How SQL writes a date.
public enum _DateForm: Sendable {
    case text, microseconds, unix, unixSubsecond, julian
}

extension Date: _DateValue {
    public static var _form: _DateForm { .text }
}
extension Date.UnixTimeRepresentation: _DateValue {
    public static var _form: _DateForm { .unix }
}
extension Date.UnixTimeRepresentation.Subsecond: _DateValue {
    public static var _form: _DateForm { .unixSubsecond }
}
extension Date.JulianDayRepresentation: _DateValue {
    public static var _form: _DateForm { .julian }
}
extension Date.MicrosecondRepresentation: _DateValue {
    public static var _form: _DateForm { .microseconds }
}

/// A date that SQLite computes, to which further changes are added in the same call.
public struct DateExpression<QueryValue: QueryRepresentable>: QueryExpression, Sendable
where QueryValue.Unwrapped: _DateValue {
    public typealias TermBase = QueryValue.Unwrapped
    public typealias TermValue = QueryValue
    /// The date that is changed; nil for the clock.
    let date: QueryFragment?
    let modifier: DateTimeModifier

    /// The SQL.
    public var queryFragment: QueryFragment {
        let form = QueryValue.Unwrapped._form
        var arguments = date.map { [$0] + form.reading } ?? [.word("now")]
        arguments += modifier.parts
        switch form {
        case .text: return .call("datetime", arguments + [.word("subsec")])
        case .microseconds:
            let text = QueryFragment.call("datetime", arguments + [.word("subsec")])
            return .chain(text, .concatenation, QueryFragment(text: "'000'", shape: .bare))
        case .unix: return .call("unixepoch", arguments)
        case .unixSubsecond: return .call("unixepoch", arguments + [.word("subsec")])
        case .julian: return .call("julianday", arguments)
        }
    }

    /// The date, changed further.
    public func callAsFunction(_ change: DateTimeModifier) -> DateExpression {
        DateExpression(
            date: date, modifier: DateTimeModifier(parts: modifier.parts + change.parts))
    }
}

extension DateExpression where QueryValue: _DateValue {
    /// The clock of SQLite.
    public static var now: DateExpression { DateExpression(date: nil, modifier: .init()) }

    /// The clock of SQLite, changed.
    ///
    ///     // Due within a week, by the clock of SQLite.
    ///     Item.where { $0.due < .now(.days(7)) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."due" < datetime('now', '7 days',
    ///     // 'subsec')
    public static func now(_ change: DateTimeModifier) -> DateExpression {
        DateExpression(date: nil, modifier: change)
    }
}

extension _DateForm {
    /// What tells SQLite's functions how the date is written.
    var reading: [QueryFragment] {
        self == .unix || self == .unixSubsecond ? [.word("unixepoch")] : []
    }
}

extension QueryFragment {
    fileprivate static func word(_ text: String) -> QueryFragment {
        QueryFragment(text: "'\(text)'", shape: .bare)
    }
}

extension QueryExpression where QueryValue.Unwrapped: _DateValue {
    /// The date, changed by SQLite.
    public func callAsFunction(_ change: DateTimeModifier) -> DateExpression<QueryValue> {
        DateExpression(date: queryFragment, modifier: change)
    }

    /// The date as text of a format of SQLite: `%Y-%m`.
    ///
    ///     let months = Item.group { $0.due.strftime("%Y-%m") }.select { $0.id.count() }
    ///     // SELECT count("items"."id") FROM "items" GROUP BY strftime('%Y-%m', "items"."due")
    public func strftime(_ format: String) -> SQLQueryExpression<String?> {
        SQLQueryExpression(formatted(format))
    }

    func formatted(_ format: String) -> QueryFragment {
        let text = QueryFragment(text: format.quotedText, shape: .bare)
        return .call("strftime", [text, queryFragment] + QueryValue.Unwrapped._form.reading)
    }

    func part<Value: QueryRepresentable>(_ format: String) -> SQLQueryExpression<Value> {
        var result = QueryFragment(text: "CAST(") + formatted(format)
        result.append(text: " AS \(Value._affinity.rawValue))")
        result.shape = .bare
        return SQLQueryExpression(result)
    }

    private var asSeconds: QueryFragment {
        switch QueryValue.Unwrapped._form {
        case .text, .microseconds: .call("unixepoch", [queryFragment, .word("subsec")])
        case .unix, .unixSubsecond, .julian: queryFragment
        }
    }

    private func difference<Value>(
        _ other: some QueryExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<Value> {
        let difference = QueryFragment.binary(asSeconds, "-", other.asSeconds, shape: .other)
        guard QueryValue.Unwrapped._form == .julian else { return SQLQueryExpression(difference) }
        return SQLQueryExpression(.chain(difference, .times, 86_400.0.queryFragment))
    }

    /// The seconds since a moment; a NULL throws when it is decoded.
    ///
    ///     let days = try Item.find(1).select {
    ///         $0.due.timeIntervalSince(Date(timeIntervalSince1970: 0)) / 86_400
    ///     }.fetchOne(db)
    ///     days  // 20782.0
    public func timeIntervalSince(_ other: Date) -> SQLQueryExpression<Double> {
        difference(SQLQueryExpression<QueryValue.Unwrapped>(QueryValue.fragment(other)))
    }

    /// The seconds since another date; a NULL throws when it is decoded.
    @_disfavoredOverload
    public func timeIntervalSince<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Double> where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        difference(SQLQueryExpression<QueryValue.Unwrapped>(other.queryFragment))
    }
}
