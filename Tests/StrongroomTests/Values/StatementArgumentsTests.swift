import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct StatementArgumentsTests {
    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
    }

    @Test(.proves("STM-017", "STM-019"))
    func `Arguments are made of literals, sequences and values of any type`() throws {
        let name: String? = nil
        #expect(StatementArguments() == [])
        #expect(StatementArguments([1, 2].lazy.map { $0 }) == [1, 2])
        #expect(StatementArguments(Set([1])) == [1])
        let values: [(any DatabaseValueConvertible)?] = [1, "a", nil, name]
        #expect(StatementArguments(values) == [1, "a", nil, nil])
        #expect(StatementArguments(["a": 1, "b": nil]) == ["a": 1, "b": nil])
        let pairs: [(String, (any DatabaseValueConvertible)?)] = [("a", 1), ("b", nil), ("a", 2)]
        #expect(StatementArguments(pairs) == ["a": 2, "b": nil])
        let anything: [Any] = [1, "a", Optional<Int>.none as Any]
        #expect(StatementArguments(anything) == [1, "a", nil])
        let unsuitable: [Any] = [1, Set<Int>()]
        #expect(StatementArguments(unsuitable) == nil)
        let named: [AnyHashable: Any] = ["a": 1, "b": Date(timeIntervalSince1970: 0)]
        #expect(
            StatementArguments(named) == ["a": 1, "b": Date(timeIntervalSince1970: 0)])
        #expect(StatementArguments([1: "a"] as [AnyHashable: Any]) == nil)
        #expect(StatementArguments(["a": Set<Int>()] as [AnyHashable: Any]) == nil)
    }

    static let placeholders: [(String, StatementArguments, [Int])] = [
        ("SELECT ?, ?", [1, 2], [1, 2]),
        ("SELECT ?2, ?1", [1, 2], [2, 1]),
        ("SELECT ?1, ?1", [1], [1, 1]),
        ("SELECT :a, :b", [1, 2], [1, 2]),
        ("SELECT :a, @b, $c", ["a": 1, "b": 2, "c": 3, "unused": 4], [1, 2, 3]),
        ("SELECT :a, :a", [1], [1, 1]),
        ("SELECT ?, :a", [1] + ["a": 2], [1, 2]),
    ]

    @Test(.proves("STM-018"), arguments: placeholders)
    func `Every form of placeholder takes its value`(
        sql: String, arguments: StatementArguments, values: [Int]
    ) throws {
        try queue.read { db throws in
            let row = try Row.fetchOne(db, sql: sql, arguments: arguments)
            #expect(row?.map(\.1) == values.map(\.databaseValue))
        }
    }

    @Test(.proves("STM-020"))
    func `Arguments add up`() {
        var arguments: StatementArguments = [1]
        #expect(arguments.append(contentsOf: [2]) == [:])
        #expect(arguments.append(contentsOf: ["a": 1]) == [:])
        #expect(arguments.append(contentsOf: ["a": 2, "b": 3]) == ["a": 1.databaseValue])
        #expect(arguments == [1, 2] + ["a": 2, "b": 3])
        arguments += ["c": 4]
        #expect(arguments == [1, 2] + ["a": 2] + ["b": 3, "c": 4])
        #expect((["a": 1] as StatementArguments) &+ ["a": 2] == ["a": 2])
    }

    @Test(.proves("STM-020", "STM-056"))
    func `A name defined twice traps`() async {
        let sum = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = (["a": 1, "b": 1] as StatementArguments) + ["a": 1]
        }
        expectMessage(sum, "already defined statement argument: a")
        let literal = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let first = SQL(sql: "a = :a AND b = :b", arguments: ["a": 1, "b": 2])
            let query: SQL = "SELECT \(literal: first) OR \(sql: "c = :b", arguments: ["b": 3])"
            _ = try DatabaseQueue().read { try query.build($0) }
        }
        expectMessage(literal, "already defined statement argument: b")
    }

    private func expectMessage(_ result: ExitTest.Result?, _ message: String) {
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
        #expect(text?.contains(message) == true)
    }

    @Test(.proves("STM-055"))
    func `Arguments compare by value and describe themselves`() {
        #expect(([1] as StatementArguments) == [1.0])
        #expect(Set<StatementArguments>([[1], [1.0], ["a": 1]]).count == 2)
        #expect((["Arthur", 1000] as StatementArguments).description == #"["Arthur", 1000]"#)
        #expect((["name": "Arthur"] as StatementArguments).description == #"["name": "Arthur"]"#)
        #expect(StatementArguments().isEmpty)
        #expect(!(["a": nil] as StatementArguments).isEmpty)
    }

    @Test(.proves("CMP-83"))
    func `An error tells how many arguments were left for its statement`() throws {
        try queue.write { db throws in
            func message(_ sql: String, _ arguments: StatementArguments) -> String? {
                let error = #expect(throws: DatabaseError.self) {
                    try db.execute(sql: sql, arguments: arguments)
                }
                return error?.message
            }
            let wrong = "wrong number of statement arguments:"
            #expect(message("SELECT ?; SELECT ?", [1]) == "\(wrong) 0")
            #expect(message("SELECT ?; SELECT ?, ?", [1, 2]) == "\(wrong) 1")
            #expect(message("SELECT ?; SELECT ?", [1, 2, 3]) == "\(wrong) 2")
            #expect(message("SELECT ?, ?", [1]) == "\(wrong) 1")
        }
    }

    @Test(.proves("STM-023"))
    func `A question mark inside a text is no placeholder`() throws {
        try queue.write { db throws in
            try db.execute(sql: "CREATE TABLE t(a)")
            let error = #expect(throws: DatabaseError.self) {
                try Row.fetchAll(
                    db, sql: "SELECT * FROM t WHERE a LIKE '%?%'", arguments: ["Arthur"])
            }
            #expect(error?.resultCode == .SQLITE_MISUSE)
            #expect(error?.message == "wrong number of statement arguments: 1")
        }
    }
}
