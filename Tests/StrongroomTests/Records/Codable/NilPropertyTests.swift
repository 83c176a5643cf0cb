import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// A record with an optional property of each type that Codable knows by name, and others.
private struct Everything: Codable, Equatable, FetchableRecord, PersistableRecord {
    enum Suit: Int8, Codable { case hearts = 3, spades }
    struct Wrapper: Codable, Equatable {
        var value: Int16?

        init(_ value: Int16?) { self.value = value }
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = container.decodeNil() ? nil : try container.decode(Int16.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    var id = 1
    var bool: Bool?
    var string: String?
    var double: Double?
    var float: Float?
    var int: Int?
    var int8: Int8?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var uint: UInt?
    var uint8: UInt8?
    var uint16: UInt16?
    var uint32: UInt32?
    var uint64: UInt64?
    var int128: Int128?
    var uint128: UInt128?
    var decimal: Decimal?
    var date: Date?
    var uuid: UUID?
    var data: Data?
    var url: URL?
    var suit: Suit?
    var list: [UInt8]?
    var twice: Int8??
    var thrice: UInt64???
    var wrapper: Wrapper?

    static let full = Everything(
        bool: true, string: "a", double: 1.5, float: 2.5, int: 1, int8: -8, int16: -16, int32: -32,
        int64: -64, uint: 1, uint8: 8, uint16: 16, uint32: 32, uint64: 64,
        decimal: Decimal(string: "1.5"), date: Date(timeIntervalSinceReferenceDate: 0),
        uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
        data: Data([1]), url: URL(string: "https://example.com/"), suit: .spades, list: [1],
        twice: 2, thrice: 3, wrapper: Wrapper(4))

    static let columns = Mirror(reflecting: Everything()).children.compactMap(\.label)
        .filter { $0 != "id" }

    /// Those that hold a value in a full record: numbers of 128 bits have no place in a column.
    static var storedColumns: Set<String> { Set(columns).subtracting(["int128", "uint128"]) }
}

@Suite("Properties that are nil") struct NilPropertyTests {
    private let fixture: FixtureDatabase
    private let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        let columns = Everything.columns.map { "\($0) DEFAULT 7" }.joined(separator: ", ")
        try queue.write {
            try $0.execute(sql: "CREATE TABLE everything(id INTEGER PRIMARY KEY, \(columns))")
        }
    }

    /// The columns of the only row that are not NULL.
    private func storedColumns(_ db: Database) throws -> Set<String> {
        let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM everything"))
        return Set(row.filter { !$1.isNull }.map(\.0)).subtracting(["id"])
    }

    @Test("Whatever its type, a property that is nil is NULL", .proves("CMP-61"))
    func nilIsNull() throws {
        let empty = Everything()
        let dictionary = try empty.databaseDictionary
        #expect(Set(dictionary.keys) == Set(Everything.columns + ["id"]))
        #expect(dictionary.filter { !$0.value.isNull } == ["id": 1.databaseValue])
        try queue.write { db throws in
            try empty.insert(db)
            #expect(try storedColumns(db) == [])
            #expect(try Everything.fetchOne(db)?.databaseDictionary == dictionary)
            try Everything.full.update(db)
            #expect(try storedColumns(db) == Everything.storedColumns)
            #expect(try Everything.fetchOne(db) == .full)
            try empty.update(db)
            #expect(try storedColumns(db) == [])
        }
    }

    @Test("Nil replaces a value by every way of writing a record", .proves("CMP-61"))
    func nilReplacesValues() throws {
        let empty = Everything()
        let ways: [(String, (Database) throws -> Void)] = [
            ("update", { try empty.update($0) }),
            ("update of columns", { try empty.update($0, columns: Everything.columns) }),
            ("changes", { _ = try empty.updateChanges($0, from: Everything.full) }),
            ("save", { try empty.save($0) }),
            ("upsert", { try empty.upsert($0) }),
            ("replace", { try empty.insert($0, onConflict: .replace) }),
            ("upsertAndFetch", { _ = try empty.upsertAndFetch($0) }),
        ]
        for (name, write) in ways {
            try queue.write { db throws in
                try Everything.deleteAll(db)
                try Everything.full.insert(db)
                try write(db)
                #expect(try storedColumns(db) == [], "\(name)")
            }
        }
    }

    @Test("Changes tell what became nil, and what was", .proves("CMP-61"))
    func changesOfNil() throws {
        let toNil = try Everything().databaseChanges(from: Everything.full)
        #expect(Set(toNil.keys) == Everything.storedColumns)
        #expect(toNil.values.allSatisfy { !$0.isNull })
        let toValues = try Everything.full.databaseChanges(from: Everything())
        #expect(Set(toValues.keys) == Everything.storedColumns)
        #expect(toValues.values.allSatisfy { $0.isNull })
    }

    @Test("A number of 128 bits is refused, rather than left out", .proves("CMP-61"))
    func numbersThatFitNoColumn() {
        #expect(throws: EncodingError.self) {
            try Everything(int128: 1).databaseDictionary
        }
        #expect(throws: EncodingError.self) {
            try Everything(uint128: 1).databaseDictionary
        }
    }

    /// A class whose superclass encodes itself into the same row, by hand.
    private class Base: Encodable, EncodableRecord {
        var size: Float?

        private enum CodingKeys: CodingKey { case size, friend }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(size, forKey: .size)
            try container.encodeConditional(Friend(), forKey: .friend)
        }
    }

    private final class Friend: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(UInt8?.none)
        }
    }

    private final class Derived: Base {
        var rank: UInt16?

        private enum CodingKeys: CodingKey { case rank }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(rank, forKey: .rank)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test("Nil of a superclass, and of what encodes itself, is NULL", .proves("CMP-61"))
    func nilByHand() throws {
        #expect(
            try Derived().databaseDictionary == ["rank": .null, "size": .null, "friend": .null])
    }
}
