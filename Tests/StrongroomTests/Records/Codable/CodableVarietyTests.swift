import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// What Codable types may do, and records must bear: each type is stored, looked at and read back.
@Suite struct CodableVarietyTests {
    private func expectRoundTrip<Record>(
        _ record: Record, columns: [String: DatabaseValue],
        _ location: SourceLocation = #_sourceLocation
    ) throws where Record: Codable & Equatable & FetchableRecord & EncodableRecord {
        #expect(try record.databaseDictionary == columns, sourceLocation: location)
        let row = Row(columns.mapValues { Optional<any DatabaseValueConvertible>($0) })
        #expect(try Record(row: row) == record, sourceLocation: location)
    }

    struct Nested: Codable, Equatable {
        var a: Int
        var b: [String]
    }

    struct Plain: Codable, Equatable, FetchableRecord, EncodableRecord {
        enum Suit: Int, Codable { case hearts = 3, spades }
        enum Shape: Codable, Equatable { case circle(radius: Double), none }

        var bool = true
        var int8: Int8 = -8
        var uint64: UInt64 = 64
        var float: Float = 0.5
        var suit = Suit.spades
        var missingSuit: Suit?
        var shape = Shape.circle(radius: 2)
        var url = URL(string: "https://example.com/")!
        var data = Data([1, 2])
        var nested = Nested(a: 1, b: ["x"])
        var missingNested: Nested?
        var twice: Int?? = .some(5)
        var map = ["key": 1]
        var decimal = Decimal(string: "1.5")!
    }

    @Test(.proves("REC-002", "VAL-043")) func `Properties of all sorts come back`() throws {
        try expectRoundTrip(
            Plain(),
            columns: [
                "bool": 1.databaseValue, "int8": (-8).databaseValue, "uint64": 64.databaseValue,
                "float": 0.5.databaseValue, "suit": 4.databaseValue, "missingSuit": .null,
                "shape": #"{"circle":{"radius":2}}"#.databaseValue,
                "url": "https://example.com/".databaseValue, "data": Data([1, 2]).databaseValue,
                "nested": #"{"a":1,"b":["x"]}"#.databaseValue, "missingNested": .null,
                "twice": 5.databaseValue, "map": #"{"key":1}"#.databaseValue,
                "decimal": Decimal(string: "1.5")!.databaseValue,
            ])
    }

    struct Awkward: Codable, Equatable, FetchableRecord, EncodableRecord {
        var a = 1
        var b = 2
        var c = 3
        var d: [Int] = [4]

        enum CodingKeys: String, CodingKey {
            case a = "a \"quoted\" name"
            case b = ""
            case c = "naïve ☃️"
            case d = "select"
        }
    }

