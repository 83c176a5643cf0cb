/// SQL in which values are interpolated without becoming SQL.
///
///     let name = "O'Brien"
///     try db.execute(literal: "UPDATE player SET name = \(name) WHERE id = \(id)")
///
/// Each value becomes a placeholder and an argument. `SQLInterpolation` lists what else can be
/// interpolated. Wherever a function takes `SQL`, its label is `literal:`, and a `String` is not
/// accepted, so that a text made of unknown parts cannot slip in.
public struct SQL: Sendable {
    private var pieces: [Piece] = []
    package private(set) var depth = 0

    private enum Piece: Sendable {
        case text(String, StatementArguments)
        case node(NestedNode)
        /// A node that may need parentheses to stay one in the SQL around it.
        case operand(NestedNode)
    }

    /// The empty literal.
    init() {}

    /// Makes a literal of SQL that is trusted, and of the values for its placeholders.
    ///
    ///     let literal = SQL(sql: "score > ?", arguments: [100])
    public init(sql: String, arguments: StatementArguments = StatementArguments()) {
        append(sql: sql, arguments: arguments)
    }

    /// Makes a literal of an expression.
    public init(_ expression: some SQLSpecificExpressible) {
        append(node: expression.sqlExpression)
    }

    /// Whether there is no SQL.
    public var isEmpty: Bool { pieces.isEmpty }

    /// The SQL with its placeholders, and their values.
    ///
    /// Traps when two pieces define the same named argument.
    ///
    ///     let literal: SQL = "SELECT * FROM player WHERE score > \(minimum)"
    ///     let (sql, arguments) = try literal.build(db)
    ///
    /// - Throws: `DatabaseError` when an interpolated request cannot be turned into SQL.
    public func build(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
        var context = SQLGenerationContext(connection: db)
        try write(to: &context)
        return (context.sql, context.arguments)
    }
}

// MARK: - Appending

extension SQL {
    /// Adds a literal at the end.
    ///
    ///     var literal: SQL = "SELECT * FROM player"
    ///     literal.append(literal: " WHERE score > \(minimum)")
    public mutating func append(literal: SQL) {
        pieces.append(contentsOf: literal.pieces)
        depth = max(depth, literal.depth)
    }

    /// Adds SQL that is trusted at the end, and values for its placeholders.
    public mutating func append(
        sql: String, arguments: StatementArguments = StatementArguments()
    ) {
        guard !sql.isEmpty || !arguments.isEmpty else { return }
        if arguments.isEmpty, case .text(let text, let earlier) = pieces.last {
            pieces[pieces.count - 1] = .text(text + sql, earlier)
        } else {
            pieces.append(.text(sql, arguments))
        }
    }

    mutating func append(node: some SQLNode) {
        append(.node(NestedNode(node)), depth: node.depth)
    }

    mutating func append(operand: some SQLNode) {
        append(.operand(NestedNode(operand)), depth: operand.depth)
    }

    private mutating func append(_ piece: Piece, depth: Int) {
        pieces.append(piece)
        self.depth = max(self.depth, 1 + depth)
    }

    /// The two literals, one after the other, with nothing between.
    public static func + (lhs: SQL, rhs: SQL) -> SQL {
        var literal = lhs
        literal += rhs
        return literal
    }

    /// Adds a literal at the end.
    public static func += (lhs: inout SQL, rhs: SQL) {
        lhs.append(literal: rhs)
    }
}

extension Sequence where Element == SQL {
    /// The literals, one after the other.
    ///
    ///     let conditions: [SQL] = ["score > \(minimum)", "name IS NOT NULL"]
    ///     let query: SQL = "SELECT * FROM player WHERE \(conditions.joined(separator: " AND "))"
    public func joined(separator: String = "") -> SQL {
        var literal = SQL()
        var isFirst = true
        for element in self {
            if !isFirst { literal.append(sql: separator) }
            isFirst = false
            literal += element
        }
        return literal
    }
}

// MARK: - As an expression

extension SQL: SQLNode {
    package func write(to sql: inout SQLGenerationContext) throws {
        for piece in pieces {
            switch piece {
            case .text(let text, let arguments): sql.append(sql: text, arguments: arguments)
            case .node(let node): try node.write(to: &sql)
            case .operand(let node): try node.writeOperand(to: &sql)
            }
        }
    }

    // Nobody looks into it: it may be one.
    package var isCall: Bool { true }

    package func writeOperand(to sql: inout SQLGenerationContext) throws {
        sql.append(sql: "(")
        try write(to: &sql)
        sql.append(sql: ")")
    }
}

extension SQL: SQLSpecificExpressible {
    /// The literal as an operand: parentheses keep it one among other operands.
    public var sqlExpression: SQLExpression { SQLExpression(self) }

    /// What the literal selects; it may be several columns.
    public var sqlSelection: SQLSelection { SQLSelection(.literal(NestedNode(self))) }

    /// The ordering that the literal is; it may have several terms.
    public var sqlOrdering: SQLOrdering { SQLOrdering(literal: self) }
}

// MARK: - Literals

extension SQL: ExpressibleByStringInterpolation {
    public init(unicodeScalarLiteral: String) {
        self.init(stringLiteral: unicodeScalarLiteral)
    }

    public init(extendedGraphemeClusterLiteral: String) {
        self.init(stringLiteral: extendedGraphemeClusterLiteral)
    }

    public init(stringLiteral: String) {
        self.init(sql: stringLiteral)
    }

    public init(stringInterpolation: SQLInterpolation) {
        self = stringInterpolation.literal
    }
}
