/// SQLite's functions that make JSON, of which there are two of each: the one makes a text, the
/// other SQLite's binary form.
///
/// <https://www.sqlite.org/json1.html>
enum JSONFunctions: String {
    case text = "JSON"
    case binary = "JSONB"

    /// A call of a function of the kind: `JSON_SET` or `JSONB_SET`.
    func call(_ name: String, _ arguments: [SQLExpression]) -> SQLExpression {
        SQLExpression(
            FunctionCall(
                name: name.isEmpty ? rawValue : "\(rawValue)_\(name)", arguments: arguments,
                isScalar: true))
    }

    /// What stands at paths.
    func extract(_ value: some SQLExpressible, _ paths: [SQLExpression]) -> SQLExpression {
        call("EXTRACT", [value.sqlExpression] + paths)
    }

    /// An object of keys and values.
    func object(
        _ elements: some Collection<(key: String, value: any SQLExpressible)>
    ) -> SQLExpression {
        call(
            "OBJECT",
            Self.ordered(elements).flatMap { [$0.key.sqlExpression, $0.value.jsonElement] })
    }

    /// A change of what stands at paths.
    func change(
        _ name: String, _ value: some SQLExpressible,
        _ assignments: some Collection<(key: String, value: any SQLExpressible)>
    ) -> SQLExpression {
        call(
            name,
            [value.sqlExpression]
                + Self.ordered(assignments).flatMap {
                    [JSONPath.expression($0.key), $0.value.jsonElement]
                })
    }

    /// A dictionary comes in another order each time the program runs: in that of its keys, SQL is
    /// the same, and the statement is found in the cache.
    private static func ordered(
        _ elements: some Collection<(key: String, value: any SQLExpressible)>
    ) -> [(key: String, value: any SQLExpressible)] {
        let isUnordered = elements is [String: any SQLExpressible]
        return isUnordered ? elements.sorted { $0.key < $1.key } : Array(elements)
    }

    /// The array of the values of many rows.
    func groupArray(
        _ value: some SQLExpressible, _ ordering: (any SQLOrderingTerm)?,
        _ filter: (any SQLSpecificExpressible)?
    ) -> SQLExpression {
        SQLExpression(
            AggregateCall(
                name: "\(rawValue)_GROUP_ARRAY", argument: value.jsonElement,
                ordering: ordering?.sqlOrdering, filter: filter?.sqlExpression))
    }

    /// The object of the keys and values of many rows.
    func groupObject(
        _ key: some SQLExpressible, _ value: some SQLExpressible,
        _ filter: (any SQLSpecificExpressible)?
    ) -> SQLExpression {
        let pair = SQLExpression(KeyAndValue(key: key.sqlExpression, value: value.jsonElement))
        return SQLExpression(
            AggregateCall(
                name: "\(rawValue)_GROUP_OBJECT", argument: pair, filter: filter?.sqlExpression))
    }
}

/// Two arguments where one is expected.
private struct KeyAndValue: SQLNode {
    let key: SQLExpression
    let value: SQLExpression

    var depth: Int { 1 + max(key.depth, value.depth) }

    func write(to sql: inout SQLGenerationContext) throws {
        try key.write(to: &sql)
        sql.append(sql: ", ")
        try value.write(to: &sql)
    }
}

/// Where something stands in JSON.
///
/// A path that is known stands in the SQL, quoted: like the name of a column, it decides which index
/// can be used. <https://www.sqlite.org/expridx.html>
struct JSONPath: SQLNode {
    private let literal: String

    static func expression(_ path: some SQLExpressible) -> SQLExpression {
        let path = path.sqlExpression
        switch path.value?.storage {
        case .string(let string) where !string.utf8.contains(0):
            return SQLExpression(JSONPath(literal: string.sqlLiteral))
        case .int64(let index): return SQLExpression(JSONPath(literal: String(index)))
        default: return path
        }
    }

    var depth: Int { 0 }

    func write(to sql: inout SQLGenerationContext) {
        sql.append(sql: literal)
    }

    var isRowByRow: Bool { true }
}

extension SQLExpressible {
    /// The expression as part of JSON that is built: what is JSON must be told from a string.
    var jsonElement: SQLExpression {
        let expression = sqlExpression
        guard expression.isJSON else { return expression }
        return (JSONFunctions.hasBinary ? JSONFunctions.binary : .text).call("", [expression])
    }
}

extension JSONFunctions {
    /// Whether SQLite has the binary form, whose text need not be read twice: from 3.45 on.
    fileprivate static let hasBinary = SQLCipherLibrary.sqliteVersionNumber >= 3_045_000
}
