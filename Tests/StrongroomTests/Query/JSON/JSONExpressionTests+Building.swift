import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// JSON that is built, examined and changed.
extension JSONExpressionTests {
    @Test(.proves("JSN-006", "JSN-015"))
    func `JSON is built`() throws {
        try expect(Database.json(" [1, 2] "), "JSON(' [1, 2] ')", "[1,2]")
        try expect(Database.jsonArray([1, 2]), "JSON_ARRAY(1, 2)", "[1,2]")
        try expect(Database.jsonArray([Int]()), "JSON_ARRAY()", "[]")
        try expect(
            Database.jsonArray([1, name, nil as Int?, "x"] as [any SQLExpressible]),
            #"JSON_ARRAY(1, "name", NULL, 'x')"#, #"[1,"Arthur",null,"x"]"#)
        try expect(
            Database.jsonObject(["b": 1, "a": name, "c": "x"]),
            #"JSON_OBJECT('a', "name", 'b', 1, 'c', 'x')"#, #"{"a":"Arthur","b":1,"c":"x"}"#)
        let pairs: KeyValuePairs<String, any SQLExpressible> = ["b": 1, "a": name]
        try expect(
            Database.jsonObject(pairs), #"JSON_OBJECT('b', 1, 'a', "name")"#,
            #"{"b":1,"a":"Arthur"}"#)
        try expect(Database.jsonQuote("a\"b"), #"JSON_QUOTE('a"b')"#, #""a\"b""#)
        try expect(Database.jsonQuote(name), #"JSON_QUOTE("name")"#, #""Arthur""#)
        try expect(
            Database.jsonGroupArray(name), #"JSON_GROUP_ARRAY("name")"#, #"["Arthur","Barbara"]"#)
        try expect(
            Database.jsonGroupArray(name, orderBy: name.desc, filter: name != "x"),
            #"JSON_GROUP_ARRAY("name" ORDER BY "name" DESC) FILTER (WHERE "name" <> 'x')"#,
            #"["Barbara","Arthur"]"#)
        try expect(
            Database.jsonGroupObject(key: name, value: Column("id"), filter: Column("id") > 1),
            #"JSON_GROUP_OBJECT("name", "id") FILTER (WHERE "id" > 1)"#, #"{"Barbara":2}"#)
    }

    @Test(.proves("JSN-007", "JSN-015", "JSN-016"))
    func `JSON is examined`() throws {
        let array = "[1,[2,3]]"
        try expect(Database.jsonArrayLength(array), "JSON_ARRAY_LENGTH('[1,[2,3]]')", 2)
        try expect(
            Database.jsonArrayLength(info, atPath: "$.emails"),
            #"JSON_ARRAY_LENGTH("info", '$.emails')"#, 2)
        try expect(Database.jsonErrorPosition("[1,"), "JSON_ERROR_POSITION('[1,')", 4)
        try expect(
            Database.jsonExtract(info, atPath: "$.name"), #"JSON_EXTRACT("info", '$.name')"#,
            "Arthur")
        try expect(
            Database.jsonExtract(array, atPaths: ["$[0]", "$[1]"]),
            "JSON_EXTRACT('[1,[2,3]]', '$[0]', '$[1]')", "[1,[2,3]]")
        try expect(Database.jsonType(info), #"JSON_TYPE("info")"#, "object")
        try expect(
            Database.jsonType(info, atPath: "$.name"), #"JSON_TYPE("info", '$.name')"#, "text")
        try expect(Database.jsonIsValid(info), #"JSON_VALID("info")"#, true)
        let options: [(Database.JSONValidationOptions, Int, Bool)] = [
            (.json, 1, false), (.json5, 2, true), (.probablyJSONB, 4, false), (.jsonb, 8, false),
            ([.json, .jsonb], 9, false), ([.json5, .probablyJSONB], 6, true),
        ]
        for (option, number, isValid) in options {
            #expect(option.rawValue == number)
            try expect(
                Database.jsonIsValid("{a:1}", options: option), "JSON_VALID('{a:1}', \(number))",
                isValid)
        }
        try expect(
            Database.jsonIsValid(Database.jsonb("[1]"), options: .jsonb),
            "JSON_VALID(JSONB('[1]'), 8)", true)
    }

    @Test(.proves("JSN-008", "JSN-015"))
    func `JSON is changed`() throws {
        let json = #"{"a":1,"b":[2,3]}"#
        try expect(
            Database.jsonInsert(json, ["$.a": 5, "$.c": name]),
            #"JSON_INSERT('\#(json)', '$.a', 5, '$.c', "name")"#,
            #"{"a":1,"b":[2,3],"c":"Arthur"}"#)
        try expect(
            Database.jsonReplace(json, ["$.a": 5, "$.c": 6]),
            "JSON_REPLACE('\(json)', '$.a', 5, '$.c', 6)", #"{"a":5,"b":[2,3]}"#)
        let pairs: KeyValuePairs<String, any SQLExpressible> = ["$.c": 6, "$.a": "x"]
        try expect(
            Database.jsonSet(json, pairs), "JSON_SET('\(json)', '$.c', 6, '$.a', 'x')",
            #"{"a":"x","b":[2,3],"c":6}"#)
        try expect(
            Database.jsonPatch(json, with: #"{"a":null}"#),
            #"JSON_PATCH('\#(json)', '{"a":null}')"#, #"{"b":[2,3]}"#)
        try expect(
            Database.jsonRemove(json, atPath: "$.b"), "JSON_REMOVE('\(json)', '$.b')", #"{"a":1}"#)
        try expect(
            Database.jsonRemove(json, atPaths: ["$.b[0]", "$.a"]),
            "JSON_REMOVE('\(json)', '$.b[0]', '$.a')", #"{"b":[3]}"#)
        try queue.write { db throws in
            try Table("t").filter(Column("id") == 1)
                .updateAll(db, Column("info").set(to: Database.jsonSet(info, ["$.name": "Bob"])))
            #expect(
                try Table("t").select(info["name"], as: String?.self).fetchAll(db) == ["Bob", nil])
        }
    }

    @Test(.proves("JSN-010", "JSN-015"))
    func `JSON is built and changed in binary form`() throws {
        func expect(
            _ expression: SQLExpression, _ sql: String, _ text: String,
            _ location: SourceLocation = #_sourceLocation
        ) throws {
            // The text of it is told by a function that is proved above.
            try self.expect(Database.json(expression), "JSON(\(sql))", text, location)
            try self.expect(
                SQL("typeof(\(expression))"), "typeof(\(sql))", "blob", location)
        }
        let json = #"{"a":1,"b":[2,3]}"#
        try expect(Database.jsonb(json), "JSONB('\(json)')", json)
        try expect(Database.jsonbArray([1, 2]), "JSONB_ARRAY(1, 2)", "[1,2]")
        try expect(
            Database.jsonbArray([1, info] as [any SQLExpressible]),
            #"JSONB_ARRAY(1, JSONB("info"))"#, "[1,\(Self.text)]")
        try expect(
            Database.jsonbExtract(json, atPath: "$.b"), "JSONB_EXTRACT('\(json)', '$.b')", "[2,3]")
        try expect(
            Database.jsonbExtract(json, atPaths: ["$.a", "$.b"]),
            "JSONB_EXTRACT('\(json)', '$.a', '$.b')", "[1,[2,3]]")
        try expect(
            Database.jsonbGroupArray(name, orderBy: name.desc, filter: name != "x"),
            #"JSONB_GROUP_ARRAY("name" ORDER BY "name" DESC) FILTER (WHERE "name" <> 'x')"#,
            #"["Barbara","Arthur"]"#)
        try expect(
            Database.jsonbGroupObject(key: name, value: Column("id"), filter: Column("id") > 1),
            #"JSONB_GROUP_OBJECT("name", "id") FILTER (WHERE "id" > 1)"#, #"{"Barbara":2}"#)
        try expect(
            Database.jsonbInsert(json, ["$.c": 5]), "JSONB_INSERT('\(json)', '$.c', 5)",
            #"{"a":1,"b":[2,3],"c":5}"#)
        try expect(
            Database.jsonbObject(["b": 1, "a": 2]), "JSONB_OBJECT('a', 2, 'b', 1)",
            #"{"a":2,"b":1}"#)
        try expect(
            Database.jsonbPatch(json, with: #"{"a":null}"#),
            #"JSONB_PATCH('\#(json)', '{"a":null}')"#, #"{"b":[2,3]}"#)
        try expect(
            Database.jsonbRemove(json, atPath: "$.b"), "JSONB_REMOVE('\(json)', '$.b')",
            #"{"a":1}"#)
        try expect(
            Database.jsonbRemove(json, atPaths: ["$.b[0]", "$.a"]),
            "JSONB_REMOVE('\(json)', '$.b[0]', '$.a')", #"{"b":[3]}"#)
        try expect(
            Database.jsonbReplace(json, ["$.a": 5]), "JSONB_REPLACE('\(json)', '$.a', 5)",
            #"{"a":5,"b":[2,3]}"#)
        try expect(
            Database.jsonbSet(json, ["$.a": 5]), "JSONB_SET('\(json)', '$.a', 5)",
            #"{"a":5,"b":[2,3]}"#)
    }
}
