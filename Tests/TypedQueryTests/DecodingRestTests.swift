import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Loose.TableColumns, Member.TableColumns, ReadLoose.TableColumns
)

/// Letters stored in reverse: a type of one's own with SQL around its column.
struct Reversed: QueryBindable {
    typealias QueryOutput = String
    var queryOutput: String
    init(queryOutput: String) { self.queryOutput = queryOutput }
    var queryBinding: QueryBinding { .text(String(queryOutput.reversed())) }
    init(decoder: inout some QueryDecoder) throws {
        queryOutput = String(try String(decoder: &decoder).reversed())
    }
}
/// A type of one's own that is the Swift type itself.
struct Celsius: QueryBindable, Equatable {
    var degrees: Double
    init(_ degrees: Double) { self.degrees = degrees }
    var queryBinding: QueryBinding { .double(degrees + 273) }
    init(decoder: inout some QueryDecoder) throws {
        degrees = try Double(decoder: &decoder) - 273
    }
    static var _affinity: SQLiteTypeAffinity { .real }
}
@Table struct Loose: Identifiable {
    let id: Int
    var text: String?
    var real: Double?
    var flag: Bool?
    var bytes: Data?
    @Column(as: Reversed.self) var word: String
    var heat: Celsius
    @Column(as: Date.UnixTimeRepresentation.self) var at: Date
    @Column(as: [Int].JSONRepresentation.self) var list: [Int]
}

/// A text that is read with a mark behind it.
struct Marked: QueryBindable, ExpressibleByStringLiteral {
    typealias QueryOutput = String
    var queryOutput: String
    init(queryOutput: String) { self.queryOutput = queryOutput }
    init(stringLiteral value: String) { queryOutput = value }
    var queryBinding: QueryBinding { .text(queryOutput) }
    init(decoder: inout some QueryDecoder) throws { queryOutput = try String(decoder: &decoder) }
    static func queryFragment(decoding column: QueryFragment) -> QueryFragment {
        "\(column) || '!'"
    }
}
@Table("looses") struct ReadLoose: Identifiable {
    let id: Int
    @Column(as: Marked.self) var text: String
}
@Selection("readWords") struct ReadWord { @Column(as: Marked.self) let word: String }

