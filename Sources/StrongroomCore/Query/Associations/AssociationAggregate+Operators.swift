// What is computed of aggregates is an aggregate, without a name until `forKey(_:)` gives one: but
// what only converts a value, or stands for NULL, keeps its name.

extension AssociationAggregate {
    /// The sum of two values.
    public static func + (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 + $1 }
    }

    /// The sum of two values.
    public static func + (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 + rhs }
    }

    /// The sum of two values.
    public static func + (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs + $0 }
    }

    /// The difference of two values.
    public static func - (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 - $1 }
    }

    /// The difference of two values.
    public static func - (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 - rhs }
    }

    /// The difference of two values.
    public static func - (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs - $0 }
    }

    /// The product of two values.
    public static func * (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 * $1 }
    }

    /// The product of two values.
    public static func * (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 * rhs }
    }

    /// The product of two values.
    public static func * (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs * $0 }
    }

    /// The quotient of two values; that of integers is an integer.
    public static func / (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 / $1 }
    }

    /// The quotient of two values; that of integers is an integer.
    public static func / (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 / rhs }
    }

    /// The quotient of two values; that of integers is an integer.
    public static func / (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs / $0 }
    }

    /// The negative of a value.
    public static prefix func - (value: Self) -> Self {
        value.map { -$0 }
    }

    /// Whether both conditions hold.
    public static func && (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 && $1 }
    }

    /// Whether both conditions hold.
    public static func && (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 && rhs }
    }

    /// Whether both conditions hold.
    public static func && (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs && $0 }
    }

    /// Whether one of the conditions holds, or both.
    public static func || (lhs: Self, rhs: Self) -> Self {
        lhs.combined(with: rhs) { $0 || $1 }
    }

    /// Whether one of the conditions holds, or both.
    public static func || (lhs: Self, rhs: some SQLExpressible) -> Self {
        let rhs = rhs.sqlExpression
        return lhs.map { $0 || rhs }
    }

    /// Whether one of the conditions holds, or both.
    public static func || (lhs: some SQLExpressible, rhs: Self) -> Self {
        let lhs = lhs.sqlExpression
        return rhs.map { lhs || $0 }
    }

    /// Whether a condition does not hold.
    public static prefix func ! (condition: Self) -> Self {
        condition.map { !$0 }
    }

    /// The value, or another one where it is NULL, under the same name: `IFNULL`.
    public static func ?? (value: Self, replacement: some SQLExpressible) -> Self {
        let replacement = replacement.sqlExpression
        return value.map(key: value.key) { $0 ?? replacement }
    }
}

/// The absolute value: `ABS`.
///
///     let request = Player.select(abs(Column("score")))
public func abs<RowDecoder>(
    _ aggregate: AssociationAggregate<RowDecoder>
) -> AssociationAggregate<RowDecoder> {
    aggregate.map { abs($0) }
}

/// The number of characters of a text, or of bytes: `LENGTH`.
///
///     let request = Player.filter(length(Column("name")) > 10)
public func length<RowDecoder>(
    _ aggregate: AssociationAggregate<RowDecoder>
) -> AssociationAggregate<RowDecoder> {
    aggregate.map { length($0) }
}

/// The value converted to a type of content, under the same name: `CAST`.
public func cast<RowDecoder>(
    _ aggregate: AssociationAggregate<RowDecoder>, as storageClass: Database.StorageClass
) -> AssociationAggregate<RowDecoder> {
    aggregate.map(key: aggregate.key) { cast($0, as: storageClass) }
}
