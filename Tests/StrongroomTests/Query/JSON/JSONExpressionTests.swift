import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// JSON in columns, and what SQL makes of it.
@Suite struct JSONExpressionTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    private let info = JSONColumn("info")
    private let name = Column("name")

    static let text = #"{"name":"Arthur","emails":["a@x","b@x"],"address":{"country":"FR"}}"#

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db throws in
            try db.create(table: "t") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("name", .text)
                t.column("info", .jsonText)
            }
            try db.execute(
                literal: "INSERT INTO t VALUES (1, 'Arthur', \(Self.text)), (2, 'Barbara', NULL)")
        }
    }

    /// Checks what an expression becomes, and its value in the first row.
    private func expect(
        _ expression: some SQLSpecificExpressible, _ sql: String,
        _ value: (any DatabaseValueConvertible)?, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try queue.read { db throws in
            let request = Table("t").select(expression, as: DatabaseValue.self).limit(1)
            let prefix = "SELECT "
            #expect(
                try db.sql(of: request) == prefix + sql + #" FROM "t" LIMIT 1"#,
                sourceLocation: location)
            #expect(
                try request.fetchOne(db) == value?.databaseValue ?? .null, sourceLocation: location)
        }
    }

    @Test(.proves("JSN-001"))
    func `There are types of columns for JSON`() throws {
        #expect(Database.ColumnType.jsonText.rawValue == "TEXT")
        #expect(Database.ColumnType.jsonb.rawValue == "BLOB")
        try queue.write { db throws in
            try db.create(table: "u") { t in
                t.column("a", .jsonText)
                t.column("b", .jsonb)
            }
            #expect(try db.columns(in: "u").map(\.type) == ["TEXT", "BLOB"])
            // Bytes are no text, be it one of JSON: not all functions take them for it.
            try db.execute(literal: "INSERT INTO u VALUES ('[1]', \(Data("[1]".utf8)))")
            let error = DatabaseError.thrown {
                let array = Database.jsonArray([Column("b")])
                _ = try Table("u").select(array, as: String.self).fetchAll(db)
            }
            #expect(error?.message == "JSON cannot hold BLOB values")
        }
    }

    @Test(.proves("JSN-002"))
    func `A JSON column is a column`() throws {
        enum CodingKeys: String, CodingKey { case info = "the info" }
        #expect(JSONColumn("info").name == "info")
        #expect(JSONColumn(CodingKeys.info).name == "the info")
        let column: any ColumnExpression = info
        let json: any SQLJSONExpressible = info
        #expect(column.name == "info")
        try expect(json.asJSON, #""info""#, Self.text)
        try expect(info, #""info""#, Self.text)
        try expect(info == nil, #""info" IS NULL"#, false)
        try queue.read { db throws in
            let alias = TableAlias(name: "x")
            let request = Table("t").aliased(alias).filter(alias[info].asJSON["name"] == "Arthur")
            #expect(
                try db.sql(of: request)
                    == #"SELECT "x".* FROM "t" "x" WHERE ("x"."info" ->> 'name') = 'Arthur'"#)
            #expect(try request.fetchCount(db) == 1)
            #expect(try Table("t").order(info.desc).fetchCount(db) == 2)
        }
    }

    @Test(.proves("JSN-003"))
    func `Parts of JSON are asked for by a path`() throws {
        try expect(info["name"], #""info" ->> 'name'"#, "Arthur")
        try expect(info["$.emails[0]"], #""info" ->> '$.emails[0]'"#, "a@x")
        try expect(info["address"], #""info" ->> 'address'"#, #"{"country":"FR"}"#)
        try expect(info["missing"], #""info" ->> 'missing'"#, nil)
        try expect(info["it's"], #""info" ->> 'it''s'"#, nil)
        try expect(info["emails"].asJSON[1], #"("info" ->> 'emails') ->> 1"#, "b@x")
        try expect(
            info.jsonRepresentation(atPath: "name"), #""info" -> 'name'"#, #""Arthur""#)
        try expect(
            info.jsonExtract(atPath: "$.name"), #"JSON_EXTRACT("info", '$.name')"#, "Arthur")
        try expect(
            info.jsonExtract(atPaths: ["$.name", "$.emails[1]"]),
            #"JSON_EXTRACT("info", '$.name', '$.emails[1]')"#, #"["Arthur","b@x"]"#)
        // Any expression can be a path.
        try expect(
            info["na".databaseValue + name], #""info" ->> ('na' + "name")"#, nil)
    }

    @Test func `A path is never more than a path`() throws {
        let paths = [
            "') FROM t; DROP TABLE t; --", "\"", "$", "$.", "$[", "'", "\\", "$.\"'\"", "", "a\0b",
        ]
        try queue.read { db throws in
            for path in paths {
                for expression in [info[path], info.jsonExtract(atPath: path)] {
                    do {
                        _ = try Table("t").select(expression).fetchAll(db)
                    } catch let error as DatabaseError {
                        #expect(error.message?.contains("path") == true, "\(error)")
                    }
                }
            }
            #expect(try Table("t").fetchCount(db) == 2)
        }
    }

    @Test(.proves("JSN-004", "QRY-039"))
    func `JSON stays JSON in what is built of it`() throws {
        let address = #"{"country":"FR"}"#
        try queue.write { db throws in
            try db.execute(literal: "UPDATE t SET info = \(address)")
        }
        let json = #"JSONB("info")"#
        try expect(
            Database.jsonArray([info, Column("info")] as [any SQLExpressible]),
            #"JSON_ARRAY(\#(json), "info")"#, #"[{"country":"FR"},"{\"country\":\"FR\"}"]"#)
        try expect(
            Database.jsonArray([Column("info").asJSON]), "JSON_ARRAY(\(json))", "[\(address)]")
        try expect(
            Database.jsonArray(["[1]".databaseValue.asJSON]), "JSON_ARRAY(JSONB('[1]'))", "[[1]]")
        try expect(
            Database.jsonArray([AnySQLJSONExpressible(info).asJSON]), "JSON_ARRAY(\(json))",
            "[\(address)]")
        try expect(
            Database.jsonObject(["a": info]), "JSON_OBJECT('a', \(json))", "{\"a\":\(address)}")
        try expect(
            Database.jsonGroupArray(info), "JSON_GROUP_ARRAY(\(json))", "[\(address),\(address)]")
        try expect(
            Database.jsonGroupObject(key: Column("id"), value: info),
            #"JSON_GROUP_OBJECT("id", \#(json))"#, "{\"1\":\(address),\"2\":\(address)}")
        for (function, sql) in [
            (Database.jsonSet("{\"a\":1}".databaseValue, ["$.a": info]), "JSON_SET"),
            (Database.jsonReplace("{\"a\":1}".databaseValue, ["$.a": info]), "JSON_REPLACE"),
            (Database.jsonInsert("{}".databaseValue, ["$.a": info]), "JSON_INSERT"),
        ] {
            let first = sql == "JSON_INSERT" ? "{}" : #"{"a":1}"#
            try expect(function, "\(sql)('\(first)', '$.a', \(json))", "{\"a\":\(address)}")
        }
        try expect(
            Database.jsonArray([info["country"]]), #"JSON_ARRAY("info" ->> 'country')"#, #"["FR"]"#)
        try expect(
            Database.jsonArray([info.jsonRepresentation(atPath: "country")]),
            #"JSON_ARRAY("info" -> 'country')"#, #"["FR"]"#)
        try expect(
            Database.jsonArray([info["$"], info.jsonRepresentation(atPath: "$")]),
            #"JSON_ARRAY("info" ->> '$', "info" -> '$')"#,
            #"["{\"country\":\"FR\"}",{"country":"FR"}]"#)
        // What stands for the column of a table in view is JSON too.
        try queue.read { db throws in
            let alias = TableAlias(name: "x")
            let array = Database.jsonArray([alias[info]])
            let request = Table("t").aliased(alias).select(array, as: String.self).limit(1)
            #expect(
                try db.sql(of: request)
                    == #"SELECT JSON_ARRAY(JSONB("x"."info")) FROM "t" "x" LIMIT 1"#)
            #expect(try request.fetchOne(db) == "[\(address)]")
        }
    }

    @Test(.proves("JSN-005"))
    func `What is no JSON is an error`() throws {
        let none = "{foo".databaseValue.asJSON
        try queue.read { db throws in
            for expression in [
                none["a"], none.jsonRepresentation(atPath: "a"), none.jsonExtract(atPath: "$.a"),
                Database.json(none), Database.jsonArray([none]), Database.jsonObject(["a": none]),
                Database.jsonSet(none, ["$.a": 1]), Database.jsonb(none),
            ] {
                let error = DatabaseError.thrown {
                    _ = try Table("t").select(expression).fetchAll(db)
                }
                #expect(error?.message == "malformed JSON")
                #expect(error?.resultCode == .SQLITE_ERROR)
            }
        }
    }

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

    @Test(.proves("JSN-012"))
    func `An index on a path is used`() throws {
        try queue.write { db throws in
            let sql = try db.capturedSQL {
                try db.create(
                    index: "country", on: "t",
                    expressions: [info["country"], info.jsonExtract(atPath: "$.name")])
            }
            #expect(
                sql.first { $0.hasPrefix("CREATE") } == #"""
                    CREATE INDEX "country" ON "t"("info" ->> 'country', JSON_EXTRACT("info", '$.name'))
                    """#)
            let request = Table("t").filter(info["country"] == "FR")
            let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(try db.sql(of: request))")
            #expect((plan[0]["detail"] as String).contains("USING INDEX country"))
            // The path stands in the SQL also where values do not.
            let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
            #expect(statement.sql.contains("->> 'country') = ?"))
        }
    }

    @Test(.proves("JSN-011"))
    func `The functions that give rows for JSON are for SQL`() throws {
        try queue.read { db throws in
            let emails = try String.fetchAll(
                db, sql: "SELECT value FROM t, json_each(t.info, '$.emails')")
            #expect(emails == ["a@x", "b@x"])
            // As a table it gets no arguments.
            #expect(try Table("json_each").fetchCount(db) == 0)
            #expect(try Table("json_tree").fetchCount(db) == 0)
        }
    }

    @Test(.proves("JSN-013"))
    func `JSON whose schema is open is a text or bytes`() throws {
        struct Loose: Codable, FetchableRecord, PersistableRecord {
            static let databaseTableName = "t"
            static func databaseDataEncodingStrategy(
                for column: String
            ) -> DatabaseDataEncodingStrategy { .text }

            var id: Int64
            var name: String
            var info: Data
        }
        struct Plain: Codable, FetchableRecord, PersistableRecord {
            static let databaseTableName = "t"
            var id: Int64
            var name: String
            var info: String
        }
        try queue.write { db throws in
            try Loose(id: 3, name: "c", info: Data(#"{"x":1}"#.utf8)).insert(db)
            try Plain(id: 4, name: "d", info: #"{"x":2}"#).insert(db)
            #expect(
                try String.fetchAll(db, sql: "SELECT typeof(info) FROM t WHERE id > 2")
                    == ["text", "text"])
            let found = Table("t").filter(Column("id") > 2).select(info["x"], as: Int.self)
            #expect(try found.fetchAll(db) == [1, 2])
            #expect(try Loose.fetchOne(db, key: 4)?.info == Data(#"{"x":2}"#.utf8))
            #expect(try Plain.fetchOne(db, key: 3)?.info == #"{"x":1}"#)
        }
    }

    @Test(.proves("JSN-014"))
    func `Columns with JSON are compared as texts`() throws {
        try queue.write { db throws in
            try db.execute(literal: "UPDATE t SET info = \(#"{"a":1,"b":2}"#)")
            func count(_ json: String) throws -> Int {
                try Table("t").filter(info == json).fetchCount(db)
            }
            #expect(try count(#"{"a":1,"b":2}"#) == 2)
            #expect(try count(#"{"a": 1,"b":2}"#) == 0)
            #expect(try count(#"{"b":2,"a":1}"#) == 0)
        }
    }
}
