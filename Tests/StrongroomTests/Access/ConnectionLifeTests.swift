import CSQLCipher
import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Synchronization
import Testing

/// How connections come to be, where they run, and when they close.
@Suite struct ConnectionLifeTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    /// The open descriptors of this process that lead to the database.
    private func openFiles() throws -> [String] {
        let folder = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "\(folder)/\(name)")
            return target.flatMap { $0.hasPrefix(fixture.directory.path) ? $0 : nil }
        }
    }

    @Test(.proves("CNF-012", "CNF-015"), arguments: WriterKind.allCases)
    func `A connection closes with its last user, and not before`(kind: WriterKind) throws {
        let mayGoOn = DispatchSemaphore(value: 0)
        let isDone = DispatchSemaphore(value: 0)
        let outcome = Collected()
        do {
            let writer = try fixture.open(kind)
            try writer.write { try $0.execute(sql: "CREATE TABLE t(a)") }
            _ = try writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") }
            writer.asyncWriteWithoutTransaction { db in
                mayGoOn.wait()
                do {
                    try db.execute(sql: "INSERT INTO t VALUES (1)")
                    outcome.add("written")
                } catch {
                    outcome.add("\(error)")
                }
                isDone.signal()
            }
        }
        #expect(try !openFiles().isEmpty)
        mayGoOn.signal()
        isDone.wait()
        #expect(outcome.texts == ["written"])
        // The access that was the last user may still be on its way out, on another thread.
        let deadline = ContinuousClock.now + .seconds(60)
        while try !openFiles().isEmpty, ContinuousClock.now < deadline { sched_yield() }
        #expect(try openFiles() == [])
        // Not before: the last connection to a WAL locks the file while it closes.
        #expect(try fixture.shell().cell("SELECT COUNT(*) FROM t") == 1)
    }

    @Test(.proves("CNF-012"))
    func `Snapshots outlive their pool, and close by themselves`() throws {
        var pool: DatabasePool? = try fixture.openPool()
        try pool?.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        var snapshot = try pool?.makeSnapshot()
        pool = nil
        #expect(try snapshot?.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } == 0)
        snapshot = nil
        #expect(try openFiles() == [])
    }

    @Test(.proves("CNF-017"))
    func `A configuration takes effect at opening only`() throws {
        var configuration = FixtureDatabase.configuration()
        let queue = try DatabaseQueue(path: fixture.path, configuration: configuration)
        configuration.readonly = true
        configuration.prepareDatabase { _ in throw CancellationError() }
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        #expect(!queue.configuration.readonly)
        let factory = Configuration()
        #expect(
            !factory.readonly && factory.foreignKeysEnabled && factory.maximumReaderCount == 5
                && !factory.persistentReadOnlyConnections && factory.label == nil
                && !factory.observesSuspensionNotifications && factory.qos == .userInitiated
                && !factory.allowsUnsafeTransactions && !factory.publicStatementArguments)
    }

    @Test(.proves("CNF-009"))
    func `A database that may only be read can be copied, and the copy be written`() throws {
        try fixture.open().write { try $0.execute(sql: "CREATE TABLE t(a)") }
        #expect(chmod(fixture.path, 0o400) == 0)
        let bundled = try fixture.open { $0.readonly = true }
        #expect(try bundled.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } == 0)
        try bundled.close()
        let path = fixture.directory.path(of: "copy")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
        #expect(chmod(path, 0o600) == 0)
        let copy = try DatabaseQueue(path: path, configuration: FixtureDatabase.configuration())
        try copy.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }

    @Test(.proves("CNF-035", "CNF-036"), arguments: WriterKind.allCases)
    func `Accesses run on the queues of the configuration`(kind: WriterKind) async throws {
        let key = DispatchSpecificKey<String>()
        let reads = DispatchQueue(label: "reads", qos: .utility)
        let writes = DispatchQueue(label: "writes", qos: .background)
        reads.setSpecific(key: key, value: "reads")
        writes.setSpecific(key: key, value: "writes")
        let writer = try fixture.open(kind) { configuration in
            #expect(configuration.readQoS == .userInitiated)
            configuration.qos = .default
            #expect(configuration.readQoS == .default && configuration.writeQoS == .default)
            configuration.targetQueue = reads
            #expect(configuration.readQoS == .utility && configuration.writeQoS == .utility)
            configuration.writeTargetQueue = writes
            #expect(configuration.readQoS == .utility && configuration.writeQoS == .background)
        }
        let reader = kind == .pool ? "reads" : "writes"
        func place(_ db: Database) -> String? { DispatchQueue.getSpecific(key: key) }
        func inThisThread() throws -> [String?] {
            [try writer.read(place), try writer.write(place)]
        }
        #expect(try inThisThread() == [reader, "writes"])
        #expect(try await writer.read { _ in DispatchQueue.getSpecific(key: key) } == reader)
        #expect(try await writer.write { _ in DispatchQueue.getSpecific(key: key) } == "writes")
        let asynchronous = await withCheckedContinuation { done in
            writer.asyncRead { _ in done.resume(returning: DispatchQueue.getSpecific(key: key)) }
        }
        #expect(asynchronous == reader)
    }

    @Test(.proves("CNF-024", "IRQ-009"))
    func `A log that is kept lets connections read that cannot create it`() throws {
        let pool = try fixture.openPool { configuration in
            configuration.prepareDatabase { db in
                guard !db.configuration.readonly else { return }
                var isKept: CInt = 1
                let code = sqlite3_file_control(
                    db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
                #expect(code == SQLITE_OK)
            }
        }
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        try pool.close()
        for suffix in ["-wal", "-shm"] {
            #expect(FileManager.default.fileExists(atPath: fixture.path + suffix))
        }
        let reader = try fixture.open { $0.readonly = true }
        #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 1)
        try reader.close()
    }

    @Test(.proves("CNF-011", "CCY-012", "CCY-051"))
    func `Queues and pools are interchangeable`() throws {
        func deposit(_ amount: Int, in writer: any DatabaseWriter) throws -> Int {
            try writer.write { db in
                try db.execute(sql: "CREATE TABLE IF NOT EXISTS account(amount)")
                let old = try Int.fetchOne(db, sql: "SELECT amount FROM account") ?? 0
                try db.execute(
                    sql: "DELETE FROM account; INSERT INTO account VALUES (?)",
                    arguments: [old + amount])
            }
            return try writer.read { try Int.fetchOne($0, sql: "SELECT amount FROM account") ?? 0 }
        }
        let queue = try fixture.open()
        #expect(try deposit(5, in: queue) == 5)
        try queue.close()
        let pool = try fixture.openPool()
        #expect(try deposit(6, in: pool) == 11)
        struct Failure: Error {}
        #expect(throws: Failure.self) { try pool.read { _ in throw Failure() } }
    }

    @Test(.proves("CCY-008", "CCY-009"))
    func `A queue reads where it writes, and two queues on one file get in each other's way`()
        throws
    {
        let queue = try fixture.open()
        let writer = try queue.write { ObjectIdentifier($0) }
        #expect(try queue.read { ObjectIdentifier($0) } == writer)
        let other = try fixture.open()
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE t(a)")
                try other.write { _ in }
            }
        }
        #expect(error?.resultCode == .SQLITE_BUSY)
    }

    @Test(.proves("CCY-050"), arguments: WriterKind.allCases)
    func `Synchronous accesses may be made inside tasks`(kind: WriterKind) async throws {
        let writer = try fixture.open(kind)
        @Sendable func increment() throws {
            try writer.write { try $0.execute(sql: "UPDATE t SET a = a + 1") }
            _ = try writer.read { try Int.fetchOne($0, sql: "SELECT a FROM t") }
        }
        try await writer.write {
            try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (0)")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { try increment() } }
            try await group.waitForAll()
        }
        #expect(try await writer.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 50)
    }

    @Test(.proves("FUN-007"))
    func `A function exists on the connections that it was added to`() throws {
        let answer = DatabaseFunction("answer", argumentCount: 0) { _ in 42 }
        let pool = try fixture.openPool()
        pool.writeWithoutTransaction { $0.add(function: answer) }
        #expect(try pool.write { try Int.fetchOne($0, sql: "SELECT answer()") } == 42)
        let error = #expect(throws: DatabaseError.self) {
            try pool.read { try Int.fetchOne($0, sql: "SELECT answer()") }
        }
        #expect(error?.message?.contains("no such function") == true)
        try pool.close()
        let prepared = try fixture.openPool { configuration in
            configuration.prepareDatabase { $0.add(function: answer) }
        }
        #expect(try prepared.read { try Int.fetchOne($0, sql: "SELECT answer()") } == 42)
    }
}
