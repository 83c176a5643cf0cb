// The lines of a program that was written for records, and of one that is written for tables.

extension RecordTests {
    static let declarations = #"""
        @Table struct Player: Codable, FetchableRecord, PersistableRecord, Identifiable, Hashable {
            static let databaseTableName = "player"
            enum Columns {
                static let id = Column(CodingKeys.id)
                static let name = Column(CodingKeys.name)
                static let score = Column(CodingKeys.score)
                static let teamId = Column(CodingKeys.teamId)
            }
            var id: Int64
            var name: String
            var score: Int
            var teamId: Int64?
            static let team = belongsTo(Team.self)
            var team: QueryInterfaceRequest<Team> { request(for: Player.team) }
        }
        @Table struct Team: Codable, FetchableRecord, MutablePersistableRecord, Identifiable {
            static let databaseTableName = "team"
            var id: Int64?
            var name: String
            static let players = hasMany(Player.self)
            mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
        }
        extension DerivableRequest<Player> {
            func orderedByName() -> Self { order(Player.Columns.name.collating(.localizedCaseInsensitiveCompare)) }
            func best() -> Self { order(Player.Columns.score.desc) }
        }
        struct PlayerInfo: Decodable, FetchableRecord { var player: Player; var team: Team? }

        """#

    static let oldLines = #"""
        func old(_ db: Database) throws {
            let players = try Player.fetchAll(db)
            let p: [Player] = players
            let one = try Player.fetchOne(db)
            let o: Player? = one
            let s = try Player.fetchSet(db)
            let s2: Set<Player> = s
            let c = try Player.fetchCursor(db)
            while let x = try c.next() { let y: Player = x; _ = y }
            let n = try Player.fetchCount(db)
            let n2: Int = n
            _ = try Player.fetchOne(db, key: 1)
            _ = try Player.fetchOne(db, id: 1)
            _ = try Player.find(db, key: 1)
            _ = try Player.find(db, id: 1)
            _ = try Player.exists(db, key: 1)
            _ = try Player.exists(db, id: 1)
            _ = try Player.fetchAll(db, ids: [1, 2])
            _ = try Player.fetchAll(db, keys: [1, 2])
            _ = try Player.fetchAll(db, sql: "SELECT * FROM player")
            let r1 = Player.filter(Player.Columns.name == "x")
            let r2 = Player.filter { $0.name == "x" }
            let r3: QueryInterfaceRequest<Player> = Player.all()
            let r4 = Player.order(Player.Columns.score.desc)
            let r5: QueryInterfaceRequest<Player> = Player.limit(1)
            let r6 = Player.limit(1, offset: 2)
            let r7 = Player.select(Player.Columns.name, as: String.self)
            let r8 = Player.select { $0.name }
            let r9 = Player.including(required: Player.team).asRequest(of: PlayerInfo.self)
            let r10: QueryInterfaceRequest<Player> = Player.none()
            let r11 = Player.filter(id: 1)
            let r12 = Player.filter(ids: [1])
            let r13 = Player.filter(key: 1)
            let r14 = Player.filter(sql: "name = 'x'")
            let r15 = Player.annotated(with: Player.Columns.score + 1)
            let r16 = Player.joining(optional: Player.team).filter(Column("x") == 1)
            let r17 = Player.order { $0.score.desc }
            let r18 = Player.orderByPrimaryKey()
            let r19 = Player.select([Player.Columns.name])
            let r20 = Player.select(max(Player.Columns.score), as: Int.self)
            let r21 = Player.matching(FTS3Pattern(matchingAnyTokenIn: "x"))
            let r22 = Player.having { _ in true }
            _ = [r1, r3, r4, r6, r11, r12, r13, r14, r16, r18, r19, r21] as [Any]
            _ = (r2, r5, r7, r8, r9, r10, r15, r17, r20, r22)
            try r1.updateAll(db, Player.Columns.score.set(to: 1))
            try Player.updateAll(db, Player.Columns.score += 1)
            try Player.updateAll(db) { [$0.score.set(to: 2)] }
            try Player.filter(id: 1).deleteAll(db)
            try Player.deleteAll(db)
            try Player.deleteOne(db, key: 1)
            try Player.deleteOne(db, id: 1)
            try Player.deleteAll(db, ids: [1])
            let best = try Player.all().best().orderedByName().fetchAll(db)
            _ = best
            var player = Player(id: 1, name: "a", score: 1, teamId: nil)
            try player.insert(db)
            try player.save(db)
            try player.update(db)
            try player.upsert(db)
            try player.delete(db)
            try player.updateChanges(db) { $0.score = 2 }
            var team = Team(id: nil, name: "a")
            try team.insert(db)
            let inserted = try Team(id: nil, name: "b").inserted(db)
            _ = inserted
            _ = try team.request(for: Team.players).fetchAll(db)
            _ = try player.team.fetchOne(db)
            _ = (p, o, s2, n2)
            let obs = ValueObservation.tracking { try Player.fetchAll($0) }
            let obs2 = ValueObservation.tracking { db in try Player.order(Player.Columns.score.desc).limit(3).fetchAll(db) }
            let obs3 = ValueObservation.tracking(Player.fetchAll)
            let obs4 = ValueObservation.tracking(Player.all().fetchAll)
            _ = (obs, obs2, obs3, obs4)
            _ = try Player.fetchCount(db) == 0
            let scores = try Player.select(Player.Columns.score, as: Int.self).fetchAll(db)
            let total: Int = scores.reduce(0, +)
            _ = total
            let names = try String.fetchAll(db, Player.select(Player.Columns.name))
            _ = names
            _ = try Player.all().isEmpty(db)
            _ = try Player.filter { $0.name == "x" }.fetchOne(db)
            _ = try Player.orderByPrimaryKey().fetchAll(db)
            if try Player.fetchCount(db) > 0 {}
            for player in try Player.fetchAll(db) { print(player.name) }
            let arr = try [Player].init(Player.fetchCursor(db))
            _ = arr
        }

