import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct AggregateTests {
    private struct Longest: DatabaseAggregate {
        private var text: String?

        mutating func step(_ dbValues: [DatabaseValue]) throws {
            guard let next = String.fromDatabaseValue(dbValues[0]) else { return }
            if next == "bad" {
                throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "bad row")
            }
            if next.count > text?.count ?? -1 { text = next }
        }

        func finalize() throws -> (any DatabaseValueConvertible)? {
            if text == "unwanted" { throw DatabaseError(message: "unwanted result") }
            return text
        }
    }

    private struct Count: DatabaseAggregate {
        private var count = 0

        mutating func step(_ dbValues: [DatabaseValue]) { count += dbValues.count }

        func finalize() -> (any DatabaseValueConvertible)? { count }
    }

    private let queue: DatabaseQueue

    init() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            db.add(
                function: DatabaseFunction("longest", argumentCount: 1, aggregate: Longest.self))
            db.add(function: DatabaseFunction("count_all", pure: true, aggregate: Count.self))
        }
        queue = try DatabaseQueue(configuration: configuration)
        try queue.write {
            try $0.execute(
                sql: """
                    CREATE TABLE t(team, name);
                    INSERT INTO t VALUES (1, 'Bo'), (1, 'Arthur'), (2, NULL), (3, 'Eva'), (3, 'Al')
                    """)
        }
    }

    @Test(.proves("FUN-003"))
    func `Each group of rows has an aggregate of its own`() throws {
        try queue.write { db throws in
            let groups = try Row.fetchAll(
                db, sql: "SELECT team, longest(name), count_all(1, 2) FROM t GROUP BY team")
            #expect(groups.map { $0[1] as String? } == ["Arthur", nil, "Eva"])
            #expect(groups.map { $0[2] as Int } == [4, 2, 4])
            let none = "SELECT count_all(name), longest(name) FROM t WHERE team = 9"
            let row = try #require(try Row.fetchOne(db, sql: none))
            #expect(row[0] as Int == 0)
            #expect(row[1] as String? == nil)
            let distinct =
                "SELECT longest(name), count_all(DISTINCT team) FILTER (WHERE team > 1) FROM t"
            #expect(try Row.fetchOne(db, sql: distinct)?[1] as Int? == 2)
            #expect(try String.fetchOne(db, sql: "SELECT longest(name) FROM t") == "Arthur")
            let window = #expect(throws: DatabaseError.self) {
                try db.execute(sql: "SELECT longest(name) OVER () FROM t")
            }
            #expect(window?.message == "longest() may not be used as a window function")
            let count = #expect(throws: DatabaseError.self) {
                try db.execute(sql: "SELECT longest() FROM t")
            }
            #expect(count?.message == "wrong number of arguments to function longest()")
        }
    }

    @Test(arguments: ["bad", "unwanted"])
    func `An error in a row or in the result reaches the caller`(name: String) throws {
        try queue.write { db throws in
            try db.execute(sql: "INSERT INTO t VALUES (3, ?), (3, 'x')", arguments: [name])
            let error = #expect(throws: DatabaseError.self) {
                try Row.fetchAll(db, sql: "SELECT longest(name) FROM t GROUP BY team")
            }
            #expect(error?.resultCode == (name == "bad" ? .SQLITE_MISMATCH : .SQLITE_ERROR))
            #expect(error?.message == (name == "bad" ? "bad row" : "unwanted result"))
            #expect(
                try String.fetchOne(db, sql: "SELECT longest(name) FROM t WHERE team = 1") != nil)
        }
    }
}
