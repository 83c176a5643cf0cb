import Foundation
import Strongroom

struct Coordinate: Equatable {
    var latitude: Double
    var longitude: Double
}

/// A record by hand: one property is two columns.
struct Place {
    var id: Int64?
    var title: String
    var isFavorite: Bool
    var coordinate: Coordinate
}

extension Place: TableRecord {
    enum Columns: String, ColumnExpression {
        case id, title, favorite, latitude, longitude
    }
}

extension Place: FetchableRecord {
    init(row: Row) {
        id = row[Columns.id]
        title = row[Columns.title]
        isFavorite = row[Columns.favorite]
        coordinate = Coordinate(
            latitude: row[Columns.latitude],
            longitude: row[Columns.longitude])
    }
}

extension Place: MutablePersistableRecord {
    func encode(to container: inout PersistenceContainer) {
        container[Columns.id] = id
        container[Columns.title] = title
        container[Columns.favorite] = isFavorite
        container[Columns.latitude] = coordinate.latitude
        container[Columns.longitude] = coordinate.longitude
    }

    // GRDB 4: mutating func didInsert(with rowID: Int64, for column: String?)
    mutating func didInsert(_ inserted: InsertionSuccess) {
        id = inserted.rowID
    }
}

/// The same table, read by the numbers of the columns.
struct QuickPlace: TableRecord, FetchableRecord {
    static let databaseTableName = "place"
    // GRDB 4: static let databaseSelection: [SQLSelectable]
    static var databaseSelection: [SQLSelectable] {
        [Place.Columns.title, Place.Columns.latitude, Column.rowID]
    }

    var title: String
    var latitude: Double
    var rowID: Int64

    init(row: Row) {
        title = row[0]
        latitude = row[1]
        rowID = row[2]
    }
}

enum Color: Int, DatabaseValueConvertible, Codable {
    case red, white, rose
}

enum Grape: String, DatabaseValueConvertible, Codable {
    case chardonnay, merlot, riesling
}

/// A record with a class, a URL, and colors as numbers.
class Wine: Record {
    var id: Int64?
    var name: String
    var grape: Grape?
    var color: Color
    var price: Double
    var url: URL?
    var picture: Data?

    init(name: String, grape: Grape?, color: Color, price: Double, url: URL? = nil) {
        self.name = name
        self.grape = grape
        self.color = color
        self.price = price
        self.url = url
        super.init()
    }

    override class var databaseTableName: String {
        return "wine"
    }

    enum Columns: String, ColumnExpression {
        case id, name, grape, color, price, url, picture
    }

    required init(row: Row) throws {
        id = row[Columns.id]
        name = row[Columns.name]
        grape = row[Columns.grape]
        color = row[Columns.color]
        price = row[Columns.price]
        url = row[Columns.url]
        picture = row[Columns.picture]
        try super.init(row: row)
    }

    override func encode(to container: inout PersistenceContainer) throws {
        container[Columns.id] = id
        container[Columns.name] = name
        container[Columns.grape] = grape
        container[Columns.color] = color
        container[Columns.price] = price
        container[Columns.url] = url
        container[Columns.picture] = picture
    }

    override func didInsert(_ inserted: InsertionSuccess) {
        super.didInsert(inserted)
        id = inserted.rowID
    }
}

struct Achievement: Codable, Equatable {
    var name: String
    var color: Color
}

struct Team: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String
    var color: Color
}

let decoderName = CodingUserInfoKey(rawValue: "decoderName")!

/// A Codable record, with an array that is JSON.
struct Player: Codable, Equatable {
    var id: Int64?
    var name: String
    var email: String?
    var score: Int
    var bonus: Int = 0
    var teamId: Int64?
    var creationDate: Date
    var achievements: [Achievement] = []
}

extension Team {
    static let players = hasMany(Player.self)
}

extension Player: FetchableRecord, MutablePersistableRecord {
    static let team = belongsTo(Team.self)

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let name = Column(CodingKeys.name)
        static let email = Column(CodingKeys.email)
        static let score = Column(CodingKeys.score)
        static let bonus = Column(CodingKeys.bonus)
        static let teamId = Column(CodingKeys.teamId)
    }

    // GRDB 4: static let databaseDateEncodingStrategy, databaseDateDecodingStrategy
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .secondsSince1970
    }

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSince1970
    }

    mutating func didInsert(_ inserted: InsertionSuccess) {
        id = inserted.rowID
    }
}

/// A player with the team's row beside, split by adapters.
struct PlayerInfo: Decodable, FetchableRecord {
    var player: Player
    var team: Team?
    var maxScore: Int
}

extension PlayerInfo {
    static func all() -> AdaptedFetchRequest<SQLRequest<PlayerInfo>> {
        // GRDB 4: \(Player.selectionSQL())
        let literal: SQL = """
            SELECT \(columnsOf: Player.self), \(columnsOf: Team.self),
                MAX(round.score) AS maxScore
            FROM player
            LEFT JOIN team ON team.id = player.teamId
            LEFT JOIN round ON round.playerId = player.id
            GROUP BY player.id ORDER BY player.id
            """
        return SQLRequest<PlayerInfo>(literal: literal).adapted { db in
            let adapters = try splittingRowAdapters(columnCounts: [
                Player.numberOfSelectedColumns(db),
                Team.numberOfSelectedColumns(db),
            ])
            return ScopeAdapter([
                CodingKeys.player.stringValue: adapters[0],
                CodingKeys.team.stringValue: adapters[1],
            ])
        }
    }
}

struct Citizenship: Codable, FetchableRecord, PersistableRecord {
    static let persistenceConflictPolicy = PersistenceConflictPolicy(
        insert: .replace, update: .replace)
    var citizenId: Int64
    var countryCode: String
}

struct Country: Codable, FetchableRecord, PersistableRecord {
    var isoCode: String
    var name: String
}

struct ValidationError: Error {
    var message: String
}

/// A record that checks itself before it is written.
struct Link: PersistableRecord, FetchableRecord {
    var url: URL
    var isVerified: Bool

    init(url: URL, isVerified: Bool) {
        self.url = url
        self.isVerified = isVerified
    }

    init(row: Row) {
        url = row["url"]
        isVerified = row["verified"]
    }

    func encode(to container: inout PersistenceContainer) {
        container["url"] = url
        container["verified"] = isVerified
    }

    // GRDB 4: func insert(_ db: Database), which calls performInsert
    func willSave(_ db: Database) throws {
        if url.host == nil { throw ValidationError(message: "url must be absolute.") }
    }
}
