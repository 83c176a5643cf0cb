// SQLite's functions that read JSON, and those that make it as text. <https://www.sqlite.org/json1.html>

extension Database {
    /// JSON as a text, without spaces; an error if it is none: `JSON`.
    ///
    ///     let request = Player.select(Database.json(Column("address")))
    public static func json(_ value: some SQLExpressible) -> SQLExpression {
        JSONFunctions.text.call("", [value.sqlExpression])
    }

    /// An array of values, as a text: `JSON_ARRAY`.
    ///
    ///     let request = Player.select(Database.jsonArray([Column("name"), Column("score")]))
    public static func jsonArray(
        _ values: some Collection<some SQLExpressible>
    ) -> SQLExpression {
        JSONFunctions.text.call("ARRAY", values.map(\.jsonElement))
    }

    /// An array of values of several types, as a text: `JSON_ARRAY`.
    public static func jsonArray(
        _ values: some Collection<any SQLExpressible>
    ) -> SQLExpression {
        JSONFunctions.text.call("ARRAY", values.map { $0.jsonElement })
    }

    /// An object of keys and values, as a text: `JSON_OBJECT`.
    ///
    /// The order is that of the keys if it is a dictionary that is given.
    public static func jsonObject(
        _ elements: some Collection<(key: String, value: any SQLExpressible)>
    ) -> SQLExpression {
        JSONFunctions.text.object(elements)
    }

    /// A value as JSON: a string between quotes, a number, or JSON as it is: `JSON_QUOTE`.
    ///
    ///     let request = Player.select(Database.jsonQuote(Column("name")))
    public static func jsonQuote(_ value: some SQLExpressible) -> SQLExpression {
        JSONFunctions.text.call("QUOTE", [value.jsonElement])
    }

    /// An array of the values of many rows, as a text: `JSON_GROUP_ARRAY`.
    ///
    ///     let request = Player.select(Database.jsonGroupArray(Column("name")))
    public static func jsonGroupArray(
        _ value: some SQLExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
        filter: (any SQLSpecificExpressible)? = nil
    ) -> SQLExpression {
        JSONFunctions.text.groupArray(value, ordering, filter)
    }

    /// An object of the keys and values of many rows, as a text: `JSON_GROUP_OBJECT`.
    public static func jsonGroupObject(
        key: some SQLExpressible, value: some SQLExpressible,
        filter: (any SQLSpecificExpressible)? = nil
    ) -> SQLExpression {
        JSONFunctions.text.groupObject(key, value, filter)
    }
}

// MARK: - Parts

extension Database {
    /// The number of elements of an array, 0 of anything else: `JSON_ARRAY_LENGTH`.
    ///
    ///     let request = Player.select(Database.jsonArrayLength(Column("address")))
    public static func jsonArrayLength(_ value: some SQLExpressible) -> SQLExpression {
        JSONFunctions.text.call("ARRAY_LENGTH", [value.sqlExpression])
    }

    /// The number of elements of the array at a path, or NULL: `JSON_ARRAY_LENGTH`.
    public static func jsonArrayLength(
        _ value: some SQLExpressible, atPath path: some SQLExpressible
    ) -> SQLExpression {
        JSONFunctions.text.call(
            "ARRAY_LENGTH", [value.sqlExpression, JSONPath.expression(path)])
    }

    /// The place of the first character that is no JSON, from 1 on, or 0: `JSON_ERROR_POSITION`.
    ///
    ///     let request = Player.select(Database.jsonErrorPosition(Column("address")))
    public static func jsonErrorPosition(_ value: some SQLExpressible) -> SQLExpression {
        JSONFunctions.text.call("ERROR_POSITION", [value.sqlExpression])
    }

    /// What kind of JSON it is: `JSON_TYPE`.
    ///
    ///     let request = Player.select(Database.jsonType(Column("address"), atPath: "$.city"))
    public static func jsonType(_ value: some SQLExpressible) -> SQLExpression {
        JSONFunctions.text.call("TYPE", [value.sqlExpression])
    }

