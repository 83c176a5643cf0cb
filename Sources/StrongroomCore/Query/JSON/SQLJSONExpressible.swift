/// An expression whose value is JSON, as text or in SQLite's binary form.
///
/// A `JSONColumn` is one, and `asJSON` of any other expression. Its parts can be asked for by a key,
/// by an index, or by a path that begins with `$`:
///
///     let info = JSONColumn("info")
///     info["name"]                                // "info" ->> 'name'
///     info["$.emails[0]"]                         // "info" ->> '$.emails[0]'
///     info.jsonRepresentation(atPath: "address")  // "info" -> 'address'
///
/// In an array or object that is built of it, it stays JSON, where other expressions become strings:
///
///     // JSON_ARRAY(JSONB("info"), "info"), as [{"name":"Arthur"},"{\"name\":\"Arthur\"}"]
///     Database.jsonArray([JSONColumn("info"), Column("info")] as [any SQLExpressible])
///
/// SQLite's error `malformed JSON` says that the value was none.
///
/// <https://www.sqlite.org/json1.html>
public protocol SQLJSONExpressible: SQLSpecificExpressible {}

extension SQLJSONExpressible {
    /// What stands at a path, as an SQL value: `->>`.
    ///
    /// A string is a text without quotes; an array or object is JSON as a text.
    public subscript(_ path: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(sqlExpression, "->>", JSONPath.expression(path)))
    }

    /// What stands at a path, as JSON: `->`.
    public func jsonRepresentation(atPath path: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(sqlExpression, "->", JSONPath.expression(path)))
    }

    /// What stands at a path, which begins with `$`, as an SQL value: `JSON_EXTRACT`.
    ///
    ///     let cities = Player.select(JSONColumn("address").jsonExtract(atPath: "$.city"))
    public func jsonExtract(atPath path: some SQLExpressible) -> SQLExpression {
        Database.jsonExtract(self, atPath: path)
    }

    /// What stands at several paths, as a JSON array: `JSON_EXTRACT`.
    public func jsonExtract(
        atPaths paths: some Collection<some SQLExpressible>
    ) -> SQLExpression {
        Database.jsonExtract(self, atPaths: paths)
    }
}

extension SQLSpecificExpressible {
    /// The same expression, taken for JSON.
    ///
    ///     Column("info").asJSON["name"]
    ///     "[1, 2, 3]".databaseValue.asJSON
    public var asJSON: AnySQLJSONExpressible {
        AnySQLJSONExpressible(sqlExpression)
    }
}

/// Any expression that is taken for JSON.
public struct AnySQLJSONExpressible: SQLJSONExpressible, Sendable {
    public let sqlExpression: SQLExpression

    /// The expression of which the type does not matter.
    ///
    ///     let address = AnySQLJSONExpressible(JSONColumn("address"))
    public init(_ expression: some SQLJSONExpressible) {
        self.init(expression.sqlExpression)
    }

    fileprivate init(_ expression: SQLExpression) {
        sqlExpression =
            expression.isJSON ? expression : SQLExpression(JSONReading(base: expression))
    }
}

/// An expression that is taken for JSON.
private struct JSONReading: SQLNode {
    let base: SQLExpression

    var depth: Int { 1 + base.depth }

    func write(to sql: inout SQLGenerationContext) throws { try base.write(to: &sql) }

    func writeOperand(to sql: inout SQLGenerationContext) throws { try base.writeOperand(to: &sql) }

    var negated: SQLExpression? { base.negated }

    var isRowByRow: Bool { base.isRowByRow }

    var isJSON: Bool { true }
}
