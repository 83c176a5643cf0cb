import Dispatch
import Foundation
import Strongroom

// Connections: configurations, accesses through the protocols, transactions, observers, snapshots.

func connectionSnippets(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try connectionSnippets1(pool, snippet)
    try connectionSnippets7(pool, snippet)
    try connectionSnippets2(pool, snippet)
    try connectionSnippets3(pool, snippet)
    try connectionSnippets8(pool, snippet)
    try connectionSnippets4(pool, snippet)
    try connectionSnippets5(pool, snippet)
    try connectionSnippets6(pool, snippet)
    try connectionSnippets9(pool, snippet)
}

func connectionSnippets1(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("Configuration, all of it") {
        var configuration = pool.configuration
        configuration.label = "library"
        configuration.readonly = true
        configuration.maximumReaderCount = 2
        configuration.foreignKeysEnabled = false
        configuration.persistentReadOnlyConnections = true
        configuration.observesSuspensionNotifications = false
        configuration.publicStatementArguments = true
        configuration.acceptsDoubleQuotedStringLiterals = true
        configuration.allowsUnsafeTransactions = true
        configuration.qos = .utility
        configuration.targetQueue = DispatchQueue(label: "target", qos: .utility)
        configuration.writeTargetQueue = configuration.targetQueue
        try expect(configuration.readQoS == .utility && configuration.writeQoS == .utility)
        let reader = try DatabasePool(path: pool.path, configuration: configuration)
        try reader.read { db in
            try expect(
                db.configuration.label?.hasPrefix("library") == true
                    && db.description.contains("library"))
            try expect(try String.fetchOne(db, sql: "SELECT \"double\"") == "double")
            try expect(try Int.fetchOne(db, sql: "PRAGMA foreign_keys") == 0)
        }
        try expectError(DatabaseError.self) { _ = try reader.write { try Author.deleteAll($0) } }
        try reader.close()
    }
}