        """#

    static let newLines = #"""
        func new(_ db: Database) throws {
            let a: [Player] = try Player.where { $0.name.eq("x") }.fetchAll(db)
            _ = try Player.find(1).fetchOne(db)
            _ = try Player.all.fetchAll(db)
            _ = try Player.where { $0.score > 1 && $0.teamId.is(nil) }.order(by: \.name).limit(3).fetchAll(db)
            _ = try Player.order { ($0.score.desc(), $0.name) }.fetchAll(db)
            _ = try Player.order(by: \.name).fetchAll(db)
            _ = try Player.select { ($0.id, $0.name) }.fetchAll(db)
            _ = try Player.select { $0.name }.fetchAll(db)
            _ = try Player.select(\.name).fetchAll(db)
            _ = try Player.limit(1).fetchAll(db)
            _ = try Player.join(Team.all) { $0.teamId.eq($1.id) }.fetchAll(db)
            _ = try Player.leftJoin(Team.all) { $0.teamId.eq($1.id) }.select { ($0.name, $1.name) }.fetchAll(db)
            try Player.insert { Player(id: 1, name: "a", score: 1) }.execute(db)
            try Player.insert { Player.Draft(name: "a", score: 1) }.execute(db)
            try Player.upsert { Player.Draft(name: "a", score: 1) }.execute(db)
            try Player.update { $0.score += 1 }.where { $0.id.eq(1) }.execute(db)
            try Player.find(1).update { $0.name = "x" }.execute(db)
            try Player.find(1).delete().execute(db)
            try Player.delete(a[0]).execute(db)
            try Player.update(a[0]).execute(db)
            try Player.delete().execute(db)
            _ = try Player.count().fetchOne(db)
            _ = try Player.group(by: \.teamId).select { ($0.teamId, $0.id.count()) }.fetchAll(db)
            _ = try Player.distinct().fetchAll(db)
            _ = Player.none
            _ = Player.unscoped
            _ = try Player.having { $0.id.count() > 1 }.fetchAll(db)
            _ = Player.Columns.name
            _ = Player.Selection(id: Int64(1), name: "x", score: 1)
            _ = Player.columns.name
        }

        """#
}
