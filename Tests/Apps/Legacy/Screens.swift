import Foundation
import Strongroom

/// Tells which books were changed, as the app's list did before observations of values.
class BookChanges: TransactionObserver {
    private(set) var ids: Set<Int64> = []
    private(set) var committed: [Set<Int64>] = []

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        return eventKind.tableName == "book"
    }

    func databaseDidChange(with event: DatabaseEvent) {
        ids.insert(event.rowID)
        if ids.count > 50 { stopObservingDatabaseChangesUntilNextTransaction() }
    }

    func databaseDidCommit(_ db: Database) {
        if !ids.isEmpty { committed.append(ids) }
        ids = []
    }

    func databaseDidRollback(_ db: Database) {
        ids = []
    }
}

/// The list of loans, as the app shows it.
class LoanScreen {
    private let library: Library
    private var observer: DatabaseCancellable?
    let lines = Lines()

    /// Values come on a queue of their own.
    // Safety: the lock guards the lines.
    final class Lines: @unchecked Sendable {
        private let lock = NSLock()
        private let arrived = DispatchSemaphore(value: 0)
        private var current: [String] = []

        func set(_ lines: [String]) {
            lock.lock()
            current = lines
            lock.unlock()
            arrived.signal()
        }

        func wait(for count: Int) -> [String]? {
            while arrived.wait(timeout: .now() + 30) == .success {
                lock.lock()
                let lines = current
                lock.unlock()
                if lines.count == count { return lines }
            }
            return nil
        }
    }

    init(library: Library) {
        self.library = library
    }

    func appear() {
        // GRDB 4: let observation = LoanInfo.all().observationForAll()
        let observation = ValueObservation.tracking { db in
            try LoanInfo.all().fetchAll(db)
        }
        let lines = self.lines
        // GRDB 4: observation.scheduling = .async(onQueue: queue, startImmediately: true)
        observer = observation.start(
            in: library.dbWriter,
            scheduling: .async(onQueue: DispatchQueue(label: "loans")),
            onError: { error in print("loans: \(error)") },
            onChange: { infos in
                lines.set(infos.map { "\($0.memberName): \($0.title ?? "?")" })
            })
    }

    func disappear() {
        // GRDB 4: observer = nil
        observer?.cancel()
    }
}

extension Library {
    func lend(_ book: Book, to member: Member, until due: Date?) throws {
        try dbWriter.write { db in
            let loan = Loan(bookId: book.id!, memberUUID: member.uuid, due: due, renewals: 0)
            try loan.insert(db)
        }
    }

    /// The number of renewals, nil when there is no such loan.
    func renew(bookId: Int64, memberUUID: String) throws -> Int? {
        do {
            return try dbWriter.write { db in
                let key: [String: DatabaseValueConvertible] = [
                    "bookId": bookId, "memberUUID": memberUUID,
                ]
                var loan =
                    try Loan.fetchOne(db, key: key)
                    ?? Loan(bookId: bookId, memberUUID: memberUUID, due: nil, renewals: 0)
                loan.renewals += 1
                try loan.update(db, columns: [Loan.Columns.renewals])
                return loan.renewals
            }
        } catch PersistenceError.recordNotFound {
            return nil
        }
    }

    func books(withWords words: String) throws -> [Book] {
        return try dbWriter.read { db in
            guard let pattern = FTS3Pattern(matchingAllTokensIn: words) else { return [] }
            let request = SQLRequest<Book>(
                sql: """
                    SELECT book.* FROM book
                    JOIN bookText ON bookText.docid = book.id
                    WHERE bookText MATCH :pattern ORDER BY book.title COLLATE byLength
                    """,
                arguments: ["pattern": pattern],
                cached: true)
            return try request.fetchAll(db)
        }
    }

    /// All books that were never lent.
    func shelfWarmers() throws -> [String] {
        return try dbWriter.read { db in
            let lent = SQLRequest<Int64>(sql: "SELECT bookId FROM loan")
            let request =
                Book
                .select(Column("title"), as: String.self)
                .filter(!lent.contains(Column("id")))
                .filter(sql: "year > ? OR year IS NULL", arguments: [1800])
                .order(sql: "title COLLATE NOCASE DESC")
            return try AnyFetchRequest(request).fetchAll(db)
        }
    }
}
