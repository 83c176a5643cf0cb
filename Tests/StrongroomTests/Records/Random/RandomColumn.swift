import Foundation
import Strongroom
import StrongroomTestSupport

/// A property of random records: its type, and how a model of plain Swift says that it is stored.
struct RandomColumn: Sendable {
    /// A value of a property.
    struct Sample: Sendable {
        let encode: @Sendable (inout KeyedEncodingContainer<AnyKey>) throws -> Void
        /// Nil for what rows hold as JSON only.
        let databaseValue: DatabaseValue?
        /// What the column holds.
        let stored: DatabaseValue
        /// Whether something that was read is what the column gives back.
        let isRead: @Sendable (Any?) -> Bool
    }

    let name: String
    let isOptional: Bool
    /// Whether the type of the property is itself a database value.
    let isValue: Bool
    let typeName: String
    var strategies = RandomStrategies()
    let sample: @Sendable (RandomStrategies, inout SeededGenerator) -> Sample
    let decode: @Sendable (KeyedDecodingContainer<AnyKey>) throws -> Any?
    let read: @Sendable (Row, String) throws -> Any?
}

/// How Codable code says that it encodes and decodes a type: the compiler takes the method that is made
/// for the type, where there is one.
struct RandomCoding<Value: Sendable>: Sendable {
    typealias Encoder = KeyedEncodingContainer<AnyKey>
    typealias Decoder = KeyedDecodingContainer<AnyKey>

    let put: @Sendable (inout Encoder, Value, AnyKey) throws -> Void
    let putIfPresent: @Sendable (inout Encoder, Value?, AnyKey) throws -> Void
    let get: @Sendable (Decoder, AnyKey) throws -> Value
    let getIfPresent: @Sendable (Decoder, AnyKey) throws -> Value?
}

extension RandomCoding where Value: Codable {
    static var generic: Self {
        Self(
            put: { try $0.encode($1, forKey: $2) },
            putIfPresent: { try $0.encodeIfPresent($1, forKey: $2) },
            get: { try $0.decode(Value.self, forKey: $1) },
            getIfPresent: { try $0.decodeIfPresent(Value.self, forKey: $1) })
    }
}

/// The types of properties.
struct RandomType: Sendable {
    let column: @Sendable (_ name: String, _ isOptional: Bool, _ asPresent: Bool) -> RandomColumn

    typealias Draw<Value> =
        @Sendable (RandomStrategies, inout SeededGenerator) -> (
            value: Value, stored: DatabaseValue, read: Value
        )

    /// A type that is a database value.
    static func value<Value: Codable & DatabaseValueConvertible & Equatable & Sendable>(
        _ coding: RandomCoding<Value> = .generic, _ draw: @escaping Draw<Value>
    ) -> RandomType {
        RandomType { name, isOptional, asPresent in
            column(
                name, isOptional, asPresent, coding, draw, isValue: true,
                databaseValue: { $0.databaseValue },
                read: { row, name in
                    isOptional ? row[name] as Value? : row[name] as Value
                })
        }
    }

    /// A type that is none.
    static func other<Value: Codable & Equatable & Sendable>(
        _ draw: @escaping Draw<Value>
    ) -> RandomType {
        RandomType { name, isOptional, asPresent in
            column(
                name, isOptional, asPresent, .generic, draw, isValue: false,
                databaseValue: { _ in nil },
                read: { _, _ in nil })
        }
    }

    private static func column<Value: Codable & Equatable & Sendable>(
        _ name: String, _ isOptional: Bool, _ asPresent: Bool, _ coding: RandomCoding<Value>,
        _ draw: @escaping Draw<Value>, isValue: Bool,
        databaseValue: @escaping @Sendable (Value) -> DatabaseValue?,
        read: @escaping @Sendable (Row, String) throws -> Any?
    ) -> RandomColumn {
        let key = AnyKey(name)
        return RandomColumn(
            name: name, isOptional: isOptional, isValue: isValue, typeName: "\(Value.self)",
            sample: { strategies, random in
                guard !isOptional || Int.random(in: 0..<3, using: &random) > 0 else {
                    return RandomColumn.Sample(
                        encode: { container in
                            guard asPresent else {
                                return try container.encode(Value?.none, forKey: key)
                            }
                            try coding.putIfPresent(&container, nil, key)
                        }, databaseValue: .null, stored: .null, isRead: { $0 == nil })
                }
                let (value, stored, kept) = draw(strategies, &random)
                return RandomColumn.Sample(
                    encode: { container in
                        switch (isOptional, asPresent) {
                        case (true, true): try coding.putIfPresent(&container, value, key)
                        case (true, false): try container.encode(Optional(value), forKey: key)
                        case (false, _): try coding.put(&container, value, key)
                        }
                    }, databaseValue: databaseValue(value), stored: stored,
                    isRead: { $0 as? Value == kept })
            },
            decode: { container in
                switch (isOptional, asPresent) {
                case (true, true): try coding.getIfPresent(container, key)
                case (true, false): try container.decode(Value?.self, forKey: key)
                case (false, _): try coding.get(container, key)
                }
            },
            read: read)
    }
}
