// Functions of values that may be NULL.

extension QueryExpression where QueryValue: OptionalRepresentable {
    /// An expression of the value, NULL where it is NULL.
    ///
    ///     Item.select { $0.note.map { $0.length() } }
    ///     // SELECT length("items"."note") FROM "items"
    public func map<Result: QueryExpression>(
        _ body: (SQLQueryExpression<QueryValue.Unwrapped>) -> Result
    ) -> SQLQueryExpression<Result.QueryValue.Unwrapped?>
    where Result.QueryValue == Result.QueryValue.Unwrapped {
        SQLQueryExpression(guarded(body(SQLQueryExpression(queryFragment)).queryFragment))
    }

    /// An expression of the value that may itself be NULL, NULL where the value is NULL.
    ///
    ///     // Milk has no note: there is no number of its first character.
    ///     try Item.find(1).select { $0.note.flatMap { $0.unicode() } }.fetchAll(db)  // [nil]
    public func flatMap<Result: QueryExpression>(
        _ body: (SQLQueryExpression<QueryValue.Unwrapped>) -> Result
    ) -> SQLQueryExpression<Result.QueryValue.Unwrapped?> {
        SQLQueryExpression(guarded(body(SQLQueryExpression(queryFragment)).queryFragment))
    }

    private func guarded(_ body: QueryFragment) -> QueryFragment {
        if body.isNull(with: queryFragment) { return body }
        var result = QueryFragment(text: "CASE WHEN ") + queryFragment.operand
        result += QueryFragment(text: " IS NULL THEN NULL ELSE ") + body
        result.append(text: " END")
        result.shape = .bare
        return result
    }
}

/// A type that takes NULL.
public protocol OptionalRepresentable: QueryRepresentable {}

extension Optional: OptionalRepresentable where Wrapped: QueryRepresentable {}

extension QueryFragment {
    /// Operators whose result is NULL where an operand is.
    private static let strictOperators = [
        "+", "-", "*", "/", "%", "||", "&", "|", "<<", ">>", "=", "<>", "<", "<=", ">", ">=",
        "LIKE", "GLOB",
    ]
    /// Functions whose result is NULL where their argument is.
    private static let strictFunctions: Set<String> = [
        "abs", "sign", "round", "floor", "ceil", "sqrt", "pow", "exp", "ln", "log", "lower",
        "upper", "length", "octet_length", "trim", "ltrim", "rtrim", "replace", "substr", "instr",
        "unicode", "unhex", "CAST",
    ]

    /// Whether this is one operator or function on a fragment itself, NULL where that one is.
    fileprivate func isNull(with operand: QueryFragment) -> Bool {
        guard operand.shape == .bare, !operand.segments.isEmpty else { return false }
        let first = operand.segments
        if segments.count > first.count, Array(segments.prefix(first.count)) == first {
            guard case .text(let text) = segments[first.count] else { return false }
            let word = text.trimmingPrefix(" ").prefix { $0 != " " }
            return Self.strictOperators.contains(String(word)) && isOneOperation
        }
        guard segments.count > first.count, case .text(let text) = segments[0],
            Array(segments.dropFirst().prefix(first.count)) == first
        else { return false }
        if ["-", "~", "NOT "].contains(text) { return segments.count == first.count + 1 }
        return shape == .bare && text.hasSuffix("(")
            && Self.strictFunctions.contains(String(text.dropLast()))
    }

    /// Whether nothing in parentheses, nor a second operator, follows.
    private var isOneOperation: Bool {
        let operators = segments.filter {
            if case .text(let text) = $0 {
                text.hasPrefix(" ") && text.hasSuffix(" ")
            } else {
                false
            }
        }
        return operators.count == 1
    }
}

// Without these, Swift's own operator would take a column for a value that is never nil.

extension QueryExpression where QueryValue: OptionalRepresentable {
    /// This value, or the column when this is NULL.
    public static func ?? (
        lhs: Self, rhs: TableColumn<QueryValue>
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.coalesce(lhs.queryFragment, rhs.queryFragment))
    }

    /// This value, or the column when this is NULL.
    public static func ?? (
        lhs: Self, rhs: TableColumn<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.Unwrapped> {
        SQLQueryExpression(.coalesce(lhs.queryFragment, rhs.queryFragment))
    }
}
