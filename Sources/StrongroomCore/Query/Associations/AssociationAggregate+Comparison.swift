// What is computed of aggregates is an aggregate, without a name until `forKey(_:)` gives one.

extension AssociationAggregate {
    /// Whether two values are equal.
    public static func == (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 == $1 }
    }

    /// Whether two values are equal.
    public static func == (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 == rhs }
    }

    /// Whether two values are equal.
    public static func == (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs == $0 }
    }

    /// Whether a value is equal to another, or NULL if that is nil.
    public static func == (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
        let rhs = rhs?.sqlExpression
        return lhs.map { $0 == rhs }
    }

    /// The same, with a value on the left.
    public static func == (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
        let lhs = lhs?.sqlExpression
        return rhs.map { lhs == $0 }
    }

    /// Whether a value is 1, for true, or 0: `Author.books.isEmpty == false`.
    public static func == (lhs: Self, rhs: Bool) -> Self {
        lhs.map { (rhs ? nil : $0.negated) ?? ($0 == rhs) }
    }

    /// Whether two values differ.
    public static func != (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 != $1 }
    }

    /// Whether two values differ.
    public static func != (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 != rhs }
    }

    /// Whether two values differ.
    public static func != (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs != $0 }
    }

    /// Whether a value differs from another, or is not NULL if that is nil.
    public static func != (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
        let rhs = rhs?.sqlExpression
        return lhs.map { $0 != rhs }
    }

    /// The same, with a value on the left.
    public static func != (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
        let lhs = lhs?.sqlExpression
        return rhs.map { lhs != $0 }
    }

    /// Whether a value is not 1, for true, or 0: `Author.books.isEmpty != true`.
    public static func != (lhs: Self, rhs: Bool) -> Self {
        lhs.map { (rhs ? $0.negated : nil) ?? ($0 != rhs) }
    }

    /// Whether two values are equal, or both NULL: `IS`.
    public static func === (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 === $1 }
    }

    /// Whether two values are equal, or both NULL: `IS`.
    public static func === (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 === rhs }
    }

    /// Whether two values are equal, or both NULL: `IS`.
    public static func === (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs === $0 }
    }

    /// Whether a value is equal to another, or both are NULL: `IS`.
    public static func === (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
        let rhs = rhs?.sqlExpression
        return lhs.map { $0 === rhs }
    }

    /// The same, with a value on the left.
    public static func === (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
        let lhs = lhs?.sqlExpression
        return rhs.map { lhs === $0 }
    }

    /// Whether two values differ, NULL being a value like others: `IS NOT`.
    public static func !== (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 !== $1 }
    }

    /// Whether two values differ, NULL being a value like others: `IS NOT`.
    public static func !== (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 !== rhs }
    }

    /// Whether two values differ, NULL being a value like others: `IS NOT`.
    public static func !== (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs !== $0 }
    }

    /// Whether a value differs from another, NULL being one like others: `IS NOT`.
    public static func !== (lhs: Self, rhs: (any SQLExpressible)?) -> Self {
        let rhs = rhs?.sqlExpression
        return lhs.map { $0 !== rhs }
    }

    /// The same, with a value on the left.
    public static func !== (lhs: (any SQLExpressible)?, rhs: Self) -> Self {
        let lhs = lhs?.sqlExpression
        return rhs.map { lhs !== $0 }
    }

    /// Whether a value is less than another.
    public static func < (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 < $1 }
    }

    /// Whether a value is less than another.
    public static func < (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 < rhs }
    }

    /// Whether a value is less than another.
    public static func < (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs < $0 }
    }

    /// Whether a value is less than another, or equal.
    public static func <= (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 <= $1 }
    }

    /// Whether a value is less than another, or equal.
    public static func <= (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 <= rhs }
    }

    /// Whether a value is less than another, or equal.
    public static func <= (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs <= $0 }
    }

    /// Whether a value is greater than another.
    public static func > (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 > $1 }
    }

    /// Whether a value is greater than another.
    public static func > (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 > rhs }
    }

    /// Whether a value is greater than another.
    public static func > (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs > $0 }
    }

    /// Whether a value is greater than another, or equal.
    public static func >= (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 >= $1 }
    }

    /// Whether a value is greater than another, or equal.
    public static func >= (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 >= rhs }
    }

    /// Whether a value is greater than another, or equal.
    public static func >= (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs >= $0 }
    }
}
