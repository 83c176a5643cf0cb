import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// A random program of nested transactions and savepoints, run on a connection and on a model.
///
/// The program table is `t(a)`. After each statement both must have the same rows, or the same
/// reason to refuse.
// Safety: used by one access at a time.
final class TransactionProgram: @unchecked Sendable {
    struct Refusal: Error {}

    /// What may happen beyond what is in the hands of the connection.
    struct Surprises: OptionSet {
        let rawValue: Int
        static let cancellation = Surprises(rawValue: 1)
        static let suspension = Surprises(rawValue: 2)
        /// Foreign keys are checked when the transaction is committed.
        static let orphans = Surprises(rawValue: 4)
        /// Another connection takes locks.
        static let rival = Surprises(rawValue: 8)
        /// Statements stand on a row while others run, and while transactions end.
        static let cursors = Surprises(rawValue: 16)
    }

    var random: SeededGenerator
    let name: Comment
    private let surprises: Surprises
    private let observer: RandomObserver
    private let rival: Rival
    var model: TransactionModel
    var cursors: [OpenCursor] = []
    private var isCancelled = false
    private var isSuspended = false
    private var budget = 30

    init(
        seed: UInt64, rows: [Int], _ surprises: Surprises, _ observer: RandomObserver,
        _ rival: Rival
    ) {
        random = SeededGenerator(seed: seed)
        name = "seed \(seed)"
        model = TransactionModel(rows: rows)
        self.surprises = surprises
        self.observer = observer
        self.rival = rival
    }

    /// Runs the program in a closure that is no transaction.
    @Sendable func run(_ db: Database) {
        try? steps(db, depth: 0)
        cursors = []
        resume()
        rival.end()
    }

    /// Runs the program in a transaction that an access, or a migration, has begun.
    ///
    /// - Parameter access: Calls its argument in a transaction.
    func run(
        in access: (_ body: @escaping @Sendable (Database) throws -> Void) throws -> Void
    ) {
        try? wrap(completion: .commit) { begun in
            try access { db in
                begun()
                // No cursor may outlive the access.
                defer { self.cursors = [] }
                try self.steps(db, depth: 1)
            }
        }
        resume()
        rival.end()
    }

    private func steps(_ db: Database, depth: Int) throws {
        for _ in 0..<Int.random(in: 1...5, using: &random) where budget > 0 {
            budget -= 1
            let isCaught = Int.random(in: 0..<4, using: &random) > 0
            do { try step(db, depth: depth) } catch  where isCaught {}
        }
    }

    private func step(_ db: Database, depth: Int) throws {
        switch Int.random(in: 0..<28, using: &random) {
        case 0...4: try insert(db)
        case 5...6: try read(db)
        case 7...9:
            let end = TransactionEnd.allCases.randomElement(using: &random)
            try statement(db, end?.rawValue ?? "", mustSucceed: false)
        case 10: try statement(db, "SELECT interrupt()", mustSucceed: false)
        case 11: try endByHand(db)
        case 12 where surprises.contains(.cancellation) && Bool.random(using: &random):
            withUnsafeCurrentTask { $0?.cancel() }
            isCancelled = true
        case 13 where surprises.contains(.suspension):
            if isSuspended { resume() } else { suspend() }
            synchronize(db)
        case 14: observer.refusesNextCommit = true
        case 16 where depth == 0 && !model.isOpen: try transactionByHand(db)
        case 20...21 where surprises.contains(.orphans) && model.isOpen: try addOrphan(db)
        case 22 where surprises.contains(.orphans): try removeOrphans(db)
        case 23 where surprises.contains(.rival): rival.act(&random)
        case 24...27 where surprises.contains(.cursors): try useCursor(db)
        default: if depth < 5 { try nest(db, depth: depth + 1) }
        }
    }
}

// MARK: - Statements

extension TransactionProgram {
    private func insert(_ db: Database) throws {
        let row = Int.random(in: 0..<1000, using: &random)
        let isOpen = model.isOpen
        try statement(
            db, "INSERT INTO t VALUES (\(row))",
            mustSucceed: isOpen && !rival.mayHinder && cursors.isEmpty)
        #expect(!isSuspended, name)
        model.insert(row)
    }

    private func read(_ db: Database) throws {
        var rows: [Int] = []
        try attempt(db, mustSucceed: !isSuspended && !rival.mayHinder) {
            rows = try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY rowid")
        }
        #expect(rows == model.rows, name)
    }

