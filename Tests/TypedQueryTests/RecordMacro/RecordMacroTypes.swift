import Foundation
import StrongroomTables

/// The same record, read and written by Codable alone.
struct Coded<Base: Codable & FetchableRecord & EncodableRecord>: Codable, FetchableRecord,
    EncodableRecord
{
    let base: Base

    init(_ base: Base) { self.base = base }
    init(from decoder: any Decoder) throws { base = try Base(from: decoder) }
    func encode(to encoder: any Encoder) throws { try base.encode(to: encoder) }

    static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { Base.databaseDecodingUserInfo }
    static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { Base.databaseEncodingUserInfo }
    static func databaseJSONDecoder(for column: String) -> JSONDecoder {
        Base.databaseJSONDecoder(for: column)
    }
    static func databaseJSONEncoder(for column: String) -> JSONEncoder {
        Base.databaseJSONEncoder(for: column)
    }
    static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
        Base.databaseDataDecodingStrategy(for: column)
    }
    static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
        Base.databaseDataEncodingStrategy(for: column)
    }
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        Base.databaseDateDecodingStrategy(for: column)
    }
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        Base.databaseDateEncodingStrategy(for: column)
    }
    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        Base.databaseUUIDEncodingStrategy(for: column)
    }
    static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
        Base.databaseColumnDecodingStrategy
    }
    static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
        Base.databaseColumnEncodingStrategy
    }
}

enum Medal: String, Codable { case gold, silver }
enum Priority: Int, Codable, DatabaseValueConvertible { case low = 1, high }
struct PostalAddress: Codable, Equatable { var street = "", number: Int? }
/// A single value for Codable, which is none of the database.
struct Sticker: Codable, Equatable {
    let name: String

    init(name: String) { self.name = name }
    init(from decoder: any Decoder) throws {
        name = try decoder.singleValueContainer().decode(String.self)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

/// Values that are columns.
@Record struct Simple: Codable {
    var id: Int64?
    var name: String
    var note: String?
    var count = 0
    var small: Int8
    var byte: UInt8?
    var wide: UInt64
    var isOpen: Bool
    var isNew: Bool?
    var price: Double
    var weight: Float?
    var `default`: Decimal?
    var link: URL?
    var level: Priority
    var other: Priority?
}

/// Values that a record type has a say in, or that are stored as JSON.
@Record struct Rich: Codable {
    var at: Date
    var due: Date?
    var bytes: Data
    var more: Data?
    var key: UUID
    var parent: UUID?
    var medal: Medal?
    var medals: [Medal]
    var address: PostalAddress
    var second: PostalAddress?
    var tag: Sticker
    var maybe: Sticker?
    var scores: [String: Int]
    var list: [Int?]?
}

/// The same with strategies.
@Record struct Chosen: Codable {
    var takenAt: Date
    var dueAt: Date?
    var rawBytes: Data
    var ownKey: UUID
    var parentKey: UUID?
    var homeAddress: PostalAddress
    var allTags: [Sticker]?

    static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.convertFromSnakeCase
    static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        column == "due_at" ? .iso8601 : .millisecondsSince1970
    }
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        column == "due_at" ? .iso8601 : .millisecondsSince1970
    }
    static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
        .custom { value in String.fromDatabaseValue(value).map { Data($0.utf8.reversed()) } }
    }
    static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
        .text
    }
    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        column == "own_key" ? .lowercaseString : .uppercaseString
    }
    static func databaseJSONEncoder(for column: String) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return encoder
    }
}

/// Keys that are not the names, and properties that are no columns.
@Record struct Keyed: Codable, Equatable {
    enum CodingKeys: String, CodingKey {
        case id = "player_id"
        case name, `default` = "it's \"quoted\""
    }
    static let shared = 1
    var id: Int
    var name: String
    var `default`: Int?
    var cache: [Int] = []
    var seen: Date?
    var title: String { name.uppercased() }
    lazy var later = name.lowercased()
}
