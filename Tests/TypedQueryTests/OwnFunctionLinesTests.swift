import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (Trait.TableColumns, Taxon.TableColumns, Variety.TableColumns)

private struct Refusal: Error, CustomStringConvertible {
    var description: String { "not this one" }
}

private enum Tool {
    @DatabaseFunction("tool twice", isDeterministic: true)
    static func twice(_ number: Int) -> Int { number * 2 }

    @DatabaseFunction(isDirectOnly: true)
    static func secret() -> String { "xyzzy" }
}

private struct Prefixer: Sendable {
    let prefix: String
    @DatabaseFunction func prefixed(_ text: String) -> String { prefix + text }
    @DatabaseFunction var prefixLength: Int { prefix.count }
}

@DatabaseFunction private func say(
    _ text: String, times: Int = 2, between separator: String = "-"
) -> String {
    Array(repeating: text, count: times).joined(separator: separator)
}
@DatabaseFunction private func half(_ number: Double) -> Double { number / 2 }
@DatabaseFunction private func rankName(_ rank: Rank?) -> String? { rank?.rawValue }
@DatabaseFunction(as: ((Date.UnixTimeRepresentation) -> Date.UnixTimeRepresentation).self)
private func nextDay(_ date: Date) -> Date { date.addingTimeInterval(86_400) }
@DatabaseFunction(as: (([String].JSONBRepresentation) -> [String].JSONBRepresentation?).self)
private func reversed(_ names: [String]) -> [String]? { names.isEmpty ? nil : names.reversed() }
@DatabaseFunction private func refuseTyped() throws(Refusal) -> Int { throw Refusal() }
@DatabaseFunction(as: Date.UnixTimeRepresentation.self) private var epoch: Date {
    Date(timeIntervalSince1970: 60)
}
@DatabaseFunction("a \"b\"") private func `default`(_ text: String) -> String { text }
@DatabaseFunction("letters") private func countOne(_ text: String) -> Int { text.count }
@DatabaseFunction("letters") private func countTwo(_ text: String, _ other: String) -> Int {
    text.count + other.count
}
@DatabaseFunction private func huge() -> UInt64 { .max }

