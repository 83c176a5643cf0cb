import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// JSON in columns, and what SQL makes of it.
@Suite struct JSONExpressionTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    let info = JSONColumn("info")
    let name = Column("name")

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
    func expect(
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
