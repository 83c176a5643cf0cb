import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Code that compiles with GRDB, and did not here.
@Suite struct GRDBNamesTests {
    struct Team: TableRecord, FetchableRecord, Codable {
        static let players = hasMany(Player.self)
        var id: Int64
    }

    struct Player: TableRecord, FetchableRecord, MutablePersistableRecord, Codable {
        enum Columns {
            static let id = Column(CodingKeys.id)
            static let name = Column(CodingKeys.name)
            static let info = JSONColumn(CodingKeys.info)
            static let byName = Column(CodingKeys.name).desc
            static let shown = Column(CodingKeys.name).forKey("shown")
        }
        var id: Int64?
        var teamId: Int64?
        var name: String
        var info: String
    }

    enum Chosen: RawRepresentable, SQLSelectable, SQLOrderingTerm {
        case name

        init?(rawValue: Column) { nil }
        var rawValue: Column { Column("name") }
    }

    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE team (id INTEGER PRIMARY KEY);
                    CREATE TABLE player (
                        id INTEGER PRIMARY KEY, teamId INTEGER REFERENCES team, name TEXT UNIQUE, info);
                    INSERT INTO team VALUES (1), (2);
                    INSERT INTO player VALUES (1, 1, 'Arthur', '{"k":7}'), (2, 1, 'Barbara', '{}');
                    """)
        }
    }

    @Test(.proves("CMP-02"))
    func `An alias has what the columns have`() throws {
        let player = TableAlias<Player>()
        let request = Player.aliased(player)
            .filter(player.info["k"] == 7 && player[JSONColumn("info")]["k"] == 7)
            .order(player.byName)
            .select(player.shown, player[Player.Columns.shown], player.name)
        let row = try queue.read { try Row.fetchOne($0, request) }
        #expect(row?.columnNames.elementsEqual(["shown", "shown", "name"]) == true)
        #expect(row?["shown"] == "Arthur")
    }

    @Test(.proves("CMP-08"))
    func `A value that may be nil can stand on the left`() throws {
        let none: (any SQLExpressible)? = nil
        let one: (any SQLExpressible)? = 2
        try queue.read { db throws in
            let count = Team.players.count
            #expect(try Team.having(nil == count).fetchCount(db) == 0)
            #expect(try Team.having(nil != count).fetchCount(db) == 2)
            #expect(try Team.having(nil === count).fetchCount(db) == 0)
            #expect(try Team.having(nil !== count).fetchCount(db) == 2)
            #expect(try Team.having(one == count).fetchCount(db) == 1)
            let id = Column("teamId")
            #expect(try Player.filter(none === id).fetchCount(db) == 0)
            #expect(try Player.filter(one !== id).fetchCount(db) == 2)
        }
    }

    @Test(.proves("CMP-09"))
    func `Smaller things of GRDB are there`() throws {
        func stable(_ request: some OrderedRequest) -> some OrderedRequest {
            request.withStableOrder()
        }
        let date = Date(timeIntervalSince1970: 5)
        var configuration = Configuration()
        configuration.transactionClock = CustomTransactionClock { _ in date }
        try DatabaseQueue(configuration: configuration).inDatabase { db throws in
            #expect(try db.transactionDate == date)
        }
        final class NotSendable { var count = 0 }
        let counter = NotSendable()
        _ = ValueObservation.tracking { _ in 1 }.removeDuplicates { [counter] in
            counter.count += 1
            return $0 == $1
        }
        let (text, selection): (Substring, (any SQLSelectable)?) = ("xArthur".dropFirst(), nil)
        try queue.read { db throws in
            let request: SQLRequest<Int> = "SELECT COUNT(*) FROM player WHERE name = \(text)"
            #expect(try request.fetchOne(db) == 1)
            let nothing: SQLRequest<Row> = "SELECT \(selection)"
            #expect(try nothing.fetchOne(db)?.hasNull(atIndex: 0) == true)
            let names = try String.fetchAll(
                db, Player.select(Chosen.name).order(Chosen.name))
            #expect(names == ["Arthur", "Barbara"])
        }
        _ = stable(Player.all())
    }

    @Test(.proves("CMP-11"))
    func `An upsert updates what it is told to`() throws {
        try queue.write { db throws in
            var player = Player(id: nil, teamId: 2, name: "Arthur", info: "new")
            let kept = try player.upsertAndFetch(
                db, onConflict: ["name"], updating: .noColumnUnlessSpecified)
            #expect(kept.teamId == 1 && kept.info == "{\"k\":7}")
            let some = try player.upsertAndFetch(
                db, onConflict: ["name"], updating: .noColumnUnlessSpecified
            ) { [Column("info").set(to: $0["info"])] }
            #expect(some.teamId == 1 && some.info == "new")
            #expect(try player.upsertAndFetch(db, onConflict: ["name"]).teamId == 2)
        }
    }

    @Test(.proves("CMP-11"))
    func `SQLCipher says what it is, and logs where it is told to`() async {
        // The log is that of the process.
        await #expect(processExitsWith: .success) {
            let fixture = try FixtureDatabase()
            let log = fixture.path + ".log"
            try fixture.open().writeWithoutTransaction { db throws in
                let isRight =
                    try db.cipherVersion?.hasPrefix("4.") == true
                    && db.cipherProvider != nil && db.cipherProviderVersion != nil
                    && db.cipherFipsStatus == "0"
                guard isRight else { throw CancellationError() }
                try db.applySQLCipherLicense("it's none")
                // At `.trace` SQLCipher 4.19.0 crashes.
                try db.enableCipherLogging(logLevel: .debug, target: .file(log))
                try db.execute(sql: "CREATE TABLE t (a)")
            }
            // A key is what it logs.
            try fixture.open().read { _ in }
            guard try !String(contentsOfFile: log, encoding: .utf8).isEmpty else {
                throw CancellationError()
            }
            try fixture.open().write { db throws in
                try db.disableCipherLogging()
                try FileManager.default.removeItem(atPath: log)
                try db.execute(sql: "INSERT INTO t VALUES (1)")
            }
            if FileManager.default.fileExists(atPath: log) { throw CancellationError() }
        }
    }
}
