// Definitions take no arguments: what is generated for them holds its values as literals.

extension Database {
    /// SQL with its values in the text.
    func embeddingValues(
        _ write: (inout SQLGenerationContext) throws -> Void
    ) throws -> String {
        var context = SQLGenerationContext(connection: self)
        try write(&context)
        guard !context.arguments.isEmpty else { return context.sql }
        return try EmbeddedArguments(context.sql).sql(with: context.arguments) { try literal($0) }
    }

    /// An expression with its values in the text.
    func embeddingValues(_ expression: any SQLExpressible) throws -> String {
        try embeddingValues { try expression.sqlExpression.write(to: &$0) }
    }

    /// A literal with its values in the text.
    func embeddingValues(_ literal: SQL) throws -> String {
        try embeddingValues { try literal.write(to: &$0) }
    }
}

/// The placeholders of an SQL text, numbered as SQLite does.
///
/// <https://www.sqlite.org/lang_expr.html#varparam>
private struct EmbeddedArguments {
    private let sql: [UInt8]
    private var placeholders: [(range: Range<Int>, number: Int)] = []
    /// The names of the parameters; that of parameter 1 comes first.
    private var names: [String?] = []

    private static let largestNumber = 32_766

    init(_ sql: String) throws {
        self.sql = Array(sql.utf8)
        let found = sql.withSQLLexer { lexer in
            var found: [(range: Range<Int>, text: String)] = []
            while let token = lexer.next() {
                if token.kind == .parameter { found.append((token.range, lexer.text(token))) }
            }
            return found
        }
        var numbers: [String: Int] = [:]
        for (range, text) in found {
            let number = text.first == "?" ? Int(text.dropFirst()) : numbers[text]
            let used = number ?? names.count + 1
            guard (1...Self.largestNumber).contains(used) else {
                throw DatabaseError(
                    message: "variable number must be between ?1 and ?\(Self.largestNumber)",
                    sql: sql)
            }
            while names.count < used { names.append(nil) }
            if text.first != "?" {
                numbers[text] = used
                names[used - 1] = String(text.dropFirst())
            }
            placeholders.append((range, used))
        }
    }

    /// The text with literals where the placeholders were.
    func sql(
        with arguments: StatementArguments, literal: (DatabaseValue) throws -> String
    ) throws -> String {
        var positional = arguments.values.makeIterator()
        let literals = try names.map { name in
            let named = name.flatMap { arguments.namedValues[$0] }
            guard let value = named ?? positional.next() else { throw Self.wrongNumber(arguments) }
            return try literal(value)
        }
        guard positional.next() == nil else { throw Self.wrongNumber(arguments) }
        var result: [UInt8] = []
        var position = 0
        for (range, number) in placeholders {
            result += sql[position..<range.lowerBound]
            result += literals[number - 1].utf8
            position = range.upperBound
        }
        result += sql[position...]
        return String(decoding: result, as: UTF8.self)
    }

    private static func wrongNumber(_ arguments: StatementArguments) -> DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_MISUSE,
            message: "wrong number of statement arguments: \(arguments.values.count)")
    }
}
