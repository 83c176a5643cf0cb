import Foundation
import Strongroom

// Requests and records, whose closures run at once or when the request meets a connection.

extension Caller {
    func query() throws {
        let (limit, name) = (seen, "R")
        let request = Team.filter { $0.id > limit }.select { [$0.id, $0.name] }
            .order { $0.name.desc }
            .annotated { $0.id.forKey("number") }
            .filterWhenConnected { _ in Column("name") != name }
            .orderWhenConnected { _ in [Column("name")] }
        let grouped = Player.select { $0.name }
            .group { $0.name }.having { $0.score >= 0 }
            .groupWhenConnected { _ in [Column("name")] }
            .havingWhenConnected { _ in Column("name") != "" }
            .selectWhenConnected { _ in [Column("name")] }
            .annotatedWhenConnected { _ in [Column("name").forKey("other")] }
        let joined = Player.including(
            required: Player.team.filter { $0.name != name }.order { $0.name })
        let aggregates = Team.annotated(with: Team.players.max { $0.score })
            .annotated(with: Team.players.min { $0.score }, Team.players.sum { $0.score })
            .annotated(with: Team.players.average { $0.score }, Team.players.total { $0.score })
        let table = CommonTableExpression<Row>(named: "best", request: Player.all())
        let best = Player.with(table).joining(
            required: Player.association(to: table) { left, right in
                left[Column("id")] == right[Column("id")]
            })
        let adapted = Team.all().adapted { _ in SuffixRowAdapter(fromIndex: 0) }
        try pool.read { db in
            seen += try request.fetchCount(db) + Row.fetchAll(db, grouped).count
            seen += try joined.fetchAll(db).count + aggregates.fetchAll(db).count
            seen += try best.fetchAll(db).count + adapted.fetchAll(db).count
            seen += try Team.fetchSet(db).count
            _ = try Team.fetchOne(db, key: 1)
            _ = try Team.exists(db, key: ["id": 1])
            _ = try Team.filter(key: ["id": 1]).fetchCursor(db).next()
            _ = Team.recordNotFound(key: ["id": 1])
        }
    }

    func write() throws {
        try pool.write { db in
            try Team.deleteAll(db)
            try Team(id: 1, name: "Red").insert(db)
            var player = Player(teamId: 1, name: "Arthur")
            let number = try player.insertAndFetch(db, fetch: { try Int.fetchOne($0) }) {
                [$0.id]
            }
            try player.updateChanges(db) { $0.score = seen }
            _ = try player.updateChangesAndFetch(db) { $0.score += 1 }
            _ = try player.databaseChanges { $0.score += 1 }
            try player.update(db) { [$0.name] }
            _ = try player.updateAndFetch(db, fetch: { try Row.fetchOne($0) }) { [$0.name] }
            _ = try player.saveAndFetch(db, fetch: { try Row.fetchOne($0) }) { [$0.name] }
            _ = try player.upsertAndFetch(db, onConflict: ["id"]) { excluded in
                [Column("name").set(to: excluded[Column("name")])]
            }
            try Player.updateAll(db) { $0.score.set(to: 1) }
            try Player.filter { $0.score > 0 }.updateAll(db) { [$0.score += 1] }
            let all = Player.all()
            _ = try all.updateAndFetchAll(db) { [$0.score += 1] }
            _ = try all.updateAndFetchSet(db) { [$0.score += 1] }
            _ = try all.updateAndFetchCursor(db) { [$0.score += 1] }.next()
            _ = try all.updateAndFetchStatement(db) {
                [$0.score += 1]
            } select: {
                [$0.id]
            }
            _ = try all.deleteAndFetchStatement(db) { [$0.id] }
            _ = try db.withSchemaSource(nil) { try Player.fetchCount(db) }
            try Team.deleteOne(db, key: ["id": 9])
            _ = try Team.find(db, key: ["id": 1])
            seen += number == nil ? 0 : 1
        }
    }

    func iterate() throws {
        try pool.read { db in
            func names() throws -> RecordCursor<Team> { try Team.fetchCursor(db) }
            try names().forEach { _ in seen += 1 }
            let numbers = try names().map { $0.id }.filter { $0 > 0 }.compactMap { Int($0) }
            let chained = numbers.drop { $0 < 0 }.prefix { $0 > 0 }.flatMap { [$0] }
            while let number = try chained.next() { seen += number }
            _ = try names().contains { $0.id == 1 }
            _ = try names().first { $0.id == 1 }
            _ = try names().min { $0.id < $1.id }
            _ = try names().max { $0.id < $1.id }
            seen += try names().reduce(0) { count, _ in count + 1 }
            _ = try names().reduce(into: 0) { count, _ in count += 1 }
            _ = try Dictionary(grouping: names()) { $0.name }
            let row = try Row.fetchCursor(db, sql: "SELECT x'00' AS a").next()
            try row?.withUnsafeData(named: "a") { seen += $0?.count ?? 0 }
            _ = try Row.fetchOne(
                db, sql: "SELECT 1 AS a", adapter: RenameColumnAdapter { "b" + $0 })
        }
    }

    func erase() throws {
        var numbers = 3
        let counted = AnyCursor {
            numbers -= 1
            return numbers > 0 ? numbers : nil
        }
        seen += try counted.reduce(0, +)
        let cancellable = AnyDatabaseCancellable(cancel: {})
        cancellable.cancel()
        let region = AnyDatabaseRegionConvertible { try Team.all().databaseRegion($0) }
        _ = try pool.read { try region.databaseRegion($0) }
    }

    func configure() throws {
        var configuration = Configuration()
        configuration.transactionClock = .custom { _ in .now }
        configuration.transactionClock = CustomTransactionClock { _ in .now }
        let function = DatabaseFunction("twice", argumentCount: 1) { values in
            Int.fromDatabaseValue(values[0]).map { $0 * 2 }
        }
        let bytes = DatabaseFunction.reading("length8", argumentCount: 1) { values in
            let count = values.withUTF8(at: 0) { $0.count }
            return count ?? values.withUnsafeBytes(at: 0) { $0.count }
        }
        let collation = DatabaseCollation("reversed") { $1.compare($0) }
        configuration.prepareDatabase { db in
            db.add(function: function)
            db.add(function: bytes)
            db.add(collation: collation)
            db.add(tokenizer: LongWordTokenizer.self)
        }
        try DatabaseQueue(configuration: configuration).write { db in
            try db.create(virtualTable: "words", using: FTS5()) { table in
                table.tokenizer = LongWordTokenizer.tokenizerDescriptor()
                table.column("text")
            }
            try db.execute(sql: "INSERT INTO words VALUES ('to be')")
            seen += try Int.fetchOne(db, sql: "SELECT twice(21) + length8('abc')") ?? 0
        }
    }
}
