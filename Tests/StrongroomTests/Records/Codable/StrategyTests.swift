import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// How records choose the form of their columns.
@Suite struct StrategyTests {
    static let date = Date(timeIntervalSince1970: 1_000_000.5)
    static let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!

    /// One column whose strategies are those of the task.
    struct Dated: Codable, Equatable, FetchableRecord, EncodableRecord {
        @TaskLocal static var encoding = DatabaseDateEncodingStrategy.deferredToDate
        @TaskLocal static var decoding = DatabaseDateDecodingStrategy.deferredToDate

        var day: Date
        var other: Date?

        static func databaseDateEncodingStrategy(
            for column: String
        ) -> DatabaseDateEncodingStrategy {
            column == "day" ? encoding : .deferredToDate
        }

        static func databaseDateDecodingStrategy(
            for column: String
        ) -> DatabaseDateDecodingStrategy {
            column == "day" ? decoding : .deferredToDate
        }
    }

    private static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy/MM/dd HH.mm.ss"
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        return formatter
    }

    @Test(.proves("VAL-047", "VAL-054")) func `Dates are stored in every form`() throws {
        let cases: [(DatabaseDateEncodingStrategy, DatabaseValue)] = [
            (.deferredToDate, "1970-01-12 13:46:40.500".databaseValue),
            (.timeIntervalSinceReferenceDate, (1_000_000.5 - 978_307_200).databaseValue),
            (.timeIntervalSince1970, 1_000_000.5.databaseValue),
            (.secondsSince1970, 1_000_000.databaseValue),
            (.millisecondsSince1970, 1_000_000_500.databaseValue),
            (.iso8601, "1970-01-12T13:46:40Z".databaseValue),
            (.formatted(Self.formatter), "1970/01/12 13.46.40".databaseValue),
            (.custom { _ in "x" }, "x".databaseValue), (.custom { _ in nil }, .null),
        ]
        for (strategy, value) in cases {
            let columns = try Dated.$encoding.withValue(strategy) {
                try Dated(day: Self.date, other: Self.date).databaseDictionary
            }
            #expect(columns["day"]?.storage == value.storage)
            #expect(columns["other"] == Self.date.databaseValue)
        }
    }

    @Test(.proves("VAL-048", "VAL-054")) func `Dates are read in every form`() throws {
        let whole = Date(timeIntervalSince1970: 1_000_000)
        let cases: [(DatabaseDateDecodingStrategy, DatabaseValue, Date?)] = [
            (.deferredToDate, "1970-01-12 13:46:40.500".databaseValue, Self.date),
            (
                .timeIntervalSinceReferenceDate, (1_000_000.5 - 978_307_200).databaseValue,
                Self.date
            ),
            (.timeIntervalSince1970, 1_000_000.5.databaseValue, Self.date),
            (.millisecondsSince1970, 1_000_000_500.databaseValue, Self.date),
            (.iso8601, "1970-01-12T13:46:40Z".databaseValue, whole),
            (.iso8601, "1970-01-12T13:46:40.5Z".databaseValue, nil),
            (.formatted(Self.formatter), "1970/01/12 13.46.40".databaseValue, whole),
            (.formatted(Self.formatter), "x".databaseValue, nil),
            (.custom { _ in Self.date }, "x".databaseValue, Self.date),
            (.custom { _ in nil }, "x".databaseValue, nil),
        ]
        for (strategy, value, date) in cases {
            Dated.$decoding.withValue(strategy) {
                let row: Row = ["day": value, "other": nil]
                if let date {
                    #expect((try? Dated(row: row)) == Dated(day: date))
                } else {
                    #expect(throws: RowDecodingError.self) { try Dated(row: row) }
                }
            }
        }
    }

    @Test(.proves("VAL-045", "VAL-046", "VAL-054"))
    func `Data is stored and read in every form`() throws {
        struct Text: Codable, Equatable, FetchableRecord, EncodableRecord {
            var text: Data
            var blob: Data?
            var custom: Data?

            static func databaseDataEncodingStrategy(
                for column: String
            ) -> DatabaseDataEncodingStrategy {
                switch column {
                case "text": .text
                case "custom": .custom { $0.isEmpty ? nil : $0.count }
                default: .deferredToData
                }
            }

            static func databaseDataDecodingStrategy(
                for column: String
            ) -> DatabaseDataDecodingStrategy {
                guard column == "custom" else { return .deferredToData }
                return .custom { Int.fromDatabaseValue($0).map { Data(count: $0) } }
            }
        }
        let record = Text(text: Data("abc".utf8), blob: Data([0xFF]), custom: Data(count: 2))
        let columns = try record.databaseDictionary
        #expect(columns["text"]?.storage == .string("abc"))
        #expect(columns["blob"]?.storage == .blob(Data([0xFF])))
        #expect(columns["custom"]?.storage == .int64(2))
        let row: Row = ["text": "abc", "blob": Data([0xFF]), "custom": 2]
        #expect(try Text(row: row) == record)
        #expect(try Text(text: Data(), custom: Data()).databaseDictionary["custom"] == .null)
        #expect(throws: EncodingError.self) { try Text(text: Data([0xFF])).databaseDictionary }
        #expect(throws: RowDecodingError.self) { try Text(row: ["text": "", "custom": "x"]) }
    }

    struct Keyed: Codable, Equatable, FetchableRecord, MutablePersistableRecord, Identifiable {
        @TaskLocal static var encoding = DatabaseUUIDEncodingStrategy.deferredToUUID
        static let databaseTableName = "keyed"
        var id: UUID

        static func databaseUUIDEncodingStrategy(
            for column: String
        ) -> DatabaseUUIDEncodingStrategy { encoding }
    }

    @Test(.proves("VAL-049", "VAL-051", "VAL-054"))
    func `UUIDs are stored in every form, keys too, and read from all`() throws {
        let upper = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        let cases: [(DatabaseUUIDEncodingStrategy, DatabaseValue)] = [
            (.deferredToUUID, Self.uuid.databaseValue), (.uppercaseString, upper.databaseValue),
            (.lowercaseString, upper.lowercased().databaseValue),
        ]
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        for (strategy, value) in cases {
            try Keyed.$encoding.withValue(strategy) {
                try queue.write { db throws in
                    try db.execute(sql: "CREATE TABLE keyed(id PRIMARY KEY NOT NULL)")
                    let record = try Keyed(id: Self.uuid).inserted(db)
                    #expect(try DatabaseValue.fetchOne(db, sql: "SELECT id FROM keyed") == value)
                    #expect(try Keyed.fetchOne(db, id: Self.uuid) == record)
                    #expect(try Keyed.filter(id: Self.uuid).fetchOne(db) == record)
                    #expect(try Keyed.fetchAll(db, ids: [Self.uuid]) == [record])
                    #expect(try Table<Keyed>("keyed").filter(id: Self.uuid).fetchCount(db) == 1)
                    #expect(try Keyed.exists(db, id: Self.uuid))
                    // Other conditions take the value as it is.
                    let others = try Keyed.filter(Column("id") == Self.uuid).fetchCount(db)
                    #expect(others == (value == Self.uuid.databaseValue ? 1 : 0))
                    guard
                        case RecordError.recordNotFound(_, let key) =
                            Keyed.recordNotFound(db, id: Self.uuid)
                    else { throw DatabaseError(resultCode: .SQLITE_ERROR) }
                    #expect(key == ["id": value])
                    #expect(try Keyed.deleteAll(db, keys: [Self.uuid]) == 1)
                    try db.execute(sql: "DROP TABLE keyed")
                }
            }
        }
    }

    @Test(.proves("VAL-050", "VAL-054")) func `Columns are named in every form`() throws {
        struct Snake: Codable, Equatable, FetchableRecord, EncodableRecord {
            static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
                .convertToSnakeCase
            }
            static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
                .convertFromSnakeCase
            }
            var id = 1
            var firstName = "a"
            var myUrlProperty = 3
            var homeAddress: [Int] = [1]
        }
        struct Urls: Encodable, EncodableRecord {
            static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
                .convertToSnakeCase
            }
            var myURLProperty = 1
            var HTTPPort = 2
            var a1B = 3
        }
        struct Prefixed: Codable, Equatable, FetchableRecord, EncodableRecord {
            static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
                .custom { "_" + $0.stringValue }
            }
            static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
                .custom { AnyKey(String($0.dropFirst())) }
            }
            var name = "a"
            var missing: Int?
        }
        let snake = try PersistenceNames.of(Snake())
        #expect(snake == ["id", "first_name", "my_url_property", "home_address"])
        #expect(try PersistenceNames.of(Urls()) == ["my_url_property", "http_port", "a1_b"])
        #expect(
            try Snake(row: [
                "id": 1, "first_name": "a", "my_url_property": 3, "home_address": "[1]",
            ])
                == Snake())
        #expect(throws: RowDecodingError.self) { try Snake(row: ["id": 1, "firstName": "a"]) }
        #expect(try PersistenceNames.of(Prefixed()) == ["_name", "_missing"])
        #expect(try Prefixed(row: ["_name": "a"]) == Prefixed())
    }

    @Test(.proves("VAL-044", "VAL-052"))
    func `Columns have their own JSON encoders and decoders`() throws {
        struct Values: Codable, Equatable {
            var b = Date(timeIntervalSince1970: 1)
            var a = Data([1])
        }
        struct Noted: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(encoder.userInfo[.note] as? String, forKey: AnyKey("note"))
            }
        }
        struct JSON: Codable, Equatable, FetchableRecord, EncodableRecord {
            var byDefault = Values()
            var inSeconds = Values()

            static func databaseJSONEncoder(for column: String) -> JSONEncoder {
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                if column == "byDefault" { encoder.dateEncodingStrategy = .millisecondsSince1970 }
                if column == "inSeconds" { encoder.dateEncodingStrategy = .secondsSince1970 }
                return encoder
            }

            static func databaseJSONDecoder(for column: String) -> JSONDecoder {
                let decoder = JSONDecoder()
                if column == "byDefault" { decoder.dateDecodingStrategy = .millisecondsSince1970 }
                if column == "inSeconds" { decoder.dateDecodingStrategy = .secondsSince1970 }
                return decoder
            }
        }
        struct Default: Codable, Equatable, FetchableRecord, EncodableRecord {
            var values = Values()
        }
        struct WithInfo: Encodable, EncodableRecord {
            static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { [.note: "hello"] }
            var noted = Noted()
        }
        #expect(
            try Default().databaseDictionary == ["values": #"{"a":"AQ==","b":1000}"#.databaseValue])
        #expect(try Default(row: ["values": #"{"a":"AQ==","b":1000}"#]) == Default())
        let columns: [String: DatabaseValue] = [
            "byDefault": #"{"a":"AQ==","b":1000}"#.databaseValue,
            "inSeconds": #"{"a":"AQ==","b":1}"#.databaseValue,
        ]
        #expect(try JSON().databaseDictionary == columns)
        #expect(
            try JSON(row: Row(columns.mapValues { $0 as (any DatabaseValueConvertible)? }))
                == JSON())
        #expect(
            try WithInfo().databaseDictionary == ["noted": #"{"note":"hello"}"#.databaseValue])
    }
}

/// A record that notes the names of its columns, in their order.
private struct Spy: EncodableRecord {
    let encodeBase: @Sendable (inout PersistenceContainer) throws -> Void
    let names = Locked<[String]>([])

    func encode(to container: inout PersistenceContainer) throws {
        try encodeBase(&container)
        let found = container.map(\.0)
        names.withLock { $0 = found }
    }
}

enum PersistenceNames {
    static func of(_ record: some EncodableRecord & Sendable) throws -> [String] {
        let spy = Spy { try record.encode(to: &$0) }
        _ = try spy.databaseDictionary
        return spy.names.withLock { $0 }
    }
}
