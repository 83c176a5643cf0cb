import Foundation
import Strongroom

// How Codable records store dates, data, UUIDs, names and nested values, and read them again.

private protocol Storing: Codable, FetchableRecord, PersistableRecord {
    static var dates: (DatabaseDateEncodingStrategy, DatabaseDateDecodingStrategy) { get }
    var date: Date { get }
    init(date: Date)
}

extension Storing {
    static var databaseTableName: String { "storing" }
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        dates.0
    }
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        dates.1
    }
}

private struct Deferred: Storing {
    static var dates: (DatabaseDateEncodingStrategy, DatabaseDateDecodingStrategy) {
        (.deferredToDate, .deferredToDate)
    }
    var date: Date
}

private struct Text: Storing {
    static var dates: (DatabaseDateEncodingStrategy, DatabaseDateDecodingStrategy) {
        (.iso8601, .iso8601)
    }
    var date: Date
}

private struct Milliseconds: Storing {
    static var dates: (DatabaseDateEncodingStrategy, DatabaseDateDecodingStrategy) {
        (.millisecondsSince1970, .millisecondsSince1970)
    }
    var date: Date
}

private struct Seconds: Storing {
    static var dates: (DatabaseDateEncodingStrategy, DatabaseDateDecodingStrategy) {
        (.secondsSince1970, .timeIntervalSince1970)
    }
    var date: Date
}

private struct Reference: Storing {
    static var dates: (DatabaseDateEncodingStrategy, DatabaseDateDecodingStrategy) {
        (.timeIntervalSinceReferenceDate, .timeIntervalSinceReferenceDate)
    }
    var date: Date
}

private struct Formatted: Storing {
    static var dates: (DatabaseDateEncodingStrategy, DatabaseDateDecodingStrategy) {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "dd.MM.yyyy"
        return (.formatted(formatter), .formatted(formatter))
    }
    var date: Date
}

private struct Custom: Storing {
    static var dates: (DatabaseDateEncodingStrategy, DatabaseDateDecodingStrategy) {
        (
            .custom { "day \(Int($0.timeIntervalSince1970 / 86_400))" },
            .custom { value in
                String.fromDatabaseValue(value).flatMap { Double($0.dropFirst(4)) }
                    .map { Date(timeIntervalSince1970: $0 * 86_400) }
            }
        )
    }
    var date: Date
}

private let day = Date(timeIntervalSince1970: 86_400)

/// What a type stores for a day, once that day has been read again.
private func stored<T: Storing>(_ type: T.Type, _ db: Database) throws -> DatabaseValue? {
    try T(date: day).insert(db)
    guard try T.fetchOne(db)?.date == day else { return nil }
    let value = try DatabaseValue.fetchOne(db, sql: "SELECT date FROM storing")
    try T.deleteAll(db)
    return value
}

func strategySnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try db.create(table: "storing") { $0.column("date") }
    try strategySnippets1(db, snippet)
    try db.drop(table: "storing")
    try strategySnippets2(db, snippet)
    try strategySnippets4(db, snippet)
    try strategySnippets3(db, snippet)
    try strategySnippets5(db, snippet)
}

func strategySnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("dates as text: deferredToDate, iso8601, formatted") {
        try expect(
            try stored(Deferred.self, db) == "1970-01-02 00:00:00.000".databaseValue)
        try expect(try stored(Text.self, db) == "1970-01-02T00:00:00Z".databaseValue)
        try expect(try stored(Formatted.self, db) == "02.01.1970".databaseValue)
    }
    try snippet("dates as numbers: milliseconds, seconds, intervals") {
        try expect(try stored(Milliseconds.self, db) == 86_400_000.databaseValue)
        try expect(try stored(Seconds.self, db) == 86_400.databaseValue)
        try expect(try stored(Reference.self, db) == (-978_220_800.0).databaseValue)
    }
    try snippet("dates by a strategy of an app") {
        try expect(try stored(Custom.self, db) == "day 1".databaseValue)
    }
}

func strategySnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("UUIDs: deferredToUUID, lowercaseString") {
        struct Lower: Codable, FetchableRecord, PersistableRecord {
            static let databaseTableName = "ids"
            static func databaseUUIDEncodingStrategy(for column: String)
                -> DatabaseUUIDEncodingStrategy
            {
                column == "text" ? .lowercaseString : .deferredToUUID
            }
            var text: UUID
            var bytes: UUID
        }
        try db.create(table: "ids") {
            $0.column("text"); $0.column("bytes")
        }
        let uuid = UUID()
        try Lower(text: uuid, bytes: uuid).insert(db)
        let row = try Row.fetchOne(db, Lower.all())!
        try expect(row["text"] == uuid.uuidString.lowercased())
        try expect((row["bytes"] as Data).count == 16)
        try expect(try Lower.fetchOne(db)?.text == uuid && Lower.fetchOne(db)?.bytes == uuid)
        try expect(try Lower.filter(Column("bytes") == uuid).fetchCount(db) == 1)
        try db.drop(table: "ids")
    }
}

func strategySnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("names: snake case, and functions of an app") {
        struct Snake: Codable, FetchableRecord, PersistableRecord {
            static let databaseTableName = "names"
            static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy
                .convertToSnakeCase
            static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy
                .convertFromSnakeCase
            var firstName: String
            var ownerID: Int
        }
        struct Prefixed: Codable, FetchableRecord {
            static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.custom {
                TextKey($0.replacingOccurrences(of: "_name", with: ""))
            }
            var first: String
        }
        try db.create(table: "names") {
            $0.column("first_name"); $0.column("owner_id")
        }
        try db.execute(literal: "INSERT INTO names VALUES ('a', 1)")
        try expect(try Prefixed.fetchOne(db, sql: "SELECT * FROM names")?.first == "a")
        let written = try Snake(firstName: "b", ownerID: 2).databaseDictionary
        try expect(
            written["first_name"] == "b".databaseValue && written["owner_id"] == 2.databaseValue)
        try db.drop(table: "names")
    }
    try snippet("useDefaultKeys, deferredToData") {
        struct Plain: Codable, FetchableRecord, PersistableRecord {
            static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy
                .useDefaultKeys
            static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy
                .useDefaultKeys
            static func databaseDataEncodingStrategy(for column: String)
                -> DatabaseDataEncodingStrategy
            { .deferredToData }
            static func databaseDataDecodingStrategy(for column: String)
                -> DatabaseDataDecodingStrategy
            { .deferredToData }
            var theData: Data
        }
        let dictionary = try Plain(theData: Data([1])).databaseDictionary
        try expect(dictionary == ["theData": Data([1]).databaseValue])
        try expect(try Plain(row: ["theData": Data([2])]).theData == Data([2]))
    }
}

/// A coding key of any text.
private struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

func strategySnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("user info of encoders and decoders") {
        struct Secret: Codable, FetchableRecord, PersistableRecord {
            static let key = CodingUserInfoKey(rawValue: "suffix")!
            static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [key: "?"] }
            static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { [key: "!"] }
            var text: String
            enum CodingKeys: CodingKey { case text }
            init(text: String) { self.text = text }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                text = try container.decode(String.self, forKey: .text)
                text += decoder.userInfo[Self.key] as? String ?? ""
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(
                    text + (encoder.userInfo[Self.key] as? String ?? ""), forKey: .text)
            }
        }
        try expect(try Secret(text: "a").databaseDictionary == ["text": "a!".databaseValue])
        try expect(try Secret(row: ["text": "a"]).text == "a?")
    }
}

func strategySnippets5(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("JSON encoders and decoders of columns") {
        struct Box: Codable, Equatable { var someDate: Date }
        struct Holder: Codable, FetchableRecord, PersistableRecord {
            static func databaseJSONEncoder(for column: String) -> JSONEncoder {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .convertToSnakeCase
                encoder.dateEncodingStrategy = .secondsSince1970
                return encoder
            }
            static func databaseJSONDecoder(for column: String) -> JSONDecoder {
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                decoder.dateDecodingStrategy = .secondsSince1970
                return decoder
            }
            var box: Box
        }
        let holder = Holder(box: Box(someDate: day))
        try expect(
            try holder.databaseDictionary["box"] == #"{"some_date":86400}"#.databaseValue)
        try expect(try Holder(row: ["box": #"{"some_date":86400}"#]).box == holder.box)
    }
    try snippet("Decodable records of joined and missing columns") {
        struct Partial: Decodable, FetchableRecord {
            var title: String
            var missing: Int?
            var price: Double
        }
        let partial = try Partial.fetchOne(db, Book.filter(key: 3))
        try expect(partial?.title == "Emma" && partial?.missing == nil && partial?.price == 8)
        try expectError((any Error).self) { _ = try Partial.fetchOne(db, Author.all()) }
    }
    try snippet("a record that is decoded by hand, and by its Decodable part") {
        struct Both: Decodable, FetchableRecord {
            var title: String
            var rank: Int
            enum CodingKeys: CodingKey { case title, rank }
        }
        let request = SQLRequest<Both>(
            "SELECT title, ROW_NUMBER() OVER (ORDER BY price) AS rank FROM book ORDER BY rank")
        try expect(try request.fetchAll(db).map(\.rank) == [1, 2, 3, 4, 5])
        let decoder = FetchableRecordDecoder()
        let both = try decoder.decode(Both.self, from: ["title": "x", "rank": 3])
        try expect(both.title == "x" && both.rank == 3)
    }
}
