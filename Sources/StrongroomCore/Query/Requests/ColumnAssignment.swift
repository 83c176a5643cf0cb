/// The value that a column gets in an update.
///
///     // UPDATE "player" SET "score" = 0, "bonus" = "bonus" + 10
///     try Player.updateAll(db) { [$0.score.set(to: 0), $0.bonus += 10] }
public struct ColumnAssignment: Sendable {
    let columnName: String
    /// The value; nil where the column keeps its own.
    let value: SQLExpression?
}

extension ColumnExpression {
    /// Gives the column a value: an expression, a constant, a subquery, or NULL.
    ///
    ///     try Player.updateAll(db, [Column("score").set(to: 0)])
    public func set(to value: (any SQLExpressible)?) -> ColumnAssignment {
        ColumnAssignment(
            columnName: name, value: value?.sqlExpression ?? SQLExpression(value: .null))
    }

    /// Lets the column keep its value in an upsert. Elsewhere it does nothing.
    public var noOverwrite: ColumnAssignment {
        ColumnAssignment(columnName: name, value: nil)
    }

    /// Adds to a number.
    public static func += (column: Self, value: some SQLExpressible) -> ColumnAssignment {
        column.set(to: column + value)
    }

    /// Takes from a number.
    public static func -= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
        column.set(to: column - value)
    }

    /// Multiplies a number.
    public static func *= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
        column.set(to: column * value)
    }

    /// Divides a number.
    public static func /= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
        column.set(to: column / value)
    }

    /// Keeps the bits of an integer that the other has too.
    public static func &= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
        column.set(to: column & value)
    }

    /// Adds the bits of another integer.
    public static func |= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
        column.set(to: column | value)
    }

    /// Moves the bits of an integer to the left.
    public static func <<= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
        column.set(to: column << value)
    }

    /// Moves the bits of an integer to the right.
    public static func >>= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
        column.set(to: column >> value)
    }
}
