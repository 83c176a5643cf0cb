import Foundation
import Strongroom

/// The store of the app, as a singleton that everything reaches.
final class LedgerStore: NSObject {
    // Safety: the store is opened before anything else runs.
    nonisolated(unsafe) static let shared = LedgerStore()

    private(set) var dbPool: DatabasePool!

    private override init() {
        super.init()
    }

    func open(at path: String, passphrase: String) throws {
        var config = Configuration()
        config.label = "Ledger"
        config.maximumReaderCount = 4
        config.qos = .utility
        config.prepareDatabase { db in
            try db.usePassphrase(passphrase)
            try db.execute(sql: "PRAGMA secure_delete = ON")
        }
        let pool = try DatabasePool(path: path, configuration: config)
        var migrator = DatabaseMigrator()
        LedgerStore.registerMigrations(in: &migrator)
        try migrator.migrate(pool)
        dbPool = pool
    }

    func close() throws {
        try dbPool.close()
        dbPool = nil
    }

    private class func registerMigrations(in migrator: inout DatabaseMigrator) {
        registerAccounts(in: &migrator)
        registerPayments(in: &migrator)
    }

    private class func registerAccounts(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("accounts") { db in
            try db.create(table: "currency") { t in
                t.column("code", .text).primaryKey()
                t.column("name", .text).notNull()
            }
            try db.create(table: "account") { t in
                t.column("id", .text).notNull().primaryKey()
                t.column("name", .text).notNull().unique(onConflict: .abort)
                t.column("currencyCode", .text).notNull()
                    .references("currency", onDelete: .restrict, onUpdate: .cascade)
                t.column("kind", .text).notNull()
                t.column("opened", .text).notNull()
                t.column("settings", .jsonText).notNull()
            }
            try db.create(table: "closing") { t in
                t.column("accountId", .text).primaryKey()
                    .references("account", onDelete: .cascade)
                t.column("balance", .integer).notNull()
                t.column("closed", .double).notNull()
            }
        }
    }

    private class func registerPayments(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("payments") { db in
            try db.create(table: "payee") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("name", .text).notNull().collate(.nocase).unique()
                t.column("uses", .integer).notNull().defaults(to: 1)
            }
            try db.create(table: "payment") { t in
                t.autoIncrementedPrimaryKey("id")
                t.belongsTo("account", onDelete: .cascade).notNull()
                t.belongsTo("payee", onDelete: .setNull)
                t.column("amount", .integer).notNull().check { $0 != 0 }
                t.column("day", .date).notNull()
                t.column("reference", .blob).unique()
                t.column("tags", .text)
                t.column("isExpense", .boolean).notNull()
                    .generatedAs(Column("amount") < 0, .stored)
            }
            try db.create(
                index: "payment_on_day", on: "payment", columns: ["day"],
                condition: Column("payeeId") != nil)
        }
        migrator.registerMigration("labels", foreignKeyChecks: .immediate) { db in
            try db.create(table: "label", options: [.ifNotExists, .strict]) { t in
                t.primaryKey("name", .text)
                t.column("parent", .text).references("label", column: "name")
            }
            try db.create(table: "paymentLabel", options: .withoutRowID) { t in
                t.primaryKey {
                    t.belongsTo("payment", onDelete: .cascade)
                    t.column("labelName", .text).references("label", onDelete: .cascade)
                }
            }
        }
    }
}
