import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (Trait.TableColumns, Taxon.TableColumns)

private struct Refusal: Error, CustomStringConvertible {
    var description: String { "not this one" }
}

private final class Diary: @unchecked Sendable {
    var lines: [String] = []
    var db: Database?
    @DatabaseFunction func note(_ line: String) { lines.append(line) }
    @DatabaseFunction func traitCount() throws -> Int {
        try db.flatMap { try Trait.all.fetchCount($0) } ?? -1
    }
    @DatabaseFunction func failing() throws -> Int {
        guard let db else { return 0 }
        return try Int.fetchOne(db, sql: "SELECT code FROM nowhere") ?? 0
    }
    @DatabaseFunction var lineCount: Int { lines.count }
}

private struct Prefixer: Sendable {
    var prefix: String
    @DatabaseFunction func prefixed(_ text: String) -> String { prefix + text }
}

@DatabaseFunction private func refuse(_ code: String) throws -> String {
    if code == "early" { throw Refusal() }
    if code == "hot" {
        throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE, message: "there is one")
    }
    return code
}
@DatabaseFunction private func refuseTyped() throws(Refusal) -> Int { throw Refusal() }
@DatabaseFunction private var broken: Int { get throws { throw Refusal() } }
@DatabaseFunction(as: Date.UnixTimeRepresentation.self) private var epoch: Date {
    get throws { Date(timeIntervalSince1970: 60) }
}

@Suite struct OwnFunctionErrorTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    private func error<F: TypedFunction>(
        _ function: F, _ sql: String
    ) throws -> DatabaseError {
        try library.queue.write { db throws in
            db.add(function: function)
            return try #require(throws: DatabaseError.self) { try Row.fetchAll(db, sql: sql) }
        }
    }

    @Test(.proves("FNC-009"))
    func `an error of the function is the error of the statement`() throws {
        let other = try error($refuse, "SELECT refuse('early')")
        #expect(other.extendedResultCode == .SQLITE_ERROR)
        #expect(other.message == "not this one")
        let coded = try error($refuse, "SELECT refuse('hot')")
        #expect(coded.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
        #expect(coded.message == "there is one")
        #expect(try error($refuseTyped, "SELECT refuseTyped()").message == "not this one")
        let diary = Diary()
        let nested = try library.queue.write { db throws in
            diary.db = db
            db.add(function: diary.$failing)
            return try #require(throws: DatabaseError.self) {
                try Values(diary.$failing()).fetchOne(db)
            }
        }
        #expect(nested.message == "no such table: nowhere")
    }

    @Test(.proves("FNC-009"))
    func `a statement that fails changes nothing, and its transaction goes on`() throws {
        try library.queue.write { db throws in
            db.add(function: $refuse)
            try Trait.find("odd").update { $0.label = "first" }.execute(db)
            // It has changed some rows before it comes to the one that is refused.
            let error = try #require(throws: DatabaseError.self) {
                try Trait.update { $0.label = $refuse($0.code) }.execute(db)
            }
            #expect(error.message == "not this one" || error.message == "there is one")
            #expect(db.isInsideTransaction)
            #expect(try Trait.where { $0.label.eq($0.code) }.fetchCount(db) == 0)
        }
        let label = try library.queue.read { try Trait.find("odd").select(\.label).fetchOne($0) }
        #expect(label == "first")
    }

    @Test(.proves("FNC-010"))
    func `a function that returns nothing is NULL`() throws {
        let diary = Diary()
        try library.queue.write { db throws in
            db.add(function: diary.$note)
            #expect(Values(diary.$note("a")).text == "SELECT `note`('a')")
            let one: Void? = try Values(diary.$note("a")).fetchOne(db)
            #expect(one != nil)
            #expect(
                try Trait.order(by: \.code).select { diary.$note($0.code) }.fetchAll(db).count == 7)
            #expect(try Int.fetchAll(db, sql: "SELECT note('z') IS NULL") == [1])
        }
        #expect(diary.lines.first == "a")
        #expect(diary.lines.count == 9)
        #expect(diary.lines.last == "z")
    }

    @Test(.proves("FNC-011"))
    func `a property may throw, and has a representation`() throws {
        #expect(try error($broken, "SELECT broken()").message == "not this one")
        #expect(Values($broken).text == "SELECT `broken`()")
        try library.queue.write { db throws in
            db.add(function: $epoch)
            #expect(try Values($epoch).fetchOne(db) == Date(timeIntervalSince1970: 60))
            #expect(try Int.fetchOne(db, sql: "SELECT epoch()") == 60)
            let error = #expect(throws: DatabaseError.self) {
                try Row.fetchOne(db, sql: "SELECT epoch(1)")
            }
            #expect(error?.message == "wrong number of arguments to function epoch()")
        }
    }

    @Test(.proves("FNC-012"))
    func `an object is not kept, and a value is copied`() throws {
        var diary: Diary? = Diary()
        weak let watched = diary
        try library.queue.write { db throws in
            db.add(function: diary!.$note)
            db.add(function: diary!.$lineCount)
            #expect(try Row.fetchOne(db, sql: "SELECT note('a')") != nil)
            #expect(try Int.fetchOne(db, sql: "SELECT lineCount()") == 1)
        }
        diary = nil
        #expect(watched == nil)
        try library.queue.write { db throws in
            for name in ["note", "lineCount"] {
                let argument = name == "note" ? "'a'" : ""
                let error = #expect(throws: DatabaseError.self) {
                    try Row.fetchOne(db, sql: "SELECT \(name)(\(argument))")
                }
                #expect(error?.message == "the object of \(name)() is gone")
            }
            var prefixer = Prefixer(prefix: "a-")
            db.add(function: prefixer.$prefixed)
            prefixer.prefix = "b-"
            #expect(try Values(prefixer.$prefixed("x")).fetchOne(db) == "a-x")
        }
    }

    @Test func `a function may query its own connection`() throws {
        let diary = Diary()
        try library.queue.write { db throws in
            diary.db = db
            db.add(function: diary.$traitCount)
            let counts = try Taxon.limit(2).select { _ in diary.$traitCount() }.fetchAll(db)
            #expect(counts == [7, 7])
            let changed = try Trait.where { $0.code.eq("hot") }
                .update { $0.label = diary.$traitCount().cast(as: String.self) }
                .returning(\.label).fetchAll(db)
            #expect(changed == ["7"])
        }
    }
}
