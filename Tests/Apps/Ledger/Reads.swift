import Foundation
import Strongroom

func readOnQueues(_ dbPool: DatabasePool) throws {
    let group = DispatchGroup()
    let counts = Shared<[Int]>([])
    for _ in 0..<6 {
        group.enter()
        DispatchQueue.global().async {
            defer { group.leave() }
            do {
                let count = try dbPool.read { db in try Payment.fetchCount(db) }
                counts.change { $0.append(count) }
            } catch {
                counts.change { $0.append(-1) }
            }
        }
    }
    group.enter()
    dbPool.asyncRead { dbResult in
        defer { group.leave() }
        let count = Result { try Payment.fetchCount(dbResult.get()) }
        counts.change { $0.append((try? count.get()) ?? -1) }
    }
    try check(group.wait(timeout: .now() + 30) == .success, "the reads never ended")
    try check(counts.value == Array(repeating: 4, count: 7), "counts: \(counts.value)")
}

func writeOnQueues(_ dbPool: DatabasePool) throws {
    let done = DispatchSemaphore(value: 0)
    let added = Shared<Result<Int64, Error>?>(nil)
    dbPool.asyncWrite(
        { db -> Int64 in
            var payee = Payee(id: nil, name: "Landlord")
            try payee.insert(db)
            return payee.id ?? db.lastInsertedRowID
        },
        completion: { db, result in
            added.value = result
            done.signal()
        })
    try check(done.wait(timeout: .now() + 30) == .success, "the write never ended")
    let id = try added.value?.get()

    let name = Shared<String?>(nil)
    try dbPool.writeWithoutTransaction { db in
        try db.execute(literal: "UPDATE payee SET name = 'Landlady' WHERE id = \(id)")
        dbPool.asyncConcurrentRead { dbResult in
            if let db = try? dbResult.get() {
                name.value = try? String.fetchOne(
                    db, sql: "SELECT name FROM payee WHERE id = ?", arguments: [id])
            }
            done.signal()
        }
        try Payee.filter(key: id).deleteAll(db)
    }
    try check(done.wait(timeout: .now() + 30) == .success, "the read never ended")
    try check(name.value == "Landlady", "the name: \(name.value ?? "none")")

    dbPool.asyncWriteWithoutTransaction { db in
        db.afterNextTransaction { _ in done.signal() }
        try? db.inTransaction(.exclusive) {
            try db.execute(sql: "UPDATE payee SET uses = uses")
            return .commit
        }
    }
    try check(done.wait(timeout: .now() + 30) == .success, "the commit was not told")
}

func readAggregates(_ db: Database) throws {
    let rich =
        try Account
        .having(Account.payments.sum(Column("amount")) > 0)
        .fetchAll(db)
    try check(rich.map(\.name) == ["Savings"], "rich: \(rich.map(\.name))")

    struct Summary: Decodable, FetchableRecord {
        var name: String
        var paymentCount: Int
        var smallest: Int?
        var averagePaymentAmount: Double?
        var hasNoExpense: Bool
    }
    let summaries =
        try Account
        .select(Account.Columns.name)
        .annotated(
            with: Account.payments.count,
            Account.payments.min(Column("amount")).forKey("smallest"),
            Account.payments.average(Column("amount")),
            Account.expenses.isEmpty.forKey("hasNoExpense")
        )
        .order(Account.Columns.name)
        .asRequest(of: Summary.self)
        .fetchAll(db)
    try check(summaries.map(\.paymentCount) == [3, 1], "counts")
    try check(summaries.map(\.smallest) == [-2000, 90000], "smallest")
    try check(summaries.map(\.averagePaymentAmount) == [-1250, 90000], "averages")
    try check(summaries.map(\.hasNoExpense) == [false, true], "expenses")
}

func readJoins(_ db: Database) throws {
    let busy =
        try Payee
        .having(Payee.payments.count >= 2)
        .annotated(with: (Payee.payments.count * 10).forKey("score"))
        .asRequest(of: Row.self)
        .fetchOne(db)
    try check(busy?["name"] == "Grocer" && busy?["score"] == 20, "busy: \(busy ?? [:])")

    let names =
        try Payment
        .including(required: Payment.currency)
        .filter(Column("amount") > 0)
        .asRequest(of: Row.self)
        .fetchAll(db)
        .map { row -> String in row.scopesTree["currency"]?["code"] ?? "" }
    try check(names == ["CHF"], "currencies: \(names)")
    let grocer = try Payment.all().expenses().to(payee: "GROCER").fetchCount(db)
    try check(grocer == 2, "the grocer: \(grocer)")
}

func readSQL(_ db: Database, accounts: [Account]) throws {
    let minimum = 1000
    let ids = accounts.map { $0.id.uuidString }
    let request: SQLRequest<Payment> = """
        SELECT \(columnsOf: Payment.self) FROM \(Payment.self)
        WHERE ABS(\(Column("amount"))) >= \(minimum) AND accountId IN \(ids)
        ORDER BY \(Column("amount").desc)
        """
    try check(try request.fetchAll(db).map(\.amount) == [90000, -1250, -2000], "interpolation")
    try check(try request.fetchCount(db) == 3, "count of SQL")

    let euros: SQL = "ROUND(\(Column("amount")) / 100.0, \(1))"
    let amounts =
        try Payment
        .select(euros.sqlExpression.forKey("euros"), as: Double.self)
        .filter((-10_000..<0).contains(Column("amount")))
        .order(literal: "amount")
        .fetchAll(db)
    try check(amounts == [-20.0, -12.5, -5.0], "euros: \(amounts)")

    var condition: SQL = "1"
    for word in ["gro", "er"] {
        condition += " AND name LIKE \("%\(word)%")"
    }
    let found = try Payee.filter(literal: condition).fetchSet(db)
    try check(found.map(\.name) == ["Grocer"], "found by words")
}