@Suite struct OwnFunctionLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    /// The first value of a query on a connection that has a function.
    private func value<F: TypedFunction, S: ResultStatement>(
        _ function: F, _ statement: S
    ) throws -> S.Row? {
        try library.queue.write { db in
            db.add(function: function)
            return try statement.fetchOne(db)
        }
    }

    private func error<F: TypedFunction>(
        _ function: F, _ sql: String
    ) throws -> DatabaseError {
        try library.queue.write { db in
            db.add(function: function)
            return try #require(throws: DatabaseError.self) { try Row.fetchAll(db, sql: sql) }
        }
    }

    @Test(.proves("FNC-001", "FNC-003"))
    func `static functions and methods are called as free ones are`() throws {
        #expect(try value(Tool.$twice, Values(Tool.$twice(21))) == 42)
        #expect(Values(Tool.$twice(21)).text == "SELECT `tool twice`(21)")
        #expect(Tool.twice(1) == 2)
        let prefixer = Prefixer(prefix: "a-")
        #expect(try value(prefixer.$prefixed, Values(prefixer.$prefixed("b"))) == "a-b")
        #expect(try value(prefixer.$prefixLength, Values(prefixer.$prefixLength)) == 2)
        #expect(try value($default, Values($default("x"))) == "x")
        #expect(Values($default("x")).text == "SELECT `a ``b```('x')")
        #expect(try value($default, Values($default("a\0b"))) == "a\0b")
    }

    @Test(.proves("FNC-002"))
    func `each connection of a pool has the functions of its configuration`() throws {
        var configuration = FixtureDatabase.configuration()
        configuration.add(functions: $half, Tool.$twice)
        let pool = try DatabasePool(path: library.fixture.path, configuration: configuration)
        let statement = Values($half(3), Tool.$twice(4))
        #expect(try pool.read { try statement.fetchOne($0) }! == (1.5, 8))
        #expect(try pool.write { try statement.fetchOne($0) }! == (1.5, 8))
        try pool.write { db in
            db.remove(function: $half)
            let error = try #require(throws: DatabaseError.self) { try statement.fetchOne(db) }
            #expect(error.message?.contains("half") == true)
            db.add(function: $refuseTyped)
        }
        // A reader does not have what only the writer got.
        #expect(throws: DatabaseError.self) {
            try pool.read { try Values($refuseTyped()).fetchOne($0) }
        }
    }

    @Test(.proves("FNC-004"))
    func `an index needs a deterministic function, and what is direct only stays out of schemas`()
        throws
    {
        let index = #"CREATE INDEX i ON packets ("tool twice"(seeds))"#
        try library.queue.write { db in
            db.add(function: Tool.$twice)
            db.add(function: Tool.$secret)
            db.add(function: $default)
            try db.execute(sql: index)
            #expect(throws: DatabaseError.self) {
                try db.execute(sql: #"CREATE INDEX j ON traits ("a ""b"""(label))"#)
            }
            #expect(try Values(Tool.$secret()).fetchOne(db) == "xyzzy")
            try db.execute(
                sql: """
                    CREATE TABLE leaks (text);
                    CREATE TRIGGER leak AFTER UPDATE ON traits BEGIN
                        INSERT INTO leaks VALUES (secret()); END;
                    CREATE VIEW leaking AS SELECT secret() AS text;
                    """)
            for sql in ["UPDATE traits SET label = 'x'", "SELECT * FROM leaking"] {
                let error = try #require(throws: DatabaseError.self) { try db.execute(sql: sql) }
                #expect(error.message == "unsafe use of secret()")
            }
        }
        // A connection without the function cannot write to the index, and says why.
        try library.fixture.open().write { db in
            let error = try #require(throws: DatabaseError.self) {
                try db.execute(sql: "UPDATE packets SET seeds = 1")
            }
            #expect(error.message == "unknown function: tool twice()")
        }
    }

    @Test(.proves("FNC-005"))
    func `labels may be left out, and arguments are expressions or values`() throws {
        let all = "SELECT `say`('a', 3, '+')"
        #expect(Values($say("a", times: 3, between: "+")).text == all)
        #expect(Values($say("a", 3, "+")).text == all)
        #expect(Values($say("a")).text == "SELECT `say`('a', 2, '-')")
        #expect(Values($say("a", between: "+")).text == "SELECT `say`('a', 2, '+')")
        #expect(Values($say("a", 3)).text == "SELECT `say`('a', 3, '-')")
        #expect(
            Trait.select { $say($0.label, times: $0.code.length()) }.text
                == """
                SELECT `say`(`traits`.`label`, length(`traits`.`code`), '-') FROM `traits`
                """)
        #expect(try value($say, Values($say("a", 3, "+"))) == "a+a+a")
        // Literals that are no expressions of the type by themselves.
        #expect(try value($half, Values($half(3))) == 1.5)
        #expect(try value($rankName, Values($rankName(.genus)))! == "genus")
        #expect(try value($rankName, Values($rankName(nil)))! == nil)
        let rank: Rank? = .family
        #expect(try value($rankName, Values($rankName(rank)))! == "family")
        #expect(
            Taxon.select { $rankName($0.rank) }.text
                == "SELECT `rankName`(`taxons`.`rank`) FROM `taxons`")
    }

    @Test(.proves("FNC-006"))
    func `arguments and results go through representations`() throws {
        let date = Date(timeIntervalSince1970: 86_400)
        #expect(Values($nextDay(date)).text == "SELECT `nextDay`(86400)")
        #expect(try value($nextDay, Values($nextDay(date))) == date.addingTimeInterval(86_400))
        let text = "SELECT json(jsonb(`reversed`(json(jsonb('[`a`,`b`]')))))"
        #expect(Values($reversed(["a", "b"])).text == text)
        #expect(try value($reversed, Values($reversed(["a", "b"])))! == ["b", "a"])
        #expect(try value($reversed, Values($reversed([])))! == nil)
        #expect(try value($epoch, Values($epoch)) == Date(timeIntervalSince1970: 60))
        #expect(try error($huge, "SELECT huge()").message?.contains("beyond") == true)
    }

    @Test(.proves("FNC-002", "FNC-022"))
    func `one name in SQL is told apart by the number of arguments`() throws {
        try library.queue.write { db throws in
            db.add(function: $countOne)
            db.add(function: $countTwo)
            let statement = Values($countOne("a"), $countTwo("ab", "c"))
            #expect(statement.text == "SELECT `letters`('a'), `letters`('ab', 'c')")
            #expect(try statement.fetchOne(db)! == (1, 3))
            db.remove(function: $countOne)
            #expect(try Values($countTwo("ab", "c")).fetchOne(db) == 3)
            #expect(throws: DatabaseError.self) { try Values($countOne("a")).fetchOne(db) }
        }
    }
}
