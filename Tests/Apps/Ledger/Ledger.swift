import Foundation
import Strongroom

/// What the app found to be other than it should be.
struct Wrong: Error {
    var what: String
}

func check(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
    if !isRight { throw Wrong(what: what()) }
}

/// Uses the app.
func runLedger(at path: String, passphrase: String) throws {
    let store = LedgerStore.shared
    try store.open(at: path, passphrase: passphrase)
    let dbPool = store.dbPool!
    let accounts = try makeAccounts(in: dbPool)
    let monitor = PaymentMonitor()
    monitor.start(in: dbPool)
    BalanceCenter.shared.start(in: dbPool)
    try importPayments(into: accounts, in: dbPool)
    let balances = BalanceCenter.shared.waitForBalances(of: 2)
    try check(balances == ["Daily": -3750, "Savings": 90000], "balances: \(balances ?? [:])")
    BalanceCenter.shared.stop()
    try check(monitor.commits.value == 2, "commits: \(monitor.commits.value)")
    monitor.stop()
    try labelPayments(of: accounts[0], in: dbPool)
    try readPage(of: accounts[0], in: dbPool)
    try readOnQueues(dbPool)
    try writeOnQueues(dbPool)
    try dbPool.read { db in
        try readAggregates(db)
        try readJoins(db)
        try readSQL(db, accounts: accounts)
        try readJSON(db)
        try readSelections(db, accounts: accounts)
        try readTrees(db)
        try readFamily(db)
    }
    try changeAccounts(accounts, in: dbPool)
    try store.close()
}

private func makeAccounts(in dbPool: DatabasePool) throws -> [Account] {
    try dbPool.write { db in
        try Currency(code: "EUR", name: "Euro").insert(db)
        try Currency(code: "CHF", name: "Franc").insert(db)
        let daily = Account(
            id: UUID(), name: "Daily", currencyCode: "EUR", kind: .checking,
            opened: Date(timeIntervalSince1970: 1_000_000_000),
            settings: Account.Settings(color: "red", limits: ["day": 500], owners: ["Ann", "Bo"]))
        let savings = Account(
            id: UUID(), name: "Savings", currencyCode: "CHF", kind: .savings,
            opened: Date(timeIntervalSince1970: 1_100_000_000),
            settings: .init(color: "blue"))
        try daily.insert(db)
        try savings.save(db)
        try check(try Account.find(db, id: daily.id) == daily, "the account comes back")
        try check(try savings.exists(db), "the account is there")
        return [daily, savings]
    }
}

private func importPayments(into accounts: [Account], in dbPool: DatabasePool) throws {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 3
    let before = try ReportOperation(dbPool: dbPool)
    let daily = ImportOperation(
        lines: ["Grocer;-1250;2023-04-01", "grocer;-2000;2023-04-08", "Baker;-500;2023-04-08"],
        account: accounts[0], in: dbPool)
    let savings = ImportOperation(
        lines: ["Employer;90000;2023-04-30"], account: accounts[1], in: dbPool)
    let broken = ImportOperation(
        lines: ["Baker;-100;2023-05-01", "nonsense"], account: accounts[1], in: dbPool)
    savings.addDependency(daily)
    broken.addDependency(savings)
    before.addDependency(broken)
    queue.addOperations([daily, savings, broken, before], waitUntilFinished: true)

    try check(daily.error == nil && daily.importedCount == 3, "\(String(describing: daily.error))")
    try check(savings.importedCount == 1, "the savings")
    try check(broken.error is CocoaError, "the broken import passed")
    try check(
        try before.result.get() == ["Daily: 0 in 0", "Savings: 0 in 0"], "the old snapshot")

    let after = try ReportOperation(dbPool: dbPool)
    queue.addOperation(after)
    queue.waitUntilAllOperationsAreFinished()
    let report = try after.result.get()
    try check(report == ["Daily: -3750 in 3", "Savings: 90000 in 1"], "report: \(report)")
    let payees = try dbPool.read { db in
        try Payee.order(Column("name")).fetchAll(db).map { "\($0.name) \($0.uses)" }
    }
    try check(payees == ["Baker 1", "Employer 1", "Grocer 2"], "payees: \(payees)")
}

private func labelPayments(of account: Account, in dbPool: DatabasePool) throws {
    try dbPool.write { db in
        try Label(name: "home", parent: nil).insert(db)
        try Label(name: "food", parent: "home").insert(db)
        try Label(name: "sweet", parent: "food").insert(db)
        for payment in try account.payments.expenses().fetchAll(db) {
            guard let id = payment.id else { continue }
            try PaymentLabel(paymentId: id, labelName: "food").insert(db)
            try db.inSavepoint {
                try PaymentLabel(paymentId: id, labelName: "sweet").insert(db)
                return payment.amount == -500 ? .commit : .rollback
            }
        }
        do {
            try Label(name: "lost", parent: "nowhere").insert(db)
            throw Wrong(what: "a label without its parent")
        } catch let error as DatabaseError {
            let code = error.extendedResultCode
            try check(code == .SQLITE_CONSTRAINT_FOREIGNKEY, "\(error)")
        }
        try check(try PaymentLabel.fetchCount(db) == 4, "labels of payments")
    }
}

private func readPage(of account: Account, in dbPool: DatabasePool) throws {
    let page = try dbPool.read { db in
        try AccountPage.request(for: account.id).fetchOne(db)
    }
    guard let page else { throw Wrong(what: "the page is not there") }
    try check(page.account == account && page.currency.name == "Euro", "the account")
    try check(page.closing == nil, "the account is open")
    try check(page.payees == ["Grocer", "Baker"], "payees: \(page.payees)")
    try check(page.lines.map(\.payment.amount) == [-1250, -2000, -500], "payments")
    try check(page.lines.map(\.payeeName) == ["Grocer", "Grocer", "Baker"], "names")
    try check(page.lines.last?.labels.map(\.name) == ["food", "sweet"], "labels")
    try check(page.lines.allSatisfy { $0.payment.reference != nil }, "references")
}