func readSelections(_ db: Database, accounts: [Account]) throws {
    let perDay =
        try Payment
        .select(Column("day"), count(Column("id")), sum(Column("amount")).forKey("sum"))
        .group(Column("day"))
        .having(count(Column("id")) > 1)
        .asRequest(of: Row.self)
        .fetchAll(db)
    let day: DatabaseDateComponents? = perDay.first?["day"]
    try check(perDay.count == 1 && perDay[0]["sum"] == -2500, "per day")
    try check(day?.dateComponents.day == 8 && day?.format == .YMD_HMSS, "the day")

    let used = Payment.select(Column("payeeId"))
    let idle = try Payee.filter(!used.contains(Column("id"))).fetchCount(db)
    try check(idle == 0, "payees without payment: \(idle)")
    let kinds = try Account.select(Account.Columns.kind, as: Account.Kind.self).fetchAll(db)
    try check(Set(kinds) == [.checking, .savings], "kinds")
    let missing = try Account.fetchAll(db, ids: [accounts[0].id, UUID()])
    try check(missing == [accounts[0]], "accounts by id")
}

func readJSON(_ db: Database) throws {
    let settings = Account.Columns.settings
    let color =
        try Account
        .filter(settings["color"] == "blue")
        .select(settings["color"], as: String.self)
        .fetchOne(db)
    try check(color == "blue", "the color")
    let owners =
        try Account
        .select(Database.jsonArrayLength(settings, atPath: "$.owners"), as: Int?.self)
        .order(Account.Columns.name)
        .fetchAll(db)
    try check(owners == [2, nil], "owners: \(owners)")
    let limit = try Int.fetchOne(
        db, Account.select(settings.jsonExtract(atPath: "$.limits.day")).order(Column("name")))
    try check(limit == 500, "the limit")
}

func readTrees(_ db: Database) throws {
    let treeName = "tree"
    let tree = CommonTableExpression(
        recursive: true,
        named: treeName,
        columns: ["name", "depth"],
        literal: """
            SELECT name, 0 FROM label WHERE parent IS NULL
            UNION ALL
            SELECT label.name, tree.depth + 1 FROM label JOIN tree ON label.parent = tree.name
            """)
    let rows = try tree.all().with(tree).order(Column("depth")).fetchAll(db)
    try check(rows.map { $0["name"] } == ["home", "food", "sweet"], "the tree")

    let totals = CommonTableExpression(
        named: "balance",
        request:
            Payment
            .select(Column("accountId"), sum(Column("amount")).forKey("total"))
            .group(Column("accountId")))
    let toTotals = Account.association(to: totals) { account, totals in
        account[Column("id")] == totals[Column("accountId")]
    }
    let richest =
        try Account
        .with(totals)
        .including(required: toTotals)
        .order(Column("name").desc)
        .asRequest(of: Row.self)
        .fetchOne(db)
    let total: Int? = richest?.scopes["balance"]?["total"]
    try check(total == 90000, "the total: \(total ?? 0)")
}

func readFamily(_ db: Database) throws {
    let food = try Label.filter(key: "food").fetchOne(db)
    let children = try food?.request(for: Label.children).fetchAll(db)
    let parent = try food?.request(for: Label.parentLabel).fetchOne(db)
    try check(children?.map(\.name) == ["sweet"] && parent?.name == "home", "the family")

    let above = TableAlias()
    let nested =
        try Label
        .joining(required: Label.parentLabel.aliased(above))
        .filter(above[Column("parent")] != nil)
        .fetchAll(db)
    try check(nested.map(\.name) == ["sweet"], "nested: \(nested.map(\.name))")
}

func changeAccounts(_ accounts: [Account], in dbPool: DatabasePool) throws {
    try dbPool.write { db in
        var daily = accounts[0]
        let changed = try daily.updateChanges(db) { account in
            account.settings.owners = ["Ann"]
            account.settings.limits["day"] = nil
        }
        try check(changed, "the settings have changed")
        try check(try !daily.updateChanges(db, from: daily), "nothing has changed")

        let closed = Date(timeIntervalSince1970: 1_600_000_000.25)
        let closing = Closing(accountId: daily.id, balance: 12, closed: closed)
        try closing.upsert(db)
        try Closing(accountId: daily.id, balance: 15, closed: closed).upsert(db)
        let read = try daily.request(for: Account.closing).fetchOne(db)
        try check(read?.balance == 15 && read?.closed == closed, "the closing")

        let raised = try Payment.filter(Column("amount") > 0)
            .updateAll(db, Column("amount") += 10, Column("tags").set(to: ["bonus"].description))
        try check(raised == 1, "raised: \(raised)")
        let row = try Payment.select(max(Column("amount"))).asRequest(of: Int.self).fetchOne(db)
        try check(row == 90010, "the highest amount")
        var payment = Payment(
            accountId: daily.id, payeeId: nil, amount: 1, day: Date(), tags: ["a", "b"])
        try payment.insert(db)
        try check(try Payment.fetchOne(db, key: payment.id)?.tags == ["a", "b"], "the tags")
        try db.execute(sql: "UPDATE currency SET code = 'XXX' WHERE code = ?", arguments: ["EUR"])
        try check(try Account.find(db, key: daily.id).currencyCode == "XXX", "the cascade")
    }
    do {
        try dbPool.writeInTransaction(.immediate) { db in
            try accounts[0].delete(db)
            try check(try Payment.fetchCount(db) == 1, "the cascade of a deletion")
            return .rollback
        }
        let count = try dbPool.read(Payment.fetchCount)
        try check(count == 5, "the rollback left \(count)")
    }
}
