public import StrongroomEssentials

/// A type that says what the columns of its row are.
///
///     struct Player: EncodableRecord {
///         var name: String
///         var score: Int
///
///         func encode(to container: inout PersistenceContainer) {
///             container["name"] = name
///             container["score"] = score
///         }
///     }
///
/// `Encodable` types get `encode(to:)` ready-made: a column for each coding key. What is no database
/// value itself, such as an array, is stored as JSON. The static members say how.
public protocol EncodableRecord: _KeyEncoding {
    /// Gives the columns their values.
    ///
    /// - Throws: What the type throws; the methods that write the record pass it on.
    func encode(to container: inout PersistenceContainer) throws

    /// What `Encodable` types find in the `userInfo` of their encoder.
    ///
    /// Declare it as exactly this type, or it is not heeded.
    static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { get }

    /// Encodes what is stored as JSON. An encoder of one's own should sort the keys.
    static func databaseJSONEncoder(for column: String) -> JSONEncoder

    /// How `Encodable` types store `Data`; as a blob by default.
    static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy

    /// How `Encodable` types store `Date`; as `YYYY-MM-DD HH:MM:SS.SSS` by default.
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy

    /// How `Encodable` types store `UUID`; as a blob of 16 bytes by default.
    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy

    /// Which column a coding key is; the one of the same name by default.
    static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { get }
}

extension EncodableRecord {
    public static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { [:] }

    public static func databaseJSONEncoder(for column: String) -> JSONEncoder {
        let encoder = String.databaseJSONEncoder()
        encoder.userInfo = databaseEncodingUserInfo.asForJSON
        return encoder
    }

    public static func databaseDataEncodingStrategy(
        for column: String
    ) -> DatabaseDataEncodingStrategy { .deferredToData }

    public static func databaseDateEncodingStrategy(
        for column: String
    ) -> DatabaseDateEncodingStrategy { .deferredToDate }

    public static func databaseUUIDEncodingStrategy(
        for column: String
    ) -> DatabaseUUIDEncodingStrategy { .deferredToUUID }

    public static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
        .useDefaultKeys
    }
}

extension EncodableRecord {
    /// The columns and what they would store.
    ///
    ///     // ["name": "Arthur", "score": 1000]
    ///     try player.databaseDictionary
    ///
    /// - Throws: What encoding the record throws.
    public var databaseDictionary: [String: DatabaseValue] {
        get throws {
            Dictionary(uniqueKeysWithValues: Array(try PersistenceContainer(of: self)))
        }
    }

    /// Whether another record would be stored as the same columns with the same values.
    ///
    /// A record that cannot be encoded equals none.
    ///
    ///     let isUnchanged = player.databaseEquals(Player(name: "Arthur"))
    public func databaseEquals(_ record: Self) -> Bool {
        (try? databaseChanges(from: record).isEmpty) ?? false
    }

    /// The columns whose values differ in another record, with the values there.
    ///
    /// A column that the other record does not have counts as NULL.
    ///
    ///     let old = player
    ///     player.score += 10
    ///     let changes = try player.databaseChanges(from: old)  // ["score": 0]
    ///
    /// - Throws: What encoding the record throws.
    public func databaseChanges(
        from record: some EncodableRecord
    ) throws -> [String: DatabaseValue] {
        try PersistenceContainer(of: self).changes(from: PersistenceContainer(of: record))
    }

    /// Changes the record, and gives the columns whose values are others, with the former values.
    ///
    /// - Throws: What encoding the record throws.
    public mutating func databaseChanges(
        modify: (inout Self) throws -> Void
    ) throws -> [String: DatabaseValue] {
        let former = try PersistenceContainer(of: self)
        try modify(&self)
        return try PersistenceContainer(of: self).changes(from: former)
    }
}
