public import StrongroomEssentials

/// What can be interpolated in `SQL` and `SQLRequest`, and what becomes of it.
///
/// | interpolated | SQL |
/// |---|---|
/// | `\(name)`, a value | `?`; `NULL` for nil |
/// | `\([1, 2, 3])`, a sequence of values or expressions | `(?,?,?)` |
/// | `\(Column("name"))`, an expression, selection or ordering | the same as SQL |
/// | `\(CodingKeys.name)` | `"name"` |
/// | `\(.nocase)`, a collation | `NOCASE` |
/// | `(\(request))`, a query | `(SELECT …)`; the parentheses are the caller's |
/// | `\(Player.self)`, `\(tableOf: player)` | `"player"` |
/// | `\(columnsOf: Player.self)`, `\(columnsOf: Player.self, tableAlias: "p")` | `"player".*`, `"p".*` |
/// | `\(identifier: "order")` | `"order"` |
/// | `\(literal: condition)` | a literal, as it is |
/// | `\(sql: "score > ?", arguments: [10])` | the text, as it is: never of unknown origin |
public struct SQLInterpolation: StringInterpolationProtocol {
    var literal = SQL()

    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds what stands between interpolations.
    public mutating func appendLiteral(_ sql: String) {
        literal.append(sql: sql)
    }

    /// Adds SQL that is trusted, and values for its placeholders.
    public mutating func appendInterpolation(
        sql: String, arguments: StatementArguments = StatementArguments()
    ) {
        literal.append(sql: sql, arguments: arguments)
    }

    /// Adds another literal.
    public mutating func appendInterpolation(literal: SQL) {
        self.literal.append(literal: literal)
    }

    /// Adds another literal.
    public mutating func appendInterpolation(_ literal: SQL) {
        self.literal.append(literal: literal)
    }

    /// Adds a name between quotes, whatever it is made of.
    public mutating func appendInterpolation(identifier: String) {
        literal.append(sql: identifier.quotedDatabaseIdentifier)
    }
}

// MARK: - Expressions

extension SQLInterpolation {
    /// Adds a value as an argument, or an expression.
    public mutating func appendInterpolation(_ expressible: some SQLExpressible) {
        literal.append(operand: expressible.sqlExpression)
    }

    /// Adds a value as an argument, or an expression; `NULL` for nil.
    public mutating func appendInterpolation(_ expressible: (any SQLExpressible)?) {
        literal.append(operand: expressible?.sqlExpression ?? SQLExpression(value: .null))
    }

    /// Adds an expression.
    public mutating func appendInterpolation(_ expressible: some SQLSpecificExpressible) {
        literal.append(operand: expressible.sqlExpression)
    }

    /// Adds a part of a text as an argument.
    public mutating func appendInterpolation(_ text: Substring) {
        literal.append(operand: String(text).sqlExpression)
    }

    /// Adds bytes as an argument: they are a value, not a list of numbers.
    public mutating func appendInterpolation(_ data: Data) {
        literal.append(operand: data.sqlExpression)
    }

    /// Adds the name of a column, between quotes.
    public mutating func appendInterpolation(_ codingKey: some CodingKey) {
        literal.append(node: ColumnName(codingKey.stringValue))
    }

    /// Adds a column.
    public mutating func appendInterpolation(_ column: some CodingKey & ColumnExpression) {
        literal.append(operand: column.sqlExpression)
    }

    /// Adds a list between parentheses.
    ///
    /// Of an empty sequence it is an empty query, which `IN` and `NOT IN` accept alike.
    public mutating func appendInterpolation<Elements: Sequence>(_ sequence: Elements)
    where Elements.Element: SQLExpressible {
        literal.append(node: ExpressionList(sequence.map(\.sqlExpression)))
    }

    /// Adds a list between parentheses, of expressions and values of several types.
    public mutating func appendInterpolation<Elements: Sequence>(_ sequence: Elements)
    where Elements.Element == any SQLExpressible {
        literal.append(node: ExpressionList(sequence.map(\.sqlExpression)))
    }
}

// MARK: - Parts of queries

extension SQLInterpolation {
    /// Adds what a query selects.
    public mutating func appendInterpolation(_ selection: some SQLSelectable) {
        literal.append(node: selection.sqlSelection)
    }

    /// Adds what a query selects; `NULL` for nil.
    @_disfavoredOverload
    public mutating func appendInterpolation(_ selection: (any SQLSelectable)?) {
        let selection = selection?.sqlSelection ?? SQLSelection(SQLExpression(value: .null))
        literal.append(node: selection)
    }

    /// Adds an ordering.
    public mutating func appendInterpolation(_ ordering: some SQLOrderingTerm) {
        literal.append(node: ordering.sqlOrdering)
    }

    /// Adds the name of a collation.
    public mutating func appendInterpolation(_ collation: Database.CollationName) {
        literal.append(sql: collation.rawValue.plainOrQuotedName)
    }

    /// Adds the name of a collation.
    public mutating func appendInterpolation(_ collation: DatabaseCollation) {
        literal.append(sql: collation.name.plainOrQuotedName)
    }

    /// Adds a query, without parentheses.
    public mutating func appendInterpolation(_ request: some SQLSubqueryable) {
        literal.append(node: request.sqlSubquery)
    }
}
