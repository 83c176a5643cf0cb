import Dispatch
import Foundation
import Strongroom

/// What the app found to be other than it should be.
struct Wrong: Error {
    var what: String
}

func check(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
    if !isRight { throw Wrong(what: what()) }
}

/// Uses the app, section by section of the manual.
func runAtlas(in folder: String, passphrase: String) throws {
    let traced = Lines()
    var config = Configuration()
    config.foreignKeysEnabled = true
    config.label = "Atlas"
    // GRDB 4: config.trace = { … }, config.prepareDatabase = { … }
    config.prepareDatabase { db in
        try db.usePassphrase(passphrase)
        db.trace { traced.append($0.expandedDescription) }
        // GRDB 4: dbQueue.add(function:)
        for function in [reverse, averageOf, checkedRoot, maxLength] { db.add(function: function) }
    }
    let dbQueue = try DatabaseQueue(path: folder + "/atlas.sqlite", configuration: config)
    try makeMigrator().migrate(dbQueue)
    try makePlaces(dbQueue)
    try makePlayers(dbQueue)
    try dbQueue.write { db in
        try readRows(db)
        try useAdapters(db)
        try useStatements(db)
        try useFunctions(db)
        try inspect(db)
        try useKeys(db)
        try useRequests(db)
        try useErrors(db)
        try useWines(db)
    }
    try check(
        traced.all.contains { $0.hasPrefix("INSERT INTO \"wine\"") && $0.contains("'Montrachet'") },
        "the trace has the values")
    try useTransactions(dbQueue)
    try observe(dbQueue)
    do {
        try dbQueue.write(changePlayers)
        throw Wrong(what: "a cited player was deleted")
    } catch let error as DatabaseError {
        try check(error.resultCode == .SQLITE_CONSTRAINT, "\(error)")
    }
    try useMigrations(in: folder)
    try usePool(in: folder, passphrase)
    try moveToCipher(in: folder, passphrase)
    try dbQueue.write { db in try db.changePassphrase("newSecret") }
    try check(try dbQueue.read { try Place.fetchCount($0) } == 3, "places with the new key")
    dbQueue.releaseMemory()
    try dbQueue.close()
}

/// Lines that several threads write.
// Safety: the lock guards the lines.
final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    private let arrived = DispatchSemaphore(value: 0)

    var all: [String] {
        lock.lock()
        defer { lock.unlock() }
        return lines
    }

    func append(_ line: String) {
        lock.lock()
        lines.append(line)
        lock.unlock()
        arrived.signal()
    }

    /// Waits until there are so many.
    func wait(for count: Int) throws -> [String] {
        while all.count < count {
            try check(arrived.wait(timeout: .now() + 30) == .success, "lines: \(all)")
        }
        return all
    }
}

/// Counts what happens to players.
class PlayerObserver: TransactionObserver {
    var events: [String] = []

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        switch eventKind {
        case .insert(let tableName), .delete(let tableName):
            return tableName == "player"
        case .update(let tableName, let columnNames):
            return tableName == "player" && columnNames.contains("score")
        }
    }

    func databaseDidChange(with event: DatabaseEvent) {
        events.append("\(event.kind) \(event.rowID)")
        if event.rowID == 3 { stopObservingDatabaseChangesUntilNextTransaction() }
    }

    func databaseWillCommit() throws { events.append("will commit") }
    func databaseDidCommit(_ db: Database) { events.append("commit") }
    func databaseDidRollback(_ db: Database) { events.append("rollback") }
}

func useTransactions(_ dbQueue: DatabaseQueue) throws {
    let observer = PlayerObserver()
    dbQueue.add(transactionObserver: observer, extent: .observerLifetime)
    try dbQueue.inDatabase { db in
        try db.beginTransaction(.exclusive)
        try db.execute(sql: "UPDATE player SET score = score")
        try db.commit()
        try db.inTransaction {
            try db.execute(sql: "UPDATE player SET bonus = 0")
            return .rollback
        }
        try db.inSavepoint {
            try db.execute(sql: "UPDATE player SET score = 1 WHERE id = 1")
            try db.inSavepoint {
                try db.execute(sql: "UPDATE player SET score = 2 WHERE id = 2")
                return .rollback
            }
            return .rollback
        }
    }
    try check(
        observer.events == [
            "update 1", "update 2", "update 3", "will commit", "commit", "rollback", "update 1",
            "rollback",
        ], "events: \(observer.events)")
    dbQueue.remove(transactionObserver: observer)
    let done = Lines()
    try dbQueue.write { db in
        // GRDB 4: db.afterNextTransactionCommit { … }
        db.afterNextTransaction { _ in done.append("success") }
        try check(done.all.isEmpty, "called before the commit")
    }
    try check(done.all == ["success"], "called after the commit")
}

struct HallOfFame: Equatable {
    var totalPlayerCount: Int
    var bestNames: [String]

    static func fetch(_ db: Database) throws -> HallOfFame {
        HallOfFame(
            totalPlayerCount: try Player.fetchCount(db),
            bestNames: try Player.order(Column("score").desc).limit(2).fetchAll(db).map { $0.name })
    }
}