@Suite struct DecodingRestTests {
    /// A database with one row, whose decoding a configuration chooses.
    private func queue(
        _ decoding: Configuration.TypedDecoding, _ fixture: FixtureDatabase
    ) throws -> DatabaseQueue {
        let queue = try fixture.open { $0.typedDecoding = decoding }
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS looses (id, text, real, flag, bytes, word, heat, at, list);
                    DELETE FROM looses;
                    INSERT INTO looses VALUES (1, 'a', 1.5, 2, X'01', 'cba', 274.0, 86400, '[1]')
                    """)
        }
        return queue
    }

    @Test(.proves("DEC-003"))
    func `a type of one's own is stored as it says, wherever its values stand`() throws {
        let fixture = try FixtureDatabase()
        let queue = try queue(.checked, fixture)
        try queue.write { (db) throws in
            let loose = try Loose.find(db, key: 1)
            #expect(loose.word == "abc" && loose.heat == Celsius(1))
            #expect(
                try Loose.where { $0.word.eq("abc") && $0.heat.eq(Celsius(1)) }.fetchCount(db) == 1)
            let changed = Loose.update {
                $0.word = #bind("xy")
                $0.heat = Celsius(2)
            }.returning { ($0.word, $0.heat) }
            let row = try #require(try changed.fetchOne(db))
            #expect(row.0 == "xy" && row.1 == Celsius(2))
            #expect(try String.fetchOne(db, sql: "SELECT word FROM looses") == "yx")
            // Inner queries carry what is stored; what is fetched has the SQL around the column.
            try expectReadings(db)
            #expect(try Loose.where { $0.word.in(Loose.select { $0.word }) }.fetchCount(db) == 1)
        }
    }

    private func expectReadings(_ db: Database) throws {
        let one = ReadLoose.find(1)
        try ReadLoose.update { $0.text = #bind("a") }.execute(db)
        #expect(try String.fetchOne(db, sql: "SELECT text FROM looses") == "a")
        #expect(try one.fetchOne(db)?.text == "a!" && ReadLoose.fetchAll(db)[0].text == "a!")
        #expect(try one.select { $0.text }.fetchAll(db) == ["a!"])
        #expect(
            try one.update { $0.text = #bind("b") }.returning { $0.text }.fetchAll(db) == ["b!"])
        let inner = ReadLoose.select { $0.text }
        #expect(try ReadLoose.where { $0.text.in(inner) }.fetchCount(db) == 1)
        #expect(try ReadLoose.select { _ in inner }.limit(1).fetchAll(db) == ["b!"])
        let copy = ReadLoose.insert {
            ($0.id, $0.text)
        } select: {
            ReadLoose.select { ($0.id + 1, $0.text) }
        }
        #expect(try copy.returning { $0.text }.fetchAll(db) == ["b!"])
        #expect(try String.fetchAll(db, sql: "SELECT text FROM looses") == ["b", "b"])
        let words = ReadLoose.find(1).select { ReadWord.Columns(word: $0.text) }
        let table = With {
            words
        } query: {
            ReadWord.all
        }
        #expect(try table.fetchAll(db).map(\.word) == ["b!"])
        try db.execute(
            sql: "CREATE TEMPORARY VIEW readWords AS SELECT text AS word FROM looses WHERE id = 1")
        #expect(try String.fetchAll(db, sql: "SELECT word FROM readWords") == ["b"])
        #expect(try ReadWord.fetchAll(db).map(\.word) == ["b!"])
        try ReadLoose.find(2).delete().execute(db)
    }

    @Test(.proves("DEC-011"))
    func `a storage class must fit, unless SQLite's conversions are asked for`() throws {
        let fixture = try FixtureDatabase()
        let wrong = [
            "id = 'x'", "text = 5", "real = 'x'", "flag = 'x'", "bytes = 'x'", "at = 'x'",
        ]
        let strict = try queue(.checked, fixture)
        for change in wrong {
            try strict.inDatabase { db in
                try db.inTransaction {
                    try db.execute(sql: "UPDATE looses SET \(change)")
                    let error = #expect(throws: QueryDecodingError.self) {
                        try Loose.fetchAll(db)
                    }
                    if case .storageClass? = error?.reason {} else { Issue.record("\(change)") }
                    return .rollback
                }
            }
        }
        try strict.write { (db) throws in
            try db.execute(sql: "UPDATE looses SET real = 2")
            let row = try #require(try Loose.fetchOne(db))
            #expect(row.real == 2 && row.flag == true)
        }
        try strict.close()
        let coercing = try queue(.coercing, fixture)
        try coercing.write { (db) throws in
            try db.execute(
                sql: "UPDATE looses SET id = '12x', text = 5, real = '2.5', flag = '0', bytes = 'x'"
            )
            let row = try #require(try Loose.fetchAll(db).first)
            #expect(row.id == 12 && row.text == "5" && row.real == 2.5 && row.flag == false)
            #expect(row.bytes == Data("x".utf8))
            let columns = "list, at, heat, word, bytes, flag, real, text, id"
            let other = #sql("SELECT \(raw: columns) FROM looses", as: Loose.self)
            #expect(try other.fetchOne(db)?.id == 12)
            #expect(try Loose.select { $0.id }.fetchCursor(db).next() == 12)
            try db.execute(sql: "UPDATE looses SET id = NULL")
            #expect(throws: QueryDecodingError.self) { try Loose.fetchOne(db) }
        }
    }

    @Test(.proves("DEC-020"))
    func `a representation decides affinity, form in JSON, and cast`() throws {
        #expect(Date.UnixTimeRepresentation._affinity == .integer)
        #expect(Celsius._affinity == .real && Data._affinity == .blob)
        #expect([Int].JSONRepresentation._affinity == .text)
        #expect([Int].JSONBRepresentation._affinity == .blob)
        #expect(
            sql(Loose.self) { $0.text.cast(as: Date.UnixTimeRepresentation?.self) }
                == "CAST(`text` AS INTEGER)")
        #expect(sql(Loose.self) { $0.text.cast(as: Celsius?.self) } == "CAST(`text` AS REAL)")
        let object = Loose.select { $0.jsonObject() }.text
        #expect(object.contains("'bytes', hex(`looses`.`bytes`)"))
        #expect(object.contains("'at', `looses`.`at`") && object.contains("json(`looses`.`list`)"))
        let fixture = try FixtureDatabase()
        let queue = try queue(.checked, fixture)
        let row = try queue.read { try Loose.select { $0.jsonObject() }.fetchOne($0) }
        #expect(row?.at == Date(timeIntervalSince1970: 86_400) && row?.list == [1])
        #expect(row?.bytes == Data([1]) && row?.word == "abc" && row?.heat == Celsius(1))
    }

    @Test(.proves("LIT-024"))
    func `what cannot be bound or built throws when it is run, and never traps`() throws {
        struct Refusing: Codable { func encode(to encoder: any Encoder) throws { throw Sorry() } }
        struct Sorry: Error {}
        let library = try SeedLibrary()
        let large = Trait.select { _ in #bind(UInt64.max, as: UInt64.self) }
        let document = Trait.select { _ in #bind(Refusing(), as: Refusing.JSONRepresentation.self) }
        let twice = Taxon.join(Taxon.all) { $0.id.eq($1.parentID) }
        #expect(
            large.debugSQL.contains("/* 18446744073709551615 is beyond the integers of SQLite */"))
        #expect(document.debugSQL.contains("/* ") && twice.debugSQL.contains("is joined twice"))
        try library.queue.read { db in
            #expect(throws: QueryBuildingError.self) { try large.fetchAll(db) }
            #expect(throws: QueryBuildingError.self) { try document.fetchOne(db) }
            #expect(throws: QueryBuildingError.self) { try twice.fetchCount(db) }
            #expect(throws: QueryBuildingError.self) { try twice.fetchCursor(db).next() }
        }
    }

    @Test
    func `a statement and its rows are shown as text`() throws {
        let fixture = try FixtureDatabase()
        let queue = try queue(.checked, fixture)
        let query = Loose.select { ($0.id, $0.text, $0.bytes) }
        try queue.write { (db) throws in
            try db.execute(
                sql:
                    "INSERT INTO looses (id, text, bytes) VALUES (10, NULL, X'0aff'), (2, 'c d', NULL)"
            )
            #expect(
                try db.renderTable(query) == """
                    SELECT "looses"."id", "looses"."text", "looses"."bytes" FROM "looses"
                    id  text  bytes
                     1  a     X'01'
                    10  NULL  X'0aff'
                     2  c d   NULL

                    """)
            #expect(
                try db.renderTable(query.where { $0.id.eq(99) }).hasSuffix("\nid  text  bytes\n"))
            #expect(try db.renderTable(Loose.none) == "")
            #expect(
                try db.renderTable(Loose.where { $0.id > 1 }.delete())
                    == "DELETE FROM \"looses\" WHERE \"looses\".\"id\" > 1\n")
            #expect(try Loose.fetchCount(db) == 1)
        }
    }
}