func connectionSnippets7(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("journalMode and busyMode") {
        var configuration = pool.configuration
        configuration.journalMode = .wal
        let tries = Counter()
        configuration.busyMode = .callback { count in
            tries.value = count + 1
            return count < 2
        }
        let queue = try DatabaseQueue(path: pool.path, configuration: configuration)
        try expect(try queue.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        try pool.writeInTransaction { _ in
            do {
                try queue.inTransaction(.immediate) { _ in .commit }
                try expect(false)
            } catch DatabaseError.SQLITE_BUSY {}
            return .commit
        }
        try expect(tries.value == 3)
        try queue.close()
        configuration.busyMode = .timeout(0.01)
        configuration.journalMode = .default
    }
    try snippet("AnyDatabaseReader, AnyDatabaseWriter") {
        let reader = AnyDatabaseReader(pool)
        let writer = AnyDatabaseWriter(pool)
        try expect(try reader.read { try Book.fetchCount($0) } == 5)
        try expect(try reader.unsafeReentrantRead { try Book.fetchCount($0) } == 5)
        try writer.write { try $0.execute(sql: "DELETE FROM note") }
        try expect(try writer.unsafeReentrantWrite { try Book.fetchCount($0) } == 5)
        try expect(
            reader.path == pool.path && writer.configuration.label == pool.configuration.label)
        func count(_ reader: any DatabaseReader) throws -> Int {
            try reader.read { try Book.fetchCount($0) }
        }
        try expect(try count(reader) == 5 && count(writer) == 5 && count(pool) == 5)
    }
}

func connectionSnippets2(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("asyncUnsafeRead, spawnConcurrentRead") {
        let done = DispatchSemaphore(value: 0)
        pool.asyncUnsafeRead { result in
            if let db = try? result.get(), !db.isInsideTransaction { done.signal() }
        }
        done.wait()
        let writer: any DatabaseWriter = pool
        try pool.writeWithoutTransaction { db in
            writer.spawnConcurrentRead { result in
                let found = result.flatMap { db in Result { try OldNote.fetchCount(db) } }
                if case .success(0) = found { done.signal() }
            }
            done.wait()
            try db.execute(sql: "INSERT INTO note(text) VALUES ('late'); DELETE FROM note")
        }
    }
    try snippet("vacuum(into:)") {
        let path = pool.path + ".vacuumed"
        try pool.vacuum(into: path)
        let copy = try DatabaseQueue(path: path, configuration: pool.configuration)
        try expect(try copy.read { try Author.fetchCount($0) } == 3)
        try copy.close()
    }
    try snippet("checkpoints of each kind") {
        try pool.writeWithoutTransaction { db in
            for mode in [Database.CheckpointMode.passive, .full, .restart, .truncate] {
                let result = try db.checkpoint(mode)
                try expect(result.walFrameCount == result.checkpointedFrameCount)
            }
            try expect(try db.checkpoint(.truncate, on: "main").walFrameCount == 0)
        }
    }
    try snippet("backups whose progress throws") {
        struct Stop: Error {}
        let copy = try DatabaseQueue(path: pool.path + ".part", configuration: pool.configuration)
        let steps = Counter()
        try expectError(Stop.self) {
            try pool.backup(to: copy, pagesPerStep: 1) { progress in
                steps.value += 1
                try expect(
                    progress.remainingPageCount + progress.completedPageCount
                        == progress.totalPageCount)
                if !progress.isCompleted { throw Stop() }
            }
        }
        try expect(steps.value == 1)
        try pool.read { db in try copy.writeWithoutTransaction { try db.backup(to: $0) } }
        try expect(try copy.read { try Book.fetchCount($0) } == 5)
        try copy.close()
    }
}

func connectionSnippets3(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("transactions and what ends them") {
        struct Failure: Error {}
        try pool.writeWithoutTransaction { db in
            try expect(!db.isInsideTransaction)
            try db.inTransaction {
                try db.execute(sql: "INSERT INTO note(text) VALUES ('a')")
                return .rollback
            }
            try expectError(Failure.self) {
                try db.inTransaction(.exclusive) {
                    try db.execute(sql: "INSERT INTO note(text) VALUES ('b')")
                    throw Failure()
                }
            }
            try db.execute(sql: "BEGIN TRANSACTION")
            try expect(db.isInsideTransaction)
            try db.execute(sql: "ROLLBACK")
            try expect(try OldNote.fetchCount(db) == 0)
        }
        try expectError(Failure.self) {
            try pool.write { db in
                try db.execute(sql: "INSERT INTO note(text) VALUES ('c')")
                throw Failure()
            }
        }
        try expect(try pool.read { try OldNote.fetchCount($0) } == 0)
    }
}

func connectionSnippets8(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("savepoints that are nested") {
        struct Failure: Error {}
        try pool.writeWithoutTransaction { db in
            try db.inSavepoint {
                try db.execute(sql: "INSERT INTO note(text) VALUES ('outer')")
                try expectError(Failure.self) {
                    try db.inSavepoint {
                        try db.execute(sql: "INSERT INTO note(text) VALUES ('inner')")
                        throw Failure()
                    }
                }
                try db.inSavepoint {
                    try db.execute(sql: "INSERT INTO note(text) VALUES ('kept')")
                    return .commit
                }
                return .commit
            }
            try expect(try String.fetchSet(db, sql: "SELECT text FROM note") == ["outer", "kept"])
            try db.execute(sql: "DELETE FROM note")
        }
    }
    try snippet("readOnly, and a write inside it") {
        try pool.writeWithoutTransaction { db in
            try db.readOnly {
                try expectError(DatabaseError.self) { try db.execute(sql: "DELETE FROM note") }
            }
            try db.execute(sql: "DELETE FROM note")
        }
        try expectError(DatabaseError.self) {
            try pool.read { try $0.execute(sql: "DELETE FROM note") }
        }
    }
    try snippet("changes that are counted") {
        try pool.write { db in
            try db.execute(sql: "INSERT INTO note(text) VALUES ('a'), ('b')")
            try expect(db.changesCount == 2 && db.lastInsertedRowID > 0)
            let before = db.totalChangesCount
            try db.execute(sql: "DELETE FROM note")
            try expect(db.changesCount == 2 && db.totalChangesCount == before + 2)
            try expect(db.debugDescription.contains("Database") && db.lastErrorCode == .SQLITE_OK)
        }
    }
}
