import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct FunctionCallTests {
    @Test(.proves("FUN-006"))
    func `A call in Swift is an expression`() throws {
        let join = DatabaseFunction("join") { dbValues in
            dbValues.map { String.fromDatabaseValue($0) ?? "-" }.joined(separator: "+")
        }
        let odd = DatabaseFunction("my \"odd\" name", argumentCount: 0) { _ in 1 }
        let order = DatabaseFunction("order", argumentCount: 0) { _ in 2 }
        try DatabaseQueue().write { db throws in
            for function in [join, odd, order] { db.add(function: function) }
            try db.execute(sql: "CREATE TABLE t(name); INSERT INTO t VALUES ('O''Brien')")
            let call: SQLExpression = join(Column("name"), "x'); DROP TABLE t; --", nil as String?)
            let request: SQLRequest<String> = "SELECT \(call) FROM t"
            let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
            #expect(statement.sql == #"SELECT "join"("name", ?, NULL) FROM t"#)
            #expect(try request.fetchOne(db) == "O'Brien+x'); DROP TABLE t; --+-")
            let sum: SQLRequest<Int> = "SELECT \(odd()) + \(order())"
            #expect(try sum.fetchOne(db) == 3)
        }
    }

    @Test(.proves("FUN-010"))
    func `Expressions have Unicode's cases`() throws {
        try DatabaseQueue().write { db throws in
            try db.execute(sql: "CREATE TABLE t(name); INSERT INTO t VALUES ('Jérôme ébloui')")
            let name = Column("name")
            let cases: [(SQLExpression, String, String)] = [
                (name.uppercased, "swiftUppercaseString", "JÉRÔME ÉBLOUI"),
                (name.lowercased, "swiftLowercaseString", "jérôme ébloui"),
                (name.capitalized, "swiftCapitalizedString", "Jérôme Ébloui"),
                (name.localizedUppercased, "swiftLocalizedUppercaseString", "JÉRÔME ÉBLOUI"),
                (name.localizedLowercased, "swiftLocalizedLowercaseString", "jérôme ébloui"),
                (name.localizedCapitalized, "swiftLocalizedCapitalizedString", "Jérôme Ébloui"),
            ]
            for (expression, function, result) in cases {
                let request: SQLRequest<String> = "SELECT \(expression) FROM t"
                let prepared = try request.makePreparedRequest(db, forSingleResult: false)
                #expect(prepared.statement.sql == "SELECT \(function)(\"name\") FROM t")
                #expect(try request.fetchOne(db) == result)
            }
            #expect(try String.fetchOne(db, sql: "SELECT UPPER('Jérôme')") == "JéRôME")
        }
    }
}
