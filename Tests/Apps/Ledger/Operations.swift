import Foundation
import Strongroom

/// A value that operations and queues share.
// Safety: the lock guards the value.
final class Shared<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var storage: Value

    init(_ value: Value) {
        storage = value
    }

    var value: Value {
        get { lock.withLock { storage } }
        set { lock.withLock { storage = newValue } }
    }

    func change(_ body: (inout Value) -> Void) {
        lock.withLock { body(&storage) }
    }
}

/// Reads lines such as `Groceries;-1250;2023-04-01` into an account.
// Safety: the results are read once the operation has finished.
final class ImportOperation: Operation, @unchecked Sendable {
    private let dbPool: DatabasePool
    private let account: Account
    private let lines: [String]
    private(set) var error: Error?
    private(set) var importedCount = 0

    init(lines: [String], account: Account, in dbPool: DatabasePool) {
        self.lines = lines
        self.account = account
        self.dbPool = dbPool
        super.init()
        name = "Import into \(account.name)"
    }

    override func main() {
        if isCancelled { return }
        do {
            try dbPool.write { db in
                for line in lines where !isCancelled {
                    try importLine(line, into: db)
                }
            }
        } catch {
            importedCount = 0
            self.error = error
        }
    }

    private func importLine(_ line: String, into db: Database) throws {
        let fields = line.components(separatedBy: ";")
        guard fields.count == 3, let amount = Int(fields[1]),
            let day = Date.fromDatabaseValue(fields[2].databaseValue)
        else {
            throw CocoaError(.formatting)
        }
        var payee = Payee(name: fields[0])
        payee = try payee.upsertAndFetch(
            db, onConflict: ["name"],
            doUpdate: { excluded in
                [Column("uses") += 1, Column("name").noOverwrite]
            })
        var payment = Payment(
            accountId: account.id, payeeId: payee.id, amount: amount, day: day,
            reference: UUID())
        try payment.insert(db)
        importedCount += 1
    }
}

/// Writes a report of one moment, whatever is imported meanwhile.
// Safety: the result is read once the operation has finished.
final class ReportOperation: Operation, @unchecked Sendable {
    private let snapshot: DatabaseSnapshot
    private(set) var result: Result<[String], Error> = .success([])

    init(dbPool: DatabasePool) throws {
        snapshot = try dbPool.makeSnapshot()
        super.init()
    }

    override func main() {
        result = Result {
            try snapshot.read { db in
                let request =
                    Account
                    .annotated(
                        with: Account.payments.sum(Column("amount")).forKey("balance"),
                        Account.payments.count
                    )
                    .order(Account.Columns.name)
                return try Row.fetchAll(db, request).map { row in
                    let name: String = row["name"]
                    let balance: Int? = row["balance"]
                    let count: Int = row["paymentCount"]
                    return "\(name): \(balance ?? 0) in \(count)"
                }
            }
        }
    }
}

/// Counts commits that change payments.
class PaymentMonitor: NSObject {
    let commits = Shared(0)
    private var cancellable: AnyDatabaseCancellable?

    func start(in writer: DatabaseWriter) {
        let observation = DatabaseRegionObservation(
            tracking: Payment.all(), Table("paymentLabel"))
        cancellable = observation.start(
            in: writer,
            onError: { error in NSLog("%@", "\(error)") },
            onChange: { [commits] _ in commits.change { $0 += 1 } })
    }

    func stop() {
        cancellable?.cancel()
        cancellable = nil
    }
}

/// Keeps the balances of all accounts, on a queue of its own.
// Safety: the balances are used on the queue alone.
final class BalanceCenter: @unchecked Sendable {
    static let shared = BalanceCenter()

    private let queue = DispatchQueue(label: "balances")
    private var balances: [String: Int] = [:]
    private var waiting: (count: Int, action: () -> Void)?
    private var cancellable: DatabaseCancellable?

    func start(in reader: DatabaseReader) {
        let observation = ValueObservation.tracking { db -> [String: Int] in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT account.name, SUM(payment.amount) FROM account
                    JOIN payment ON payment.accountId = account.id GROUP BY account.id
                    """)
            return try Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
        }
        cancellable = observation.removeDuplicates().start(
            in: reader, scheduling: .async(onQueue: queue),
            onError: { error in fatalError("\(error)") },
            onChange: { balances in self.receive(balances) })
    }

    func stop() {
        cancellable?.cancel()
    }

    private func receive(_ balances: [String: Int]) {
        self.balances = balances
        callIfReady()
    }

    private func callIfReady() {
        if let waiting, balances.count >= waiting.count {
            self.waiting = nil
            waiting.action()
        }
    }

    func waitForBalances(of count: Int) -> [String: Int]? {
        let semaphore = DispatchSemaphore(value: 0)
        queue.async {
            self.waiting = (count, { semaphore.signal() })
            self.callIfReady()
        }
        guard semaphore.wait(timeout: .now() + 30) == .success else { return nil }
        return queue.sync { balances }
    }
}
