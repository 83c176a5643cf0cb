import Strongroom
import StrongroomTestSupport
import Testing

// What else is going on around the transactions of a program.

// MARK: - Foreign keys

extension TransactionProgram {
    /// Inserts a row whose foreign key leads nowhere.
    func addOrphan(_ db: Database) throws {
        try statement(db, "INSERT INTO orphan VALUES (99)", mustSucceed: false)
        model.addOrphan()
    }

    func removeOrphans(_ db: Database) throws {
        try statement(db, "DELETE FROM orphan", mustSucceed: false)
        model.removeOrphans()
    }
}

// MARK: - Cursors

/// A statement that was started, and has not ended.
struct OpenCursor {
    let values: FastDatabaseValueCursor<Int>
    /// The values that it is to give yet.
    var expected: [Int]
}

extension TransactionProgram {
    func useCursor(_ db: Database) throws {
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where cursors.count < 3: try openCursor(db)
        case 1 where cursors.count < 3 && model.isOpen: try openWritingCursor(db)
        case 2 where !cursors.isEmpty:
            cursors.remove(at: Int.random(in: cursors.indices, using: &random))
            synchronize(db)
        default: try moveCursor(db)
        }
    }

    private func openCursor(_ db: Database) throws {
        let sql = "SELECT id FROM account ORDER BY id"
        cursors.append(OpenCursor(values: try Int.fetchCursor(db, sql: sql), expected: [1, 2]))
        try moveCursor(db, at: cursors.count - 1)
    }

    /// Starts a statement that writes, and stands on the row that it returns.
    private func openWritingCursor(_ db: Database) throws {
        let row = Int.random(in: 0..<1000, using: &random)
        let sql = "INSERT INTO t VALUES (?) RETURNING a"
        let values = try Int.fetchCursor(db, sql: sql, arguments: [row])
        cursors.append(OpenCursor(values: values, expected: [row]))
        try moveCursor(db, at: cursors.count - 1)
        model.insert(row)
    }

    private func moveCursor(_ db: Database) throws {
        guard let index = cursors.indices.randomElement(using: &random) else { return }
        try moveCursor(db, at: index)
    }

    private func moveCursor(_ db: Database, at index: Int) throws {
        do {
            #expect(try cursors[index].values.next() == cursors[index].expected.first, name)
            cursors[index].expected = Array(cursors[index].expected.dropFirst())
        } catch {
            cursors.remove(at: index)
            synchronize(db)
            throw error
        }
    }
}

extension Database.TransactionKind {
    static func any(using random: inout some RandomNumberGenerator) -> Self {
        let kinds: [Self] = [.deferred, .immediate, .immediate, .exclusive]
        return kinds.randomElement(using: &random) ?? .immediate
    }
}

// MARK: - Another connection

/// Another connection to the database of a program, which takes locks and commits.
// Safety: used by one access at a time.
final class Rival: @unchecked Sendable {
    private let queue: any DatabaseWriter
    private(set) var isWriting = false
    /// Whether it may keep the program from reading, writing or committing: by a lock, or because it
    /// has committed what an open transaction does not see.
    private(set) var mayHinder = false

    init(_ fixture: FixtureDatabase) throws {
        queue = try fixture.open(.queue) { $0.allowsUnsafeTransactions = true }
    }

    func act(_ random: inout SeededGenerator) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: isWriting = execute("BEGIN IMMEDIATE")
        case 1: isWriting = execute("BEGIN; SELECT COUNT(*) FROM t") && isWriting
        case 2: isWriting = execute("INSERT INTO rival VALUES (1)") && isWriting
        default:
            queue.writeWithoutTransaction { try? $0.rollback() }
            isWriting = false
        }
        mayHinder = true
    }

    func end() {
        queue.writeWithoutTransaction { try? $0.rollback() }
        isWriting = false
        mayHinder = false
    }

    /// Runs statements unless it has a transaction already; gives whether it has one then.
    private func execute(_ sql: String) -> Bool {
        queue.writeWithoutTransaction { db in
            if db.isInsideTransaction { return isWriting }
            do {
                try db.execute(sql: sql)
                return db.isInsideTransaction
            } catch {
                try? db.rollback()
                return false
            }
        }
    }
}
