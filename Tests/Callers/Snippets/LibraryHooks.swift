import CSQLCipher
import Dispatch
import Foundation
import Strongroom

func librarySnippets6(_ queue: DatabaseQueue, _ snippet: SnippetLog) throws {
    try snippet("Configuration.label, copied and changed") {
        var configuration = Configuration()
        configuration.label = "library"
        configuration.maximumReaderCount = 3
        configuration.readonly = false
        configuration.foreignKeysEnabled = true
        configuration.publicStatementArguments = true
        configuration.qos = .utility
        configuration.busyMode = .timeout(1)
        configuration.busyMode = .callback { $0 < 3 }
        configuration.busyMode = .immediateError
        configuration.journalMode = .wal
        configuration.journalMode = .default
        configuration.allowsUnsafeTransactions = false
        configuration.acceptsDoubleQuotedStringLiterals = false
        configuration.observesSuspensionNotifications = false
        configuration.persistentReadOnlyConnections = false
        let other = try DatabaseQueue(configuration: configuration)
        try expect(other.configuration.label == "library")
        try other.read { db in
            try expect(db.configuration.label == "library" && db.description.contains("library"))
        }
        try other.close()
    }
    try snippet("Readers are keys by their identity") {
        var cache: [ObjectIdentifier: String] = [:]
        let reader: any DatabaseReader = queue
        let writer: any DatabaseWriter = queue
        cache[ObjectIdentifier(reader)] = "reader"
        cache[ObjectIdentifier(writer)] = "writer"
        try expect(cache == [ObjectIdentifier(queue): "writer"])
        try expect(reader === writer)
        weak let weakReader: (any DatabaseReader)? = reader
        try expect(weakReader != nil)
    }
    try snippet("AnyDatabaseReader and AnyDatabaseWriter") {
        let reader = AnyDatabaseReader(queue)
        let writer = AnyDatabaseWriter(queue)
        try expect(try reader.read { try Author.fetchCount($0) } == 3)
        try expect(try writer.read { try Author.fetchCount($0) } == 3)
        try expect(
            reader.path == queue.path && writer.configuration.label == queue.configuration.label)
        try expect(try AnyDatabaseReader(writer).unsafeRead { try Book.fetchCount($0) } == 5)
    }
    try snippet("Task-local values inside of accesses") {
        try TaskValues.$user.withValue("ada") {
            try queue.write { db in try expect(TaskValues.user == "ada" && db.isInsideTransaction) }
            try queue.read { _ in try expect(TaskValues.user == "ada") }
            try queue.unsafeReentrantRead { _ in try expect(TaskValues.user == "ada") }
            try queue.barrierWriteWithoutTransaction { _ in try expect(TaskValues.user == "ada") }
        }
    }
}

func librarySnippets7(_ queue: DatabaseQueue, _ snippet: SnippetLog) throws {
    try snippet("Database.logError") {
        let before = Database.logError
        Database.logError = { code, message in
            _ = (code.rawValue, message.count, code.primaryResultCode, code.description)
        }
        Database.logError = before
    }
    try snippet("Database.trace with profiles") {
        try queue.inDatabase { db in
            var lines: [String] = []
            db.trace(options: [.statement, .profile]) { event in
                switch event {
                case .statement(let statement):
                    lines.append(statement.sql + "/" + statement.expandedSQL)
                case .profile(let statement, let duration):
                    lines.append("\(statement.sql) \(duration >= 0)")
                }
            }
            try db.execute(sql: "SELECT ?", arguments: [1])
            db.trace(options: .statement, nil)
            try expect(lines == ["SELECT ?/SELECT 1", "SELECT ? true"])
            db.trace { lines.append("\($0)") }
            try db.execute(sql: "SELECT 2")
            db.trace(nil)
            try expect(lines.last == "SELECT 2")
        }
    }
    try snippet("TransactionObserver in all its extents") {
        let log = EventLog()
        queue.add(transactionObserver: log, extent: .observerLifetime)
        try queue.write { db in
            try db.execute(sql: "INSERT INTO note(id, text) VALUES (1, 'a')")
            try db.execute(sql: "UPDATE note SET text = 'b'")
            try db.execute(sql: "DELETE FROM note WHERE id = 1")
            try db.notifyChanges(in: Table("note"))
        }
        try expect(log.lines == ["+note1", "=note1", "-note1", "?", "will", "commit"])
        queue.remove(transactionObserver: log)
        try queue.writeWithoutTransaction { db in
            let other = EventLog()
            db.add(transactionObserver: other, extent: .nextTransaction)
            try db.inTransaction {
                try db.execute(sql: "INSERT INTO note(id) VALUES (99), (100)")
                return .rollback
            }
            try db.execute(sql: "INSERT INTO note(id) VALUES (5)")
            try db.execute(sql: "DELETE FROM note")
            try expect(other.lines == ["+note99", "rollback"])
            db.remove(transactionObserver: other)
        }
    }
}

