/// Whether an expression lies between two others, both included.
struct Between: SQLNode {
    let element: SQLExpression
    let lower: SQLExpression
    let upper: SQLExpression
    var isNegated = false

    var depth: Int { 1 + max(element.depth, lower.depth, upper.depth) }

    func write(to sql: inout SQLGenerationContext) throws {
        // A collation of the element counts for both bounds, one of a bound for that bound alone.
        try element.writeOperand(to: &sql)
        sql.append(sql: isNegated ? " NOT BETWEEN " : " BETWEEN ")
        try lower.writeOperand(to: &sql)
        sql.append(sql: " AND ")
        try upper.writeOperand(to: &sql)
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.parenthesize { try write(to: &$0) }
    }

    var negated: SQLExpression? {
        SQLExpression(Self(element: element, lower: lower, upper: upper, isNegated: !isNegated))
    }

    var isRowByRow: Bool { element.isRowByRow && lower.isRowByRow && upper.isRowByRow }
}

extension ClosedRange where Bound: SQLExpressible {
    /// Whether an expression lies in the range: `BETWEEN`.
    public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
        SQLExpression(
            Between(
                element: element.sqlExpression, lower: lowerBound.sqlExpression,
                upper: upperBound.sqlExpression))
    }
}

extension Range where Bound: SQLExpressible {
    /// Whether an expression lies in the range: `"x" >= ? AND "x" < ?`.
    public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
        (element >= lowerBound) && (element < upperBound)
    }
}

extension PartialRangeFrom where Bound: SQLExpressible {
    /// Whether an expression lies in the range: `>=`.
    public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
        element >= lowerBound
    }
}

extension PartialRangeUpTo where Bound: SQLExpressible {
    /// Whether an expression lies in the range: `<`.
    public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
        element < upperBound
    }
}

extension PartialRangeThrough where Bound: SQLExpressible {
    /// Whether an expression lies in the range: `<=`.
    public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
        element <= upperBound
    }
}

// Ranges of integers are sequences too: these are for them, or the calls would be ambiguous.

extension ClosedRange where Bound: SQLExpressible & Strideable, Bound.Stride: SignedInteger {
    /// Whether an expression lies in the range: `BETWEEN`.
    public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
        SQLExpression(
            Between(
                element: element.sqlExpression, lower: lowerBound.sqlExpression,
                upper: upperBound.sqlExpression))
    }
}

extension Range where Bound: SQLExpressible & Strideable, Bound.Stride: SignedInteger {
    /// Whether an expression lies in the range: `"x" >= ? AND "x" < ?`.
    public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
        (element >= lowerBound) && (element < upperBound)
    }
}

extension PartialRangeFrom where Bound: SQLExpressible & Strideable, Bound.Stride: SignedInteger {
    /// Whether an expression lies in the range: `>=`.
    public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
        element >= lowerBound
    }
}