func observe(_ dbQueue: DatabaseQueue) throws {
    let halls = Lines()
    let observation = ValueObservation.tracking { db in try HallOfFame.fetch(db) }
        .removeDuplicates()
        .map { hall in "\(hall.totalPlayerCount) \(hall.bestNames.joined(separator: " "))" }
    // GRDB 4: without a scheduler
    let observer = observation.start(
        in: dbQueue, scheduling: .async(onQueue: DispatchQueue(label: "halls")),
        onError: { error in halls.append("\(error)") },
        onChange: { (hall: String) in halls.append(hall) })
    _ = try halls.wait(for: 1)
    let regions = Lines()
    // GRDB 4: try observation.start(in: dbQueue) { db in … }
    let players = DatabaseRegionObservation(tracking: Player.all()).start(
        in: dbQueue, onError: { error in regions.append("\(error)") },
        onChange: { (_: Database) in regions.append("players") })
    try dbQueue.write { db in
        var david = Player(name: "David", score: 900, creationDate: Date())
        try david.insert(db)
        try db.execute(sql: "UPDATE wine SET price = 2")
    }
    try check(regions.all == ["players"], "regions: \(regions.all)")
    let seen = try halls.wait(for: 2)
    try check(seen == ["3 Barbara Craig", "4 David Barbara"], "halls: \(seen)")
    observer.cancel()
    players.cancel()
    _ = try dbQueue.write { db in try Player.filter(Column("name") == "David").deleteAll(db) }
}

/// Where the app keeps its passphrase.
final class Keychain: @unchecked Sendable {
    // Safety: the passphrase is touched under the lock only.
    private let lock = NSLock()
    private var current: String

    init(_ passphrase: String) { current = passphrase }

    var passphrase: String {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }
}

func usePool(in folder: String, _ passphrase: String) throws {
    let keychain = Keychain(passphrase)
    var config = Configuration()
    config.maximumReaderCount = 10
    config.prepareDatabase { db in try db.usePassphrase(keychain.passphrase) }
    let dbPool = try DatabasePool(path: folder + "/pool.sqlite", configuration: config)
    try makeMigrator().migrate(dbPool)
    let before = try dbPool.makeSnapshot()
    let counts = Lines()
    try dbPool.writeWithoutTransaction { db in
        try db.inTransaction {
            try Country(isoCode: "FR", name: "France").insert(db)
            return .commit
        }
        // GRDB 4: let future = dbPool.concurrentRead { … }; try future.wait()
        dbPool.asyncConcurrentRead { (result: Result<Database, Error>) in
            do {
                counts.append("\(try Country.fetchCount(result.get()))")
            } catch {
                counts.append("\(error)")
            }
        }
        try Country.deleteAll(db)
    }
    try check(try counts.wait(for: 1) == ["1"], "a concurrent read")
    try check(try before.read { db in try Country.fetchCount(db) } == 0, "a snapshot")
    dbPool.asyncWrite(
        { db -> Int in
            try Country(isoCode: "US", name: "United States").insert(db)
            return try Country.fetchCount(db)
        },
        completion: { (_: Database, result: Result<Int, Error>) in
            switch result {
            case .success(let count): counts.append("\(count) written")
            case .failure(let error): counts.append("\(error)")
            }
        })
    try check(try counts.wait(for: 2).last == "1 written", "an asynchronous write")
    dbPool.asyncRead { (result: Result<Database, Error>) in
        counts.append((try? "\(Country.fetchCount(result.get())) read") ?? "failed")
    }
    try check(try counts.wait(for: 3).last == "1 read", "an asynchronous read")
    dbPool.interrupt()
    try dbPool.barrierWriteWithoutTransaction { db in
        keychain.passphrase = "newSecret"
        try db.changePassphrase(keychain.passphrase)
        dbPool.invalidateReadOnlyConnections()
    }
    dbPool.releaseMemory()
    let copy = try DatabaseQueue(path: folder + "/copy.sqlite", configuration: config)
    try dbPool.backup(to: copy)
    try check(try copy.read { db in try Country.fetchCount(db) } == 1, "a copy")
}

/// The manual's way from plaintext to an encrypted file.
func moveToCipher(in folder: String, _ passphrase: String) throws {
    let existing = try DatabaseQueue(path: folder + "/existing.sqlite")
    try existing.write { db in
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('plain')")
    }
    let path = folder + "/new.sqlite"
    try existing.inDatabase { db in
        try db.execute(
            sql: """
                ATTACH DATABASE ? AS encrypted KEY ?;
                SELECT sqlcipher_export('encrypted');
                DETACH DATABASE encrypted;
                """,
            arguments: [path, passphrase])
    }
    var config = Configuration()
    config.prepareDatabase { db in try db.usePassphrase(passphrase) }
    let new = try DatabaseQueue(path: path, configuration: config)
    try check(
        try new.read { db in try String.fetchOne(db, sql: "SELECT a FROM t") } == "plain", "moved")
}
