// SQLite's functions that make JSON in its binary form. They need SQLite 3.45.
// <https://www.sqlite.org/jsonb.html>

extension Database {
    /// JSON in SQLite's binary form, without spaces; an error if it is none: `JSONB`.
    ///
    ///     let request = Player.select(Database.jsonb(Column("address")))
    public static func jsonb(_ value: some SQLExpressible) -> SQLExpression {
        JSONFunctions.binary.call("", [value.sqlExpression])
    }

    /// An array of values, in SQLite's binary form: `JSONB_ARRAY`.
    public static func jsonbArray(
        _ values: some Collection<some SQLExpressible>
    ) -> SQLExpression {
        JSONFunctions.binary.call("ARRAY", values.map(\.jsonElement))
    }

    /// An array of values of several types, in SQLite's binary form: `JSONB_ARRAY`.
    public static func jsonbArray(
        _ values: some Collection<any SQLExpressible>
    ) -> SQLExpression {
        JSONFunctions.binary.call("ARRAY", values.map { $0.jsonElement })
    }

    /// An object of keys and values, in SQLite's binary form: `JSONB_OBJECT`.
    ///
    /// The order is that of the keys if it is a dictionary that is given.
    public static func jsonbObject(
        _ elements: some Collection<(key: String, value: any SQLExpressible)>
    ) -> SQLExpression {
        JSONFunctions.binary.object(elements)
    }

    /// An array of the values of many rows, in SQLite's binary form: `JSONB_GROUP_ARRAY`.
    public static func jsonbGroupArray(
        _ value: some SQLExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
        filter: (any SQLSpecificExpressible)? = nil
    ) -> SQLExpression {
        JSONFunctions.binary.groupArray(value, ordering, filter)
    }

    /// An object of the keys and values of many rows, in SQLite's binary form: `JSONB_GROUP_OBJECT`.
    public static func jsonbGroupObject(
        key: some SQLExpressible, value: some SQLExpressible,
        filter: (any SQLSpecificExpressible)? = nil
    ) -> SQLExpression {
        JSONFunctions.binary.groupObject(key, value, filter)
    }
}

// MARK: - Parts

extension Database {
    /// What stands at a path, as an SQL value; arrays and objects are binary: `JSONB_EXTRACT`.
    public static func jsonbExtract(
        _ value: some SQLExpressible, atPath path: some SQLExpressible
    ) -> SQLExpression {
        JSONFunctions.binary.extract(value, [JSONPath.expression(path)])
    }

    /// An array of what stands at several paths, in SQLite's binary form: `JSONB_EXTRACT`.
    public static func jsonbExtract(
        _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
    ) -> SQLExpression {
        JSONFunctions.binary.extract(value, paths.map { JSONPath.expression($0) })
    }
}

// MARK: - Changes

extension Database {
    /// JSON with new values at paths where there is nothing: `JSONB_INSERT`.
    ///
    ///     Database.jsonbInsert(JSONColumn("info"), ["$.name": "Arthur", "$.score": 10])
    public static func jsonbInsert(
        _ value: some SQLExpressible,
        _ assignments: some Collection<(key: String, value: any SQLExpressible)>
    ) -> SQLExpression {
        JSONFunctions.binary.change("INSERT", value, assignments)
    }

    /// JSON with new values at paths where there is something: `JSONB_REPLACE`.
    ///
    ///     Database.jsonbReplace(JSONColumn("info"), ["$.name": "Arthur", "$.score": 10])
    public static func jsonbReplace(
        _ value: some SQLExpressible,
        _ assignments: some Collection<(key: String, value: any SQLExpressible)>
    ) -> SQLExpression {
        JSONFunctions.binary.change("REPLACE", value, assignments)
    }

    /// JSON with new values at paths: `JSONB_SET`.
    ///
    ///     Database.jsonbSet(JSONColumn("info"), ["$.name": "Arthur", "$.score": 10])
    public static func jsonbSet(
        _ value: some SQLExpressible,
        _ assignments: some Collection<(key: String, value: any SQLExpressible)>
    ) -> SQLExpression {
        JSONFunctions.binary.change("SET", value, assignments)
    }

    /// JSON changed by a merge patch, as RFC 7396 has it: `JSONB_PATCH`.
    public static func jsonbPatch(
        _ value: some SQLExpressible, with patch: some SQLExpressible
    ) -> SQLExpression {
        JSONFunctions.binary.call("PATCH", [value.sqlExpression, patch.sqlExpression])
    }

    /// JSON without what stands at a path: `JSONB_REMOVE`.
    public static func jsonbRemove(
        _ value: some SQLExpressible, atPath path: some SQLExpressible
    ) -> SQLExpression {
        JSONFunctions.binary.call("REMOVE", [value.sqlExpression, JSONPath.expression(path)])
    }

    /// JSON without what stands at several paths, one after the other: `JSONB_REMOVE`.
    public static func jsonbRemove(
        _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
    ) -> SQLExpression {
        JSONFunctions.binary.call(
            "REMOVE", [value.sqlExpression] + paths.map { JSONPath.expression($0) })
    }
}
