/// Any number of expressions with one operator between, in which parentheses make no difference.
struct AssociativeOperation: SQLNode {
    let kind: SQLExpression.AssociativeBinaryOperator
    let operands: [SQLExpression]

    /// The expressions joined; the neutral value of none, and a single one as it is.
    static func joining(
        _ operands: [SQLExpression], by kind: SQLExpression.AssociativeBinaryOperator
    ) -> SQLExpression {
        switch operands.count {
        case 0: SQLExpression(kind.neutral)
        case 1: operands[0]
        default: SQLExpression(Self(kind: kind, operands: operands.flatMap(kind.operands)))
        }
    }

    var depth: Int { 1 + operands.depth }

    /// How many operands stand side by side: SQLite nests them, a thousand deep at most.
    ///
    /// <https://www.sqlite.org/limits.html#max_expr_depth>
    private static let groupSize = 250

    func write(to sql: inout SQLGenerationContext) throws {
        try Self.write(operands[...], kind, to: &sql)
    }

    private static func write(
        _ operands: ArraySlice<SQLExpression>, _ kind: SQLExpression.AssociativeBinaryOperator,
        to sql: inout SQLGenerationContext
    ) throws {
        guard operands.count > groupSize, kind.isStrictlyAssociative else {
            return try sql.append(operands, separator: " \(kind.symbol) ") { operand, sql in
                try operand.writeOperand(to: &sql)
            }
        }
        // As many groups as one has members, or groups of groups.
        let size = max(groupSize, (operands.count + groupSize - 1) / groupSize)
        let starts = stride(from: operands.startIndex, to: operands.endIndex, by: size)
        try sql.append(starts, separator: " \(kind.symbol) ") { start, sql in
            let end = min(start + size, operands.endIndex)
            try sql.parenthesize { try write(operands[start..<end], kind, to: &$0) }
        }
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.parenthesize { try write(to: &$0) }
    }

    var isRowByRow: Bool { operands.allSatisfy(\.isRowByRow) }
}

extension SQLExpression {
    /// An operator that joins any number of expressions.
    ///
    ///     // "firstName" || ' ' || "lastName"
    ///     [Column("firstName"), " ".databaseValue, Column("lastName")].joined(operator: .concat)
    public struct AssociativeBinaryOperator: Sendable, Hashable {
        let symbol: String
        let neutral: Constant
        /// Whether regrouping gives the same value: of floating-point numbers it need not.
        let isStrictlyAssociative: Bool

        /// `+`: the sum; 0 of nothing.
        public static let add = Self("+", "0", isStrictlyAssociative: false)
        /// `*`: the product; 1 of nothing.
        public static let multiply = Self("*", "1", isStrictlyAssociative: false)
        /// `AND`: whether all are true; true of nothing.
        public static let and = Self("AND", "1")
        /// `OR`: whether one is true; false of nothing.
        public static let or = Self("OR", "0")
        /// `||`: the texts one after the other; the empty text of nothing.
        public static let concat = Self("||", "''")
        /// `&`: the bits that all have; all bits of nothing.
        public static let bitwiseAnd = Self("&", "-1")
        /// `|`: the bits that any has; none of nothing.
        public static let bitwiseOr = Self("|", "0")

        private init(_ symbol: String, _ neutral: String, isStrictlyAssociative: Bool = true) {
            self.symbol = symbol
            self.neutral = Constant(text: neutral)
            self.isStrictlyAssociative = isStrictlyAssociative
        }

        /// The operands of an expression that this operator has joined, or else the expression.
        func operands(of expression: SQLExpression) -> [SQLExpression] {
            // Thousands that are joined one by one would all be copied each time.
            guard isStrictlyAssociative,
                let operation = expression.node(as: AssociativeOperation.self),
                operation.kind == self, operation.operands.count < NestedNode.depthLimit
            else { return [expression] }
            return operation.operands
        }
    }
}

extension Sequence where Element: SQLSpecificExpressible {
    /// The elements with an operator between; its neutral value when there are none.
    public func joined(operator: SQLExpression.AssociativeBinaryOperator) -> SQLExpression {
        AssociativeOperation.joining(map(\.sqlExpression), by: `operator`)
    }
}

extension Sequence where Element == any SQLSpecificExpressible {
    /// The elements with an operator between; its neutral value when there are none.
    public func joined(operator: SQLExpression.AssociativeBinaryOperator) -> SQLExpression {
        AssociativeOperation.joining(map(\.sqlExpression), by: `operator`)
    }
}
