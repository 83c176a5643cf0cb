import Foundation
import Strongroom

// Records and requests.

func makePlayers(_ dbQueue: DatabaseQueue) throws {
    try dbQueue.write { db in
        try Team(id: 1, name: "Reds", color: .red).insert(db)
        try Team(id: 2, name: "Whites", color: .white).insert(db)
        let gold = Achievement(name: "Use Codable Records", color: .red)
        let players = [
            Player(
                name: "Arthur", email: "arthur@example.com", score: 100, teamId: 1,
                creationDate: Date(timeIntervalSince1970: 1_000), achievements: [gold]),
            Player(
                name: "Barbara", score: 750, teamId: 1, creationDate: Date(timeIntervalSince1970: 0)
            ),
            Player(name: "Craig", score: 300, creationDate: Date(timeIntervalSince1970: 0)),
        ]
        for var player in players { try player.insert(db) }
        try check(
            try String.fetchOne(db, sql: "SELECT achievements FROM player")
                == "[{\"color\":0,\"name\":\"Use Codable Records\"}]",
            "JSON")
        try check(try Int.fetchOne(db, sql: "SELECT creationDate FROM player") == 1_000, "seconds")
        try db.execute(sql: "INSERT INTO round VALUES (1, 5), (1, 9), (2, 7), (3, 1)")
        for (code, name) in [("FR", "France"), ("US", "United States"), ("ES", "españa")] {
            try Country(isoCode: code, name: name).insert(db)
        }
        try Citizenship(citizenId: 1, countryCode: "FR").insert(db)
        try Citizenship(citizenId: 1, countryCode: "FR").insert(db)
        try db.execute(sql: "INSERT INTO document VALUES ('SQLite', 'a database')")
    }
}

func useKeys(_ db: Database) throws {
    try check(try Player.fetchOne(db, key: 1)?.achievements.count == 1, "by id")
    try check(try Player.fetchAll(db, keys: [1, 2, 9]).count == 2, "by ids")
    try check(try Player.fetchOne(db, key: ["email": "ARTHUR@example.com"])?.id == 1, "by email")
    try check(try Country.fetchAll(db, keys: ["FR", "US"]).count == 2, "by codes")
    try check(try Citizenship.fetchCount(db) == 1, "replaced")
    let key: [String: any DatabaseValueConvertible] = ["citizenId": 1, "countryCode": "FR"]
    try check(try Citizenship.filter(key: key).fetchOne(db) != nil, "by two columns")
    let title = try String.fetchOne(db, Table("document").filter(key: 1).select(Column("title")))
    try check(title == "SQLite", "by rowid")
    let names = try Country.order(Column("name")).fetchAll(db).map { $0.isoCode }
    try check(names == ["ES", "FR", "US"], "collated: \(names)")
}

func useRequests(_ db: Database) throws {
    let request = Player.filter(Player.Columns.email != nil).order(Player.Columns.name)
    try check(try request.fetchCount(db) == 1 && request.fetchAll(db)[0].name == "Arthur", "filter")
    let chained = Player.filter(Player.Columns.name != nil).order(Player.Columns.name).reversed()
        .order(Player.Columns.score).limit(20, offset: 40).limit(1)
    try check(try chained.fetchOne(db)?.name == "Arthur", "what replaces what")
    let days = Player.select(sql: "DATE(creationDate, 'unixepoch'), COUNT(*)")
        .filter(sql: "score > ?", arguments: [50]).group(sql: "DATE(creationDate, 'unixepoch')")
    let row = try Row.fetchOne(db, days)
    try check(row?[0] == "1970-01-01" && row?[1] == 3, "groups: \(row as Any)")
    let range = Player.select(min(Player.Columns.score), max(Player.Columns.score))
    let scores = try Row.fetchOne(db, range)!
    try check(scores[0] as Int? == 100 && scores[1] as Int? == 750, "the range")
    let best = try Player.select(max(Player.Columns.score), as: Int.self).fetchOne(db)
    try check(best == 750, "the best")
    try check(try Player.select(Column("teamId")).distinct().fetchCount(db) == 2, "teams, one NULL")
    let all = SQLRequest<Player>(sql: "SELECT * FROM player WHERE score > ?", arguments: [200])
    try check(try all.fetchAll(db).count == 2, "a request of SQL")

    // GRDB 4: SQLRequest(db, request: request).sql
    let shown = try request.makePreparedRequest(db, forSingleResult: false).statement
    try check(
        shown.sql == "SELECT * FROM \"player\" WHERE \"email\" IS NOT NULL ORDER BY \"name\"",
        shown.sql)
    let infos = try PlayerInfo.all().fetchAll(db)
    try check(infos.map { $0.maxScore } == [9, 7, 1], "scores: \(infos)")
    try check(infos[0].team?.name == "Reds" && infos[2].team == nil, "teams")
}

