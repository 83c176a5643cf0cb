import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct FunctionTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
    }

    private func value(_ sql: String, _ functions: DatabaseFunction...) throws -> DatabaseValue? {
        try queue.inDatabase { db in
            for function in functions { db.add(function: function) }
            return try DatabaseValue.fetchOne(db, sql: sql)
        }
    }

    private func failure(_ sql: String, _ functions: DatabaseFunction...) -> DatabaseError? {
        #expect(throws: DatabaseError.self) {
            try queue.inDatabase { db in
                for function in functions { db.add(function: function) }
                try db.execute(sql: sql)
            }
        }
    }

    @Test(.proves("FUN-001"))
    func `A function is added, replaced and removed`() throws {
        let one = DatabaseFunction("answer", argumentCount: 0) { _ in 1 }
        let two = DatabaseFunction("ANSWER", argumentCount: 0) { _ in 2 }
        #expect(one.name == "answer")
        #expect(one.id == two.id)
        #expect(one.id != DatabaseFunction("answer", argumentCount: 1) { _ in 1 }.id)
        #expect(one.id != DatabaseFunction("answer") { _ in 1 }.id)
        try queue.inDatabase { db throws in
            let sql = "SELECT answer()"
            db.add(function: one)
            #expect(try Int.fetchOne(db, sql: sql) == 1)
            db.add(function: two)
            // The statement prepared before, which the cache keeps, calls the new one.
            #expect(try Int.fetchOne(db, sql: sql) == 2)
            db.remove(function: one)
            let error = #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: sql) }
            #expect(error?.message == "no such function: answer")
            db.remove(function: one)
        }
    }

    @Test(.proves("FUN-002"))
    func `Arguments arrive as they are, and any result goes back`() throws {
        let last = DatabaseFunction("last") { dbValues in dbValues.last }
        let values: [(String, DatabaseValue)] = [
            ("NULL", .null), ("-9223372036854775808", Int64.min.databaseValue),
            ("1.5", 1.5.databaseValue), ("9e999", Double.infinity.databaseValue),
            ("''", "".databaseValue), ("'Jérôme'", "Jérôme".databaseValue),
            ("CAST(x'610062' AS TEXT)", "a\0b".databaseValue), ("x''", Data().databaseValue),
            ("x'00FF'", Data([0, 255]).databaseValue),
        ]
        for (sql, value) in values {
            #expect(try self.value("SELECT last(1, \(sql))", last) == value, "\(sql)")
        }
        let count = DatabaseFunction("count_them") { dbValues in dbValues.count }
        #expect(try value("SELECT count_them()", count) == 0.databaseValue)
        #expect(try value("SELECT count_them(1, NULL, 'x')", count) == 3.databaseValue)
        #expect(try value("SELECT absent()", DatabaseFunction("absent") { _ in nil }) == .null)
        let date = DatabaseFunction("epoch") { _ in Date(timeIntervalSince1970: 0) }
        #expect(try value("SELECT epoch()", date) == "1970-01-01 00:00:00.000".databaseValue)
        let one = DatabaseFunction("f", argumentCount: 1) { dbValues in dbValues[0] }
        #expect(
            failure("SELECT f(1, 2)", one)?.message == "wrong number of arguments to function f()")
    }

    @Test func `Invalid UTF-8 in an argument is repaired`() throws {
        let echo = DatabaseFunction("echo", argumentCount: 1) { dbValues in dbValues[0] }
        #expect(try value("SELECT echo(CAST(x'61FF' AS TEXT))", echo) == "a\u{FFFD}".databaseValue)
    }

    private struct Reason: Error, CustomStringConvertible {
        let description = "no reason, \"really\""
    }

    @Test(.proves("FUN-004"))
    func `A thrown error reaches the caller with its text and code`() throws {
        let root = DatabaseFunction("root", argumentCount: 1) { dbValues in
            guard let number = Double.fromDatabaseValue(dbValues[0]) else { return nil }
            guard number >= 0 else { throw DatabaseError(message: "invalid negative number") }
            return number.squareRoot()
        }
        #expect(try value("SELECT root(6.25)", root) == 2.5.databaseValue)
        #expect(try value("SELECT root('x')", root) == .null)
        #expect(
            failure("SELECT root(-1)", root)?.description
                == "SQLite error 1: invalid negative number - while executing `SELECT root(-1)`")
        let check = DatabaseFunction("check_it") { _ in
            throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_CHECK, message: "too small")
        }
        let coded = failure("SELECT check_it()", check)
        #expect(coded?.extendedResultCode == .SQLITE_CONSTRAINT_CHECK)
        #expect(coded?.message == "too small")
        let bare = DatabaseFunction("bare") { _ in throw DatabaseError(resultCode: .SQLITE_FULL) }
        #expect(failure("SELECT bare()", bare)?.message == "database or disk is full")
        let other = failure("SELECT other()", DatabaseFunction("other") { _ in throw Reason() })
        #expect(other?.extendedResultCode == .SQLITE_ERROR)
        #expect(other?.message == Reason().description)
        #expect(try value("SELECT root(4)", root) == 2.0.databaseValue)
    }

    @Test(arguments: [ResultCode.SQLITE_OK, .SQLITE_ROW, .SQLITE_DONE])
    func `A code that is no failure does not make one look like a result`(
        code: ResultCode
    ) throws {
        let function = DatabaseFunction("f") { _ in
            throw DatabaseError(resultCode: code, message: "still a failure")
        }
        let error = failure("SELECT f() UNION ALL SELECT 2", function)
        #expect(error?.extendedResultCode == .SQLITE_ERROR)
        #expect(error?.message == "still a failure")
    }

    @Test func `A key in an error's text does not come out`() throws {
        let function = DatabaseFunction("f") { _ in
            throw DatabaseError(message: "PRAGMA key = 'open sesame' did not work")
        }
        let error = failure("SELECT f()", function)
        #expect(error?.description.contains("sesame") == false)
    }

    @Test(.proves("FUN-005"))
    func `A pure function may be part of indexes and generated columns, another may not`() throws {
        let pure = DatabaseFunction("twice", argumentCount: 1, pure: true) { dbValues in
            Int.fromDatabaseValue(dbValues[0]).map { $0 * 2 }
        }
        let impure = DatabaseFunction("impure", argumentCount: 1) { dbValues in dbValues[0] }
        try queue.write { db throws in
            db.add(function: pure)
            db.add(function: impure)
            try db.execute(
                sql: """
                    CREATE TABLE t(a CHECK (twice(a) < 10), b AS (twice(a)));
                    CREATE INDEX i ON t(twice(a));
                    INSERT INTO t VALUES (3)
                    """)
            #expect(try Int.fetchOne(db, sql: "SELECT b FROM t WHERE twice(a) = 6") == 6)
            let plan = try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN SELECT a FROM t WHERE twice(a) = 6")
            #expect("\(plan.map { $0["detail"] as String })".contains("USING INDEX i"))
            let error = #expect(throws: DatabaseError.self) {
                try db.execute(sql: "INSERT INTO t VALUES (5)")
            }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_CHECK)
            // SQLite lets any function into a CHECK.
            try db.execute(
                sql: "CREATE TABLE v(a CHECK (impure(a) < 10)); INSERT INTO v VALUES (3)")
            #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO v VALUES (10)") }
            for sql in ["CREATE INDEX j ON t(impure(a))", "CREATE TABLE u(a, b AS (impure(a)))"] {
                let error = #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
                #expect(error?.message?.contains("non-deterministic") == true, "\(sql)")
            }
        }
    }

    @Test(.proves("FUN-008"))
    func `Argument counts tell functions of one name apart`() throws {
        let one = DatabaseFunction("f", argumentCount: 1) { _ in "one" }
        let two = DatabaseFunction("f", argumentCount: 2) { _ in "two" }
        let any = DatabaseFunction("f") { _ in "any" }
        try queue.inDatabase { db throws in
            for function in [one, two, any] { db.add(function: function) }
            #expect(try String.fetchOne(db, sql: "SELECT f() || f(1) || f(1, 2)") == "anyonetwo")
            db.remove(function: one)
            #expect(try String.fetchOne(db, sql: "SELECT f() || f(1, 2)") == "anytwo")
            db.remove(function: any)
            #expect(try String.fetchOne(db, sql: "SELECT f(1, 2)") == "two")
        }
    }

    @Test(.proves("FUN-009"))
    func `Every connection knows Unicode's letters`() throws {
        let results: [(DatabaseFunction, String, String)] = [
            (.capitalize, "swiftCapitalizedString", "Jérôme Ébloui"),
            (.lowercase, "swiftLowercaseString", "jérôme ébloui"),
            (.uppercase, "swiftUppercaseString", "JÉRÔME ÉBLOUI"),
            (.localizedCapitalize, "swiftLocalizedCapitalizedString", "Jérôme Ébloui"),
            (.localizedLowercase, "swiftLocalizedLowercaseString", "jérôme ébloui"),
            (.localizedUppercase, "swiftLocalizedUppercaseString", "JÉRÔME ÉBLOUI"),
        ]
        for (function, name, result) in results {
            #expect(function.name == name)
            #expect(try value("SELECT \(name)('jérôme ÉBLOUI')") == result.databaseValue)
            for other in ["NULL", "1", "1.5", "x'61'"] {
                #expect(try value("SELECT \(name)(\(other))") == .null)
            }
        }
    }

    @Test func `A function can read its arguments without copying them`() throws {
        let length = DatabaseFunction.reading("length_of", argumentCount: 1) { arguments in
            arguments.withUTF8(at: 0) { $0.count } ?? arguments.withUnsafeBytes(at: 0) { $0.count }
        }
        #expect(try value("SELECT length_of('Jérôme')", length) == 8.databaseValue)
        #expect(try value("SELECT length_of(zeroblob(1000))", length) == 1000.databaseValue)
        #expect(try value("SELECT length_of(12)", length) == .null)
        let second = DatabaseFunction.reading("second") { arguments in
            guard arguments.count > 1, !arguments.isNull(at: 1) else {
                throw DatabaseError(message: "no second argument")
            }
            return arguments[1]
        }
        #expect(try value("SELECT second(1, 'x')", second) == "x".databaseValue)
        #expect(failure("SELECT second(1, NULL)", second)?.message == "no second argument")
    }

    @Test
    func `A function of a built-in's name takes its place for good`()
        throws
    {
        try queue.inDatabase { db throws in
            let upper = DatabaseFunction("upper", argumentCount: 1) { _ in "ours" }
            db.add(function: upper)
            #expect(try String.fetchOne(db, sql: "SELECT upper('a')") == "ours")
            db.remove(function: upper)
            #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT upper('a')") }
        }
    }

    @Test func `What SQLite refuses to define traps`() async {
        await #expect(processExitsWith: .failure) {
            try DatabaseQueue().inDatabase { db in
                db.add(function: DatabaseFunction("f", argumentCount: 1_000_000) { _ in nil })
            }
        }
        await #expect(processExitsWith: .failure) {
            _ = DatabaseFunction("f\0g") { _ in nil }
        }
        await #expect(processExitsWith: .failure) {
            try DatabaseQueue().inDatabase { db in
                let function = DatabaseFunction("f", argumentCount: 0) { _ in 1 }
                db.add(function: function)
                let cursor = try Int.fetchCursor(db, sql: "SELECT f() UNION ALL SELECT 2")
                _ = try cursor.next()
                db.remove(function: function)
            }
        }
    }
}
