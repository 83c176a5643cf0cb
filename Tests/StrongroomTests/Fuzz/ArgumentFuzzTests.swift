import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct ArgumentFuzzTests {
    static let pieces = [
        "?", "?1", "?2", "?7", "?32766", "?32767", "?0", ":a", ":b", "@a", "$a", "$a::b", "$a(x)",
        ":é",
        ", ", ";", "SELECT ", "INSERT INTO t VALUES (", ")", "'", "'?'", "\"", "[", "`", "--", "/*",
        "*/", "\n", "x'", "NULL", "1", "PRAGMA key = '", " ", "CREATE TABLE t(a)", "\u{0}",
    ]

    @Test func `Any SQL with any arguments runs or is refused`() throws {
        var configuration = Configuration()
        configuration.publicStatementArguments = true
        try DatabaseQueue(configuration: configuration).inDatabase { db throws in
            let inputCount = try Fuzzing().run("statement arguments") { generator in
                let sql = Self.sql(&generator)
                let arguments = Self.arguments(&generator)
                try check(sql, arguments, db)
            }
            #expect(inputCount > 0)
        }
    }

    private func check(_ sql: String, _ arguments: StatementArguments, _ db: Database) throws {
        // Errors are described too: that looks for keys in the statement.
        do {
            try db.execute(sql: sql, arguments: arguments)
        } catch let error as DatabaseError {
            try Fuzzing.expect(!error.description.isEmpty, sql)
        }
        guard let statement = try? db.makeStatement(sql: sql) else { return }
        let isValid = (try? statement.validateArguments(arguments)) != nil
        let isSet = (try? statement.setArguments(arguments)) != nil
        try Fuzzing.expect(isValid == isSet, "\(sql) \(arguments)")
        statement.setUncheckedArguments(arguments)
        try Fuzzing.expect(statement.arguments == arguments, "\(sql) \(arguments)")
        _ = try? Row.fetchAll(statement)
        _ = statement.description
    }

    private static func sql(_ generator: inout SeededGenerator) -> String {
        let isLikelyValid = Bool.random(using: &generator)
        let count = Int.random(in: 0...6, using: &generator)
        guard isLikelyValid else {
            return (0..<count * 2).map { _ in generator.pick(pieces) }.joined()
        }
        let parameters = (0...count).map { _ in generator.pick(pieces[..<14]) }
        return "SELECT " + parameters.joined(separator: ", ")
    }

    private static func arguments(_ generator: inout SeededGenerator) -> StatementArguments {
        let values = (0..<Int.random(in: 0...8, using: &generator)).map { $0.databaseValue }
        var arguments = StatementArguments(values)
        guard Bool.random(using: &generator) else { return arguments }
        let names = ["a", "b", "é", "a::b", "a(x)", "", ":a", "1"]
        let named = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            (generator.pick(names), 1 as (any DatabaseValueConvertible)?)
        }
        arguments.append(contentsOf: StatementArguments(named))
        return arguments
    }
}