func changePlayers(_ db: Database) throws {
    let score = Player.Columns.score
    try check(try Player.filter(Column("teamId") == 1).updateAll(db, score += 10) == 2, "updates")
    try Player.updateAll(
        db, Player.Columns.bonus.set(to: 5), score.set(to: score + Column("bonus") * 2))
    try check(
        try Player.order(Column("id")).fetchAll(db).map { $0.score } == [110, 760, 300], "sums")
    try Player.order(score.desc).limit(1).updateAll(db, onConflict: .ignore, score.set(to: 0))
    try check(try Player.filter(score == 0).fetchOne(db)?.name == "Barbara", "the first alone")
    if var player = try Player.fetchOne(db, key: 1) {
        let old = player
        let isChanged = try player.updateChanges(db) { $0.score = 1000 }
        try check(isChanged && !player.databaseEquals(old), "a change")
        // GRDB 4: databaseChanges(from:) does not throw
        let changes = try player.databaseChanges(from: old)
        try check(changes == ["score": 110.databaseValue], "changes: \(changes)")
    }
    try check(try Player.deleteOne(db, key: ["email": "arthur@example.com"]) == false, "is cited")
}

func useErrors(_ db: Database) throws {
    do {
        try db.execute(
            sql: "INSERT INTO player (name, score, teamId) VALUES (?, 0, ?)",
            arguments: ["Bob", 99])
        throw Wrong(what: "a team that is not there")
    } catch let error as DatabaseError
        where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY
    {
        try check(error.resultCode == .SQLITE_CONSTRAINT, "the code")
        try check(error.message == "FOREIGN KEY constraint failed", "\(error)")
        try check(error.sql?.hasPrefix("INSERT INTO player") == true, "the statement")
    }
    do {
        try Player(id: 99, name: "", score: 0, creationDate: Date()).update(db)
        throw Wrong(what: "updated nobody")
    } catch PersistenceError.recordNotFound(databaseTableName: let table, key: let key) {
        try check(table == "player" && key == ["id": 99.databaseValue], "the key")
    }
    do {
        try Link(url: URL(string: "relative")!, isVerified: true).insert(db)
        throw Wrong(what: "a relative link")
    } catch is ValidationError {}
    let url = URL(string: "https://example.com/a")!
    try Link(url: url, isVerified: false).insert(db)
    let link = try Link.filter(Column("url") == url).fetchOne(db)
    try check(link?.url == url && link?.isVerified == false, "a link")
}

func useWines(_ db: Database) throws {
    let wine = Wine(
        name: "Montrachet", grape: .chardonnay, color: .white, price: 80,
        url: URL(string: "https://example.com/montrachet"))
    try check(wine.hasDatabaseChanges, "a new wine")
    try wine.insert(db)
    try check(!wine.hasDatabaseChanges, "saved")
    wine.price = 100
    try check(wine.databaseChanges == ["price": 80.0.databaseValue], "the old price")
    try check(try wine.updateChanges(db) && !wine.updateChanges(db), "updated once")
    try Wine(name: "Montrachet", grape: nil, color: .white, price: 1).insert(db)
    try check(try Wine.fetchCount(db) == 1, "replaced")
    try Wine.filter(Wine.Columns.color == Color.white).updateAll(db, Wine.Columns.price *= 0.5)
    let read = try Wine.filter(sql: "color = ?", arguments: [Color.white]).fetchOne(db)
    try check(read?.price == 0.5 && read?.grape == nil && read?.url == nil, "wine: \(read as Any)")
    read?.picture = Data([1, 2, 3])
    try read?.save(db)
    // GRDB 4: row.dataNoCopy(named: "picture")
    try Row.fetchOne(db, sql: "SELECT picture FROM wine")?.withUnsafeData(named: "picture") {
        data in
        try check(data == Data([1, 2, 3]), "the picture")
    }
    try check(try read?.delete(db) == true, "deleted")
}