    /// What kind of JSON stands at a path, or NULL: `JSON_TYPE`.
    public static func jsonType(
        _ value: some SQLExpressible, atPath path: some SQLExpressible
    ) -> SQLExpression {
        JSONFunctions.text.call("TYPE", [value.sqlExpression, JSONPath.expression(path)])
    }

    /// Whether the value is JSON: `JSON_VALID`.
    ///
    ///     let broken = Player.filter(!Database.jsonIsValid(Column("address")))
    ///
    /// - Parameters:
    ///   - value: The text or blob to examine.
    ///   - options: What counts as JSON. They need SQLite 3.45.
    public static func jsonIsValid(
        _ value: some SQLExpressible, options: JSONValidationOptions? = nil
    ) -> SQLExpression {
        let flags = options.map { [Constant.number($0.rawValue)] } ?? []
        return JSONFunctions.text.call("VALID", [value.sqlExpression] + flags)
    }

    /// What stands at a path, as an SQL value: `JSON_EXTRACT`.
    ///
    ///     let request = Player.select(Database.jsonExtract(Column("address"), atPath: "$.city"))
    public static func jsonExtract(
        _ value: some SQLExpressible, atPath path: some SQLExpressible
    ) -> SQLExpression {
        JSONFunctions.text.extract(value, [JSONPath.expression(path)])
    }

    /// An array of what stands at several paths, as a text: `JSON_EXTRACT`.
    public static func jsonExtract(
        _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
    ) -> SQLExpression {
        JSONFunctions.text.extract(value, paths.map { JSONPath.expression($0) })
    }
}

// MARK: - Changes

extension Database {
    /// JSON with new values at paths where there is nothing: `JSON_INSERT`.
    ///
    ///     Database.jsonInsert(JSONColumn("info"), ["$.name": "Arthur", "$.score": 10])
    public static func jsonInsert(
        _ value: some SQLExpressible,
        _ assignments: some Collection<(key: String, value: any SQLExpressible)>
    ) -> SQLExpression {
        JSONFunctions.text.change("INSERT", value, assignments)
    }

    /// JSON with new values at paths where there is something: `JSON_REPLACE`.
    ///
    ///     Database.jsonReplace(JSONColumn("info"), ["$.name": "Arthur", "$.score": 10])
    public static func jsonReplace(
        _ value: some SQLExpressible,
        _ assignments: some Collection<(key: String, value: any SQLExpressible)>
    ) -> SQLExpression {
        JSONFunctions.text.change("REPLACE", value, assignments)
    }

    /// JSON with new values at paths: `JSON_SET`.
    ///
    ///     Database.jsonSet(JSONColumn("info"), ["$.name": "Arthur", "$.score": 10])
    public static func jsonSet(
        _ value: some SQLExpressible,
        _ assignments: some Collection<(key: String, value: any SQLExpressible)>
    ) -> SQLExpression {
        JSONFunctions.text.change("SET", value, assignments)
    }

    /// JSON changed by a merge patch, as RFC 7396 has it: `JSON_PATCH`.
    public static func jsonPatch(
        _ value: some SQLExpressible, with patch: some SQLExpressible
    ) -> SQLExpression {
        JSONFunctions.text.call("PATCH", [value.sqlExpression, patch.sqlExpression])
    }

    /// JSON without what stands at a path: `JSON_REMOVE`.
    ///
    ///     let request = Player.select(Database.jsonRemove(Column("address"), atPath: "$.city"))
    public static func jsonRemove(
        _ value: some SQLExpressible, atPath path: some SQLExpressible
    ) -> SQLExpression {
        JSONFunctions.text.call("REMOVE", [value.sqlExpression, JSONPath.expression(path)])
    }

    /// JSON without what stands at several paths, one after the other: `JSON_REMOVE`.
    public static func jsonRemove(
        _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
    ) -> SQLExpression {
        JSONFunctions.text.call(
            "REMOVE", [value.sqlExpression] + paths.map { JSONPath.expression($0) })
    }
}