    func statement(_ db: Database, _ sql: String, mustSucceed: Bool) throws {
        try attempt(db, mustSucceed: mustSucceed && !isSuspended) { try db.execute(sql: sql) }
    }

    /// Runs a statement, which must be refused in a transaction that is over.
    func attempt(
        _ db: Database, mustSucceed: Bool, _ body: () throws -> Void
    ) throws {
        let loss = model.loss
        do {
            try body()
            #expect(loss == nil, name)
            #expect(!isCancelled, name)
        } catch {
            let code = (error as? DatabaseError)?.resultCode
            #expect(loss == nil || code == .SQLITE_ABORT || isCancelled || isSuspended, name)
            #expect(!mustSucceed || loss != nil || isCancelled, name)
            synchronize(db)
            throw error
        }
    }

    /// Takes note that SQLite has rolled back by itself, if it has.
    func synchronize(_ db: Database) {
        if model.isOpen, !db.isInsideTransaction { model.end(.rolledBack) }
    }

    private func suspend() {
        isSuspended = true
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    private func resume() {
        guard isSuspended else { return }
        isSuspended = false
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }
}

// MARK: - Transactions

extension TransactionProgram {
    /// Ends the transaction by a statement, as no closure of a wrapper should.
    private func endByHand(_ db: Database) throws {
        let isCommit = Bool.random(using: &random)
        do {
            try isCommit ? db.commit() : db.rollback()
            if model.isOpen {
                #expect(!isCommit || model.orphanCount == 0, name)
                model.end(isCommit ? .committed : .rolledBack)
            }
        } catch {
            synchronize(db)
            throw error
        }
    }

    private func beginTransaction(_ db: Database) throws {
        let kind = Database.TransactionKind.any(using: &random)
        try db.beginTransaction(kind)
        #expect(!isHindered(kind), name)
    }

    /// Whether another connection has the lock that a transaction begins with.
    private func isHindered(_ kind: Database.TransactionKind) -> Bool {
        kind != .deferred && rival.isWriting
    }

    private func transactionByHand(_ db: Database) throws {
        try beginTransaction(db)
        model.begin()
        defer {
            try? db.rollback()
            if model.isOpen { model.end(.rolledBack) }
        }
        try steps(db, depth: 1)
        guard Bool.random(using: &random) else { return }
        try db.commit()
        #expect(model.isOpen && model.orphanCount == 0, name)
        if model.isOpen { model.end(.committed) }
    }

    private func nest(_ db: Database, depth: Int) throws {
        let completion: Database.TransactionCompletion =
            Int.random(in: 0..<4, using: &random) == 0 ? .rollback : .commit
        let throwsAtTheEnd = Int.random(in: 0..<6, using: &random) == 0
        let isTransaction = !model.isOpen && Bool.random(using: &random)
        let kind = Database.TransactionKind.any(using: &random)
        let loss = model.loss
        try wrap(completion: completion) { begun in
            let body = {
                #expect(loss == nil, self.name)
                #expect(!self.isHindered(isTransaction ? kind : .deferred), self.name)
                begun()
                try self.steps(db, depth: depth)
                if throwsAtTheEnd { throw Refusal() }
                return completion
            }
            do {
                try isTransaction ? db.inTransaction(kind, body) : db.inSavepoint(body)
            } catch {
                synchronize(db)
                throw error
            }
        }
        #expect(loss == nil && db.isInsideTransaction == model.isOpen, name)
    }

    /// Calls a wrapper, and has the model do the same.
    private func wrap(
        completion: Database.TransactionCompletion,
        _ wrapper: (_ begun: @escaping @Sendable () -> Void) throws -> Void
    ) throws {
        let hasBegun = Locked(false)
        do {
            try wrapper {
                hasBegun.withLock { $0 = true }
                self.model.beginWrapper()
            }
            let isSatisfied = completion == .rollback && model.loss == .rolledBack
            #expect(model.loss == nil || isSatisfied, name)
            let leavesOrphans = model.isInOutermostWrapper && model.orphanCount > 0
            #expect(completion == .rollback || !leavesOrphans, name)
            model.endWrapper(completion == .commit ? .committed : .rolledBack)
        } catch {
            if hasBegun.withLock({ $0 }) { model.endWrapper(nil) }
            throw error
        }
    }
}

/// Refuses a commit when it is told to.
// Safety: used by one access at a time.
final class RandomObserver: TransactionObserver, @unchecked Sendable {
    var refusesNextCommit = false

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
    func databaseWillCommit() throws {
        guard refusesNextCommit else { return }
        refusesNextCommit = false
        throw TransactionProgram.Refusal()
    }
}