    @Test func `Keys of awkward names are columns`() throws {
        try expectRoundTrip(
            Awkward(),
            columns: [
                "a \"quoted\" name": 1.databaseValue, "": 2.databaseValue,
                "naïve ☃️": 3.databaseValue, "select": "[4]".databaseValue,
            ])
        let fixture = try FixtureDatabase()
        try fixture.open().write { db throws in
            struct Table: Codable, Equatable, FetchableRecord, PersistableRecord {
                static let databaseTableName = "a \"table\""
                var key = 1
                var value = 2
                enum CodingKeys: String, CodingKey {
                    case key = "a \"key\""
                    case value = "'; DROP TABLE x; --"
                }
            }
            try db.execute(
                sql: #"""
                    CREATE TABLE "a ""table"""("a ""key""" INTEGER PRIMARY KEY, "'; DROP TABLE x; --")
                    """#)
            try Table().insert(db)
            try Table(value: 3).update(db)
            #expect(try Table.fetchOne(db, key: 1) == Table(value: 3))
            #expect(try Table().exists(db) && Table().delete(db))
        }
    }

    @propertyWrapper struct Clamped: Codable, Equatable {
        var wrappedValue: Int

        init(wrappedValue: Int) { self.wrappedValue = min(wrappedValue, 10) }
        init(from decoder: any Decoder) throws {
            self.init(wrappedValue: try decoder.singleValueContainer().decode(Int.self))
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }

    struct Wrapped: Codable, Equatable, FetchableRecord, EncodableRecord {
        @Clamped var score = 99
    }

    @Test func `Property wrappers are what they wrap`() throws {
        try expectRoundTrip(Wrapped(), columns: ["score": 10.databaseValue])
    }

    /// A value that is a text or a list, whichever it finds.
    enum Either: Codable, Equatable {
        case one(String), many([String])

        init(from decoder: any Decoder) throws {
            if let list = try? [String](from: decoder) {
                self = .many(list)
            } else {
                self = .one(try decoder.singleValueContainer().decode(String.self))
            }
        }
        func encode(to encoder: any Encoder) throws {
            switch self {
            case .one(let text): try text.encode(to: encoder)
            case .many(let list): try list.encode(to: encoder)
            }
        }
    }

    struct Choice: Codable, Equatable, FetchableRecord, EncodableRecord {
        var value: Either
    }

    @Test func `A type may try one form and then the other`() throws {
        try expectRoundTrip(Choice(value: .one("a")), columns: ["value": "a".databaseValue])
        try expectRoundTrip(
            Choice(value: .many(["a"])), columns: ["value": #"["a"]"#.databaseValue])
    }

    /// A record that makes its containers by hand.
    struct Handmade: Codable, Equatable, FetchableRecord, EncodableRecord {
        var id: Int
        var x: Double
        var y: Double?
        var tags: [String]
        var extra: Int

        init(id: Int, x: Double, y: Double?, tags: [String], extra: Int) {
            (self.id, self.x, self.y, self.tags, self.extra) = (id, x, y, tags, extra)
        }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            id = try container.decode(Int.self, forKey: AnyKey("id"))
            let point = try container.nestedContainer(
                keyedBy: AnyKey.self, forKey: AnyKey("point"))
            x = try point.decode(Double.self, forKey: AnyKey("x"))
            y = try point.decodeIfPresent(Double.self, forKey: AnyKey("y"))
            var list = try container.nestedUnkeyedContainer(forKey: AnyKey("tags"))
            tags = []
            while !list.isAtEnd {
                var inner = try list.nestedUnkeyedContainer()
                tags.append(try inner.decode(String.self))
            }
            let parent = try container.superDecoder(forKey: AnyKey("parent"))
            extra = try parent.container(keyedBy: AnyKey.self)
                .decode(Int.self, forKey: AnyKey("extra"))
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            var point = container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("point"))
            try container.encode(id, forKey: AnyKey("id"))
            try point.encode(x, forKey: AnyKey("x"))
            try point.encodeIfPresent(y, forKey: AnyKey("y"))
            var list = container.nestedUnkeyedContainer(forKey: AnyKey("tags"))
            for tag in tags {
                var inner = list.nestedUnkeyedContainer()
                try inner.encode(tag)
            }
            let parent = container.superEncoder(forKey: AnyKey("parent"))
            var inside = parent.container(keyedBy: AnyKey.self)
            try inside.encode(extra, forKey: AnyKey("extra"))
        }
    }

    @Test func `Nested containers and parents under a key are JSON`() throws {
        try expectRoundTrip(
            Handmade(id: 1, x: 0.5, y: nil, tags: ["a", "b"], extra: 3),
            columns: [
                "id": 1.databaseValue, "point": #"{"x":0.5}"#.databaseValue,
                "tags": #"[["a"],["b"]]"#.databaseValue, "parent": #"{"extra":3}"#.databaseValue,
            ])
    }

    class Animal: Codable {
        var legs: Int
        init(legs: Int) { self.legs = legs }
    }

    final class Dog: Animal, Equatable, FetchableRecord, EncodableRecord {
        var name: String
        enum CodingKeys: CodingKey { case name }

        init(name: String) {
            self.name = name
            super.init(legs: 4)
        }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try super.encode(to: container.superEncoder())
        }
        static func == (lhs: Dog, rhs: Dog) -> Bool {
            lhs.name == rhs.name && lhs.legs == rhs.legs
        }
    }

    @Test func `The columns of a superclass are columns of the same row`() throws {
        try expectRoundTrip(
            Dog(name: "Rex"), columns: ["name": "Rex".databaseValue, "legs": 4.databaseValue])
    }

    struct Delegating: Codable, Equatable, FetchableRecord, EncodableRecord {
        var inner: Awkward
        init(inner: Awkward) { self.inner = inner }
        init(from decoder: any Decoder) throws {
            inner = try decoder.singleValueContainer().decode(Awkward.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(inner)
        }
    }

    @Test func `A record may hand its coder on`() throws {
        try expectRoundTrip(
            Delegating(inner: Awkward()), columns: try Awkward().databaseDictionary)
    }

    @Test func `A record that is no set of columns says so`() throws {
        struct Single: Codable, FetchableRecord, EncodableRecord {
            init() {}
            init(from decoder: any Decoder) throws {
                _ = try decoder.singleValueContainer().decode(Int.self)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(1)
            }
        }
        struct List: Decodable, FetchableRecord {
            init(from decoder: any Decoder) throws { _ = try decoder.unkeyedContainer() }
        }
        #expect(throws: EncodingError.self) { try Single().databaseDictionary }
        #expect(throws: RowDecodingError.self) { try Single(row: ["a": 1, "b": 2]) }
        #expect(throws: DecodingError.self) { try List(row: ["a": 1]) }
    }
}
