import Foundation
import Strongroom
import StrongroomTestSupport

// The types that properties of random records have.

extension RandomType {
    enum Suit: Int, Codable, DatabaseValueConvertible { case hearts = -1, spades = 7 }
    enum Word: String, Codable, DatabaseValueConvertible {
        case short = "s"
        case long = "a longer \"one\""
    }
    /// Codable, and nothing else.
    enum Plain: String, Codable { case one, two }
    struct Nested: Codable, Equatable {
        var at: Date
        var b: Int?
    }
    /// A value that encodes as another one.
    struct Boxed: Codable, Equatable {
        var value: Int64
        init(value: Int64) { self.value = value }
        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Int64.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    static let all = [
        int, int8, int16, int32, int64, uint, uint8, uint16, uint32,
        uint64, bool, double, float, string, data, date, uuid, url,
        decimal, suit, word, cgFloat, plain, boxed, nested, list, map,
    ]

    private static func same<Value>(
        _ value: Value, _ storage: DatabaseValue
    ) -> (value: Value, stored: DatabaseValue, read: Value) {
        (value, storage, value)
    }

    private static func integer<I: FixedWidthInteger & Sendable>(
        _ coding: RandomCoding<I>
    ) -> RandomType where I: Codable & DatabaseValueConvertible {
        .value(coding) { _, random in
            // Those of 64 bits without a sign are stored up to the greatest with one.
            let greatest = I(clamping: Int64.max)
            let value = random.pick([
                I.min, greatest, 0, 1, I.random(in: I.min...greatest, using: &random),
            ])
            return same(value, Int64(value).databaseValue)
        }
    }

    private static let int = integer(
        RandomCoding<Int>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(Int.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(Int.self, forKey: $1) }))
    private static let int8 = integer(
        RandomCoding<Int8>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(Int8.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(Int8.self, forKey: $1) }))
    private static let int16 = integer(
        RandomCoding<Int16>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(Int16.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(Int16.self, forKey: $1) }))
    private static let int32 = integer(
        RandomCoding<Int32>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(Int32.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(Int32.self, forKey: $1) }))
    private static let int64 = integer(
        RandomCoding<Int64>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(Int64.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(Int64.self, forKey: $1) }))
    private static let uint = integer(
        RandomCoding<UInt>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(UInt.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(UInt.self, forKey: $1) }))
    private static let uint8 = integer(
        RandomCoding<UInt8>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(UInt8.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(UInt8.self, forKey: $1) }))
    private static let uint16 = integer(
        RandomCoding<UInt16>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(UInt16.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(UInt16.self, forKey: $1) }))
    private static let uint32 = integer(
        RandomCoding<UInt32>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(UInt32.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(UInt32.self, forKey: $1) }))
    private static let uint64 = integer(
        RandomCoding<UInt64>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(UInt64.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(UInt64.self, forKey: $1) }))
    private static let bool = RandomType.value(
        RandomCoding<Bool>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(Bool.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(Bool.self, forKey: $1) })
    ) { _, random in
        let value = Bool.random(using: &random)
        return same(value, (value ? 1 : 0).databaseValue)
    }

    private static let double = RandomType.value(
        RandomCoding<Double>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(Double.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(Double.self, forKey: $1) })
    ) { _, random in
        let any = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
        let value = random.pick([0, -0.5, 1e300, .infinity, any.isNaN ? 0.1 : any])
        return same(value, value.databaseValue)
    }

    private static let float = RandomType.value(
        RandomCoding<Float>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(Float.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(Float.self, forKey: $1) })
    ) { _, random in
        let any = Float(bitPattern: UInt32.random(in: .min ... .max, using: &random))
        let value = random.pick([0, -0.5, .greatestFiniteMagnitude, any.isNaN ? 0.1 : any])
        return same(value, Double(value).databaseValue)
    }

    private static let string = RandomType.value(
        RandomCoding<String>(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(String.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(String.self, forKey: $1) })
    ) { _, random in
        let value = random.text(of: ["a", "é🐴", "'", "\"", "\0", "12", " ", ""], upTo: 4)
        return same(value, value.databaseValue)
    }

    private static let data = RandomType.value { strategies, random in
        let bytes = Data(
            strategies.bytes == .text
                ? Array(random.text(of: ["a", "é", "\0"], upTo: 3).utf8) : random.bytes(upTo: 9))
        return same(bytes, strategies.stored(bytes))
    }

    private static let date = RandomType.value { strategies, random in
        let (date, read) = strategies.draw(&random)
        return (date, strategies.stored(date), read)
    }

    private static let uuid = RandomType.value { strategies, random in
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        let stored: DatabaseValue =
            switch strategies.uuids {
            case .blob: Data(bytes).databaseValue
            case .upper: uuid.uuidString.uppercased().databaseValue
            case .lower: uuid.uuidString.lowercased().databaseValue
            }
        return same(uuid, stored)
    }

    private static let url = RandomType.value { _, random in
        let text = "https://example.com/\(Int.random(in: 0...9, using: &random))?a=%20#b"
        return same(URL(string: text)!, text.databaseValue)
    }

    private static let decimal = RandomType.value { _, random in
        let digits = Int.random(in: 1...999_999, using: &random) * 10 + 7
        let value = Decimal(sign: .minus, exponent: -3, significand: Decimal(digits))
        let fraction = String(digits % 1000 + 1000).dropFirst()
        return same(value, "-\(digits / 1000).\(fraction)".databaseValue)
    }

    private static let suit = RandomType.value { _, random in
        let value = random.pick([Suit.hearts, .spades])
        return same(value, value.rawValue.databaseValue)
    }

    private static let word = RandomType.value { _, random in
        let value = random.pick([Word.short, .long])
        return same(value, value.rawValue.databaseValue)
    }

    private static let cgFloat = RandomType.value { _, random in
        let value = CGFloat(Int.random(in: -9...9, using: &random)) / 4
        return same(value, Double(value).databaseValue)
    }

    private static let plain = RandomType.other { _, random in
        let value = random.pick([Plain.one, .two])
        return same(value, value.rawValue.databaseValue)
    }

    private static let boxed = RandomType.other { _, random in
        let value = Int64.random(in: -5...5, using: &random)
        return same(Boxed(value: value), value.databaseValue)
    }

    private static let nested = RandomType.other { _, random in
        let second = Int.random(in: -9_999...9_999, using: &random)
        let b = random.pick([nil, second])
        let json = "{\"at\":\(second * 1000)" + (b.map { ",\"b\":\($0)" } ?? "") + "}"
        let date = Date(timeIntervalSince1970: Double(second))
        return same(Nested(at: date, b: b), json.databaseValue)
    }

    private static let list = RandomType.other { _, random in
        let list = (0..<Int.random(in: 0...3, using: &random)).map { $0 * 7 }
        return same(list, "[\(list.map { "\($0)" }.joined(separator: ","))]".databaseValue)
    }

    private static let map = RandomType.other { _, random in
        let map = random.pick([[:], ["b": true, "a": false]])
        let json = map.isEmpty ? "{}" : "{\"a\":false,\"b\":true}"
        return same(map, json.databaseValue)
    }
}
