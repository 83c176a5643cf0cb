import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite(.proves("VAL-030")) struct CodableValueTests {
    struct Color: Codable, Equatable, DatabaseValueConvertible {
        var red: Double
        var green: Double
        var name: String?
    }

    /// Encodes itself as the value that it wraps, whatever that is.
    struct Wrapper<Wrapped: Codable & Equatable & Sendable>: Codable, Equatable, Sendable,
        DatabaseValueConvertible
    {
        var wrapped: Wrapped

        init(_ wrapped: Wrapped) {
            self.wrapped = wrapped
        }

        init(from decoder: any Decoder) throws {
            wrapped = try decoder.singleValueContainer().decode(Wrapped.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrapped)
        }
    }

    struct Details: Codable, Equatable, DatabaseValueConvertible {
        var z: Data
        var a: Date
        var list: [Int]
    }

    enum Shape: Codable, Equatable, DatabaseValueConvertible {
        case circle(radius: Double)
        case point
    }

    enum Fruit: String, Codable, DatabaseValueConvertible { case apple, pear }

    struct Indented: Codable, Equatable, DatabaseValueConvertible {
        var firstName: String

        static func databaseJSONEncoder() -> JSONEncoder {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            return encoder
        }

        static func databaseJSONDecoder() -> JSONDecoder {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }
    }

    /// Reads an old form, a plain text, besides its own.
    struct Tag: Codable, Equatable, DatabaseValueConvertible {
        enum CodingKeys: CodingKey { case name }
        var name: String

        init(name: String) {
            self.name = name
        }

        init(from decoder: any Decoder) throws {
            if let container = try? decoder.container(keyedBy: CodingKeys.self) {
                name = try container.decode(String.self, forKey: .name)
            } else {
                name = try decoder.singleValueContainer().decode(String.self)
            }
        }
    }

    class Animal: Codable {
        var name = "cat"
    }

    final class Cat: Animal, DatabaseValueConvertible {
        var lives = 9

        override init() { super.init() }

        enum CodingKeys: CodingKey { case lives }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            lives = try container.decode(Int.self, forKey: .lives)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(lives, forKey: .lives)
            try super.encode(to: container.superEncoder())
        }
    }

    private func check<V: DatabaseValueConvertible & Equatable>(
        _ value: V, _ storage: DatabaseValue.Storage,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(value.databaseValue.storage == storage, sourceLocation: sourceLocation)
        try DatabaseQueue().read { db throws in
            let read = try V.fetchOne(db, sql: "SELECT ?", arguments: [value])
            #expect(read == value, sourceLocation: sourceLocation)
        }
    }

    @Test func `What encodes itself as a single value is stored as that value`() throws {
        try check(Wrapper(12), .int64(12))
        try check(Wrapper(UInt8(12)), .int64(12))
        try check(Wrapper(true), .int64(1))
        try check(Wrapper(1.5), .double(1.5))
        try check(Wrapper("a"), .string("a"))
        try check(Wrapper(Data([1])), .blob(Data([1])))
        try check(Wrapper(Date(timeIntervalSince1970: 0)), .string("1970-01-01 00:00:00.000"))
        try check(Wrapper(Wrapper("a")), .string("a"))
        try check(Wrapper(Fruit.pear), .string("pear"))
        try check(Wrapper(Int?.some(1)), .int64(1))
        #expect(Wrapper(Int?.none).databaseValue == .null)
        #expect(Wrapper<Int?>.fromDatabaseValue(.null) == Wrapper(nil))
        #expect(Wrapper<Int>.fromDatabaseValue(.null) == nil)
        #expect(Wrapper<UInt8>.fromDatabaseValue(256.databaseValue) == nil)
        #expect(Wrapper<Int>.fromDatabaseValue("[1]".databaseValue) == nil)
    }

    @Test func `Anything else is stored as JSON text with sorted keys`() throws {
        try check(
            Color(red: 1, green: 0.5, name: "x"), .string(#"{"green":0.5,"name":"x","red":1}"#))
        try check(Color(red: 1, green: 0.5, name: nil), .string(#"{"green":0.5,"red":1}"#))
        try check(
            Details(z: Data([1, 2]), a: Date(timeIntervalSince1970: 1.5), list: [1, 2]),
            .string(#"{"a":1500,"list":[1,2],"z":"AQI="}"#))
        try check(Shape.circle(radius: 2), .string(#"{"circle":{"radius":2}}"#))
        try check(Shape.point, .string(#"{"point":{}}"#))
        try check(Wrapper([1, 2]), .string("[1,2]"))
        try check(Wrapper(["a": 1]), .string(#"{"a":1}"#))
        try check(Wrapper(Color(red: 1, green: 1)), .string(#"{"green":1,"red":1}"#))
        try check(Indented(firstName: "Ada"), .string(#"{"first_name":"Ada"}"#))
        try check(Tag(name: "a"), .string(#"{"name":"a"}"#))
        #expect(Cat().databaseValue == #"{"lives":9,"super":{"name":"cat"}}"#.databaseValue)
        #expect(Cat.fromDatabaseValue(Cat().databaseValue)?.name == "cat")
    }

    @Test func `JSON is read from text and blobs, and nothing else is`() {
        let json = #"{"red":1,"green":2}"#
        let color = Color(red: 1, green: 2)
        #expect(Color.fromDatabaseValue(json.databaseValue) == color)
        #expect(Color.fromDatabaseValue(Data(json.utf8).databaseValue) == color)
        #expect(Color?.fromDatabaseValue(.null) == .some(nil))
        for text in ["", "null", "1", "{}", #"{"red":1,"green":"2"}"#, json + "\0", "\u{FEFF}"] {
            #expect(Color.fromDatabaseValue(text.databaseValue) == nil)
        }
        #expect(Color.fromDatabaseValue(1.databaseValue) == nil)
        #expect(Color.fromDatabaseValue(.null) == nil)
        #expect(Tag.fromDatabaseValue("old".databaseValue) == Tag(name: "old"))
    }

    @Test func `A raw value comes before Codable`() throws {
        try check(Fruit.apple, .string("apple"))
        #expect(Fruit.fromDatabaseValue("plum".databaseValue) == nil)
    }

    @Test func `What cannot be encoded traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = Color(red: .nan, green: 0).databaseValue
        }
    }
}
