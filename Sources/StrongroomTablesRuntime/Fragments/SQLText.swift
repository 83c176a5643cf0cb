internal import StrongroomCore
internal import StrongroomEssentials

extension QueryFragment {
    /// The text with a parameter for each value, and the values.
    ///
    ///     let (sql, values) = Item.find(1).select(\.title).query.prepare { "?\($0)" }
    ///     sql  // "SELECT "items"."title" FROM "items" WHERE "items"."id" = ?1"
    ///     values.count  // 1
    ///
    /// - Parameter parameter: Makes the text of a parameter of its number, from 1 on.
    public func prepare(
        _ parameter: (_ n: Int) -> String
    ) -> (sql: String, bindings: [QueryBinding]) {
        withoutActuallyEscaping(parameter) { parameter in
            var writer = SQLWriter(segments)
            writer.sql.reserveCapacity(256)
            writer.write(segments, parameter: parameter)
            return (writer.sql, writer.bindings)
        }
    }

    /// The text with a question mark for each value, and the values.
    var prepared: (sql: String, bindings: [QueryBinding]) {
        var writer = SQLWriter(segments, hasMarks: true)
        writer.sql.reserveCapacity(256)
        writer.write(segments, parameter: { _ in "?" })
        return (writer.sql, writer.bindings)
    }

    /// The first mistake in the query.
    var failure: QueryBuildingError? { Self.failure(in: segments) }

    private static func failure(in segments: [Segment]) -> QueryBuildingError? {
        for segment in segments {
            switch segment {
            case .failure(let error), .binding(.invalid(let error)): return error
            case .subquery(let inner), .stored(let inner):
                if let error = failure(in: inner) { return error }
            default: continue
            }
        }
        return nil
    }
}

extension QueryFragment {
    /// Whether the SQL calls a function that may give another value each time.
    ///
    /// The functions of an app, whose names are quoted, may do so; nothing tells.
    var mayVary: Bool {
        let sql = sql
        let calls = ["random(", "randomblob(", "changes(", "last_insert_rowid(", "\"("]
        return calls.contains { sql.contains($0) }
    }
}

extension QueryFragment: CustomStringConvertible, CustomDebugStringConvertible {
    /// The canonical text, with values written as literals.
    public var description: String {
        var writer = SQLWriter(segments)
        writer.write(segments, parameter: nil)
        return writer.sql
    }

    /// The canonical text, with values written as literals.
    public var debugDescription: String { description }
}

/// Writes segments as text.
private struct SQLWriter {
    var sql = ""
    var bindings: [QueryBinding] = []
    /// The whole statement.
    let all: [QueryFragment.Segment]
    /// Whether every parameter is a question mark.
    let hasMarks: Bool

    init(_ all: [QueryFragment.Segment], hasMarks: Bool = false) {
        self.all = all
        self.hasMarks = hasMarks
    }

    /// Without `parameter`, values become literals.
    mutating func write(
        _ segments: [QueryFragment.Segment], parameter: ((Int) -> String)?
    ) {
        for segment in segments {
            switch segment {
            case .text(let text): sql += text
            case .binding(let binding), .moment(let binding): write(binding, parameter)
            case .stored(let inner): write(inner, parameter: nil)
            case .column(let table, let name):
                sql += table.prefix
                sql.appendQuoted(name)
            case .hiddenColumn(let table):
                let isOnly = table.alias == nil && all.sourceCount(of: table.name) < 2
                sql += (isOnly ? "" : table.prefix) + table.name.quotedIdentifier
            case .name(let table): sql += table.qualifiedName
            case .source(let table):
                guard table.isPlain else {
                    write(table.source.segments, parameter: parameter)
                    continue
                }
                sql += table.qualifiedName
            case .subquery(let inner):
                sql += "("
                write(inner, parameter: parameter)
                sql += ")"
            case .tuples(let values, let width, _): write(values, width, parameter)
            case .deferred(let literal): sql += literal.placeholder
            case .failure(let error):
                if parameter == nil { sql += "/* \(error.message) */" }
            }
        }
    }

    /// Writes rows of values, each in parentheses.
    private mutating func write(
        _ values: [QueryBinding], _ width: Int, _ parameter: ((Int) -> String)?
    ) {
        if hasMarks, parameter != nil {
            let row = "(" + repeatElement("?", count: width).joined(separator: ", ") + ")"
            sql.reserveCapacity(sql.utf8.count + (row.utf8.count + 2) * (values.count / width))
            sql += row
            for _ in 1..<max(values.count / width, 1) {
                sql += ", "
                sql += row
            }
            return bindings += values
        }
        for index in values.indices {
            sql += index == 0 ? "(" : index.isMultiple(of: width) ? "), (" : ", "
            write(values[index], parameter)
        }
        sql += ")"
    }

    private mutating func write(_ binding: QueryBinding, _ parameter: ((Int) -> String)?) {
        if let parameter {
            bindings.append(binding)
            return sql += hasMarks ? "?" : parameter(bindings.count)
        }
        let literal = binding.literal
        // A second minus sign would begin a comment.
        sql += literal.hasPrefix("-") && sql.hasSuffix("-") ? "(\(literal))" : literal
    }
}

extension [QueryFragment.Segment] {
    /// How often rows are taken from a table.
    func sourceCount(of name: String) -> Int {
        reduce(0) { count, segment in
            switch segment {
            case .source(let table): count + (table.name == name ? 1 : 0)
            case .subquery(let inner), .stored(let inner): count + inner.sourceCount(of: name)
            default: count
            }
        }
    }
}

extension QueryBinding {
    /// The value as SQL.
    var literal: String {
        switch self {
        case .null: "NULL"
        case .int(let value): String(value)
        case .double(let value): value.sqlLiteral
        case .text(let value): value.sqlLiteral
        case .blob(let value): value.sqlLiteral
        case .invalid(let error): "/* \(error.message) */"
        }
    }
}

extension Double {
    fileprivate var sqlLiteral: String {
        if isNaN { return "NULL" }
        if isInfinite { return self < 0 ? "-9e999" : "9e999" }
        return String(self)
    }
}

extension Data {
    fileprivate var sqlLiteral: String {
        let digits = Array("0123456789abcdef")
        var text = "X'"
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text + "'"
    }
}

extension String {
    fileprivate var sqlLiteral: String {
        if utf8.contains(0) { return "CAST(\(Data(utf8).sqlLiteral) AS TEXT)" }
        return quotedText
    }

    /// The text between single quotes.
    var quotedText: String { "'" + replacing("'", with: "''") + "'" }

    mutating func appendQuoted(_ name: String) {
        guard !name.utf8.contains(UInt8(ascii: "\"")) else { return self += name.quotedIdentifier }
        self += "\""
        self += name
        self += "\""
    }

    /// The name between double quotes.
    var quotedIdentifier: String {
        utf8.contains(UInt8(ascii: "\""))
            ? "\"" + replacing("\"", with: "\"\"") + "\"" : "\"" + self + "\""
    }
}