func librarySnippets8(_ queue: DatabaseQueue, _ snippet: SnippetLog) throws {
    try snippet("afterNextTransaction") {
        try queue.writeWithoutTransaction { db in
            let ends = Counter()
            db.afterNextTransaction { _ in
                ends.value += 1
            } onRollback: { _ in
                ends.value += 10
            }
            try db.inTransaction { .rollback }
            db.afterNextTransaction { db in ends.value += db.isInsideTransaction ? 0 : 100 }
            try db.inTransaction(.immediate) { .commit }
            try expect(ends.value == 110)
        }
    }
    try snippet("DatabaseValueConvertible with columns and binding of its own") {
        try queue.read { db in
            try expect(
                try Money.fetchOne(db, sql: "SELECT ?", arguments: [Money(cents: 250)])
                    == Money(cents: 250))
            try expect(
                try Optional<Money>.fetchAll(db, sql: "SELECT 1 UNION ALL SELECT NULL") == [
                    Money(cents: 1), nil,
                ])
            try expect(try Money.fetchSet(db, sql: "VALUES (1), (1)").count == 1)
            let row = try Row.fetchOne(db, sql: "SELECT 7 AS m, 'spades' AS s, 13 AS r")!
            try expect(
                row["m"] == Money(cents: 7) && row["s"] == Suit.spades && row["r"] as Rank == .king)
            try expect(try row.decode(Money.self, forColumn: "m").cents == 7)
            try expect(try row.decode(Suit?.self, atIndex: 1) == .spades)
            try expectError(RowDecodingError.self) {
                _ = try row.decode(Money.self, forColumn: "s")
            }
            try expect(try Suit.fetchAll(db, sql: "VALUES ('hearts')") == [.hearts])
        }
    }
    try snippet("Expressions of a library") {
        try queue.read { db in
            let near = Distance(column: Column("price"), target: 11)
            let titles = try String.fetchAll(
                db, Book.select(Column("title")).order(near, Column("id")))
            try expect(titles.prefix(2) == ["Iliad", "Odyssey"])
            try expect(try Book.filter(near < 2).fetchCount(db) == 2)
            let rounded = try Double.fetchOne(db, Book.select(Column("price").roundedByLibrary(1)))
            try expect(rounded == 10)
            try expect(try Int.fetchOne(db, Book.select(near.forKey("near"))) == 1)
        }
    }
}

func librarySnippets9(_ queue: DatabaseQueue, _ snippet: SnippetLog) throws {
    try snippet("DerivableRequest extended by a library") {
        try queue.read { db in
            try expect(
                try Book.all().cheap().orderedByTitle().fetchAll(db).map(\.title) == [
                    "Emma", "Persuasion",
                ])
            try expect(try Book.all().of(country: "GR").fetchCount(db) == 2)
            let authors = Author.including(all: Author.books.cheap(9).orderedByTitle())
            try expect(
                try Row.fetchAll(db, authors).map { $0.prefetchedRows["books"]?.count } == [
                    0, 1, 0,
                ])
        }
    }
    try snippet("DatabaseMigrator extended by a library") {
        let other = try DatabaseQueue()
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        migrator.registerLibraryMigrations(prefix: "lib")
        migrator.registerMigration("last", foreignKeyChecks: .immediate) { db in
            try db.alter(table: "lib1") { $0.add(column: "name", .text).notNull().defaults(to: "") }
        }
        migrator.registerMigration("merged", merging: ["old1", "old2"]) { _, ids in
            try expect(ids.isEmpty)
        }
        try expect(migrator.migrations == ["lib.1", "lib.2", "lib.3", "last", "merged"])
        try migrator.migrate(other, upTo: "lib.2")
        try other.read { db in
            try expect(try migrator.appliedIdentifiers(db) == ["lib.1", "lib.2"])
            try expect(try migrator.completedMigrations(db) == ["lib.1", "lib.2"])
            try expect(try !migrator.hasCompletedMigrations(db) && !migrator.hasBeenSuperseded(db))
        }
        try migrator.migrate(other)
        try other.read { try expect(try migrator.hasCompletedMigrations($0)) }
        migrator.eraseDatabaseOnSchemaChange = true
        try expect(try other.read(migrator.hasSchemaChanges) == false)
    }
}

func librarySnippets10(_ queue: DatabaseQueue, _ snippet: SnippetLog) throws {
    try snippet("registerAccess") {
        try queue.write { db in
            // What a library does before it writes by C functions.
            try db.registerAccess(to: .fullDatabase)
        }
        let recorded = Counter()
        let cancellable = ValueObservation.tracking { db -> Int in
            try db.registerAccess(to: Table("note"))
            recorded.value += 1
            return recorded.value
        }.start(in: queue, scheduling: LibraryScheduler(isImmediate: true)) { _ in
        } onChange: { _ in
        }
        try expect(recorded.value == 1)
        cancellable.cancel()
    }
    try snippet("Savepoints and reentrancy of a library") {
        try queue.write { db in
            try db.inSavepoint {
                try db.execute(sql: "INSERT INTO note(id) VALUES (1)")
                return .rollback
            }
            try db.inSavepoint { .commit }
            try queue.unsafeReentrantWrite { inner in try expect(inner === db) }
            try queue.unsafeReentrantRead { inner in try expect(inner === db) }
            try expect(try OldNote.fetchCount(db) == 0)
        }
    }
}
