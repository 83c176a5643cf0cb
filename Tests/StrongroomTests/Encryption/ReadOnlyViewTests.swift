import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite("Through a read-only mount of what others can write", .mayMountViews)
struct ReadOnlyViewTests {
    let fixture: FixtureDatabase
    let view: ReadOnlyView
    let output: TemporaryDirectory

    init() throws {
        fixture = try FixtureDatabase(named: "app.db")
        view = try ReadOnlyView(of: fixture.directory.path)
        output = try TemporaryDirectory()
    }

    private var key: CipherKey {
        get throws { try Array(fixture.key.utf8).withUnsafeBytes { try CipherKey(parsing: $0) } }
    }

    private func seen(_ name: String = "app.db", isPlain: Bool = false) throws -> DatabaseFile {
        DatabaseFile(path: view.path(of: name), key: isPlain ? nil : try key)
    }

    /// Two tables that always agree; what was changed last is in the log alone.
    private func open(encrypted: Bool = true) throws -> DatabaseQueue {
        var configuration = encrypted ? FixtureDatabase.configuration() : Configuration()
        configuration.journalMode = .wal
        let queue = try DatabaseQueue(path: fixture.path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA wal_autocheckpoint = 0;
                    CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER, a BLOB);
                    CREATE TABLE u(id INTEGER PRIMARY KEY, n INTEGER, a BLOB);
                    INSERT INTO t WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c
                        WHERE i < 1000) SELECT i, 0, randomblob(300) FROM c;
                    INSERT INTO u SELECT * FROM t
                    """)
            try db.checkpoint(.truncate)
            try Self.change(db)
        }
        return queue
    }

    private static func change(_ db: Database) throws {
        try db.inTransaction {
            try db.execute(sql: "UPDATE t SET n = n + 1; UPDATE u SET n = n + 1")
            return .commit
        }
    }

    /// Leaves the files of a database in use, as a snapshot of the disk has them.
    private func leave(_ suffixes: String..., as name: String) throws {
        for suffix in suffixes {
            try FileManager.default.copyItem(
                atPath: fixture.path + suffix,
                toPath: fixture.directory.path(of: name) + suffix)
        }
    }

    /// What commands get from a file: all rows are new.
    private func expectNewest(_ file: DatabaseFile) throws {
        #expect(try file.check().isSound)
        for destinationKey in [nil, try key] {
            let copy = DatabaseFile(path: output.path(of: "copy.db"), key: destinationKey)
            #expect(try file.transfer(to: copy, overwrite: true).rowCount == 2000)
            let queue = try copy.open()
            let count = try queue.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM t JOIN u USING (id, n) WHERE n = 1")
            }
            #expect(count == 1000)
        }
        guard file.key != nil else { return }
        let pages = try CommittedPages(of: file)
        defer { try? pages.close() }
        #expect(pages.letsWritersGoOn)
        let survey = try pages.pages.survey(with: pages.key)
        #expect(survey.count(.authentic) == Int(pages.pageCount))
    }

    private func expectRefusal(_ file: DatabaseFile) throws {
        let copy = DatabaseFile(path: output.path(of: "copy.db"), key: try key)
        let works: [() throws -> Void] = [
            { _ = try file.check() }, { _ = try file.transfer(to: copy) },
            { try CommittedPages(of: file).close() },
        ]
        for work in works {
            let error = #expect(throws: DatabaseFileError.self) { try work() }
            #expect(error?.code == .readOnly)
            #expect(error?.hint?.contains("copy") == true)
        }
    }

    @Test("the log of a database in use is read", .proves("LOD-07"), arguments: [true, false])
    func inUse(encrypted: Bool) throws {
        let queue = try open(encrypted: encrypted)
        try expectNewest(seen(isPlain: !encrypted))
        try queue.close()
    }

    @Test("the log that a process has left is read", .proves("LOD-07"))
    func left() throws {
        let queue = try open()
        try leave("", "-wal", "-shm", as: "left.db")
        try queue.close()
        try expectNewest(seen("left.db"))
    }

    @Test("a log without its index is refused, not overlooked", .proves("LOD-07"))
    func leftWithoutIndex() throws {
        let queue = try open()
        try leave("", "-wal", as: "left.db")
        try queue.close()
        try expectRefusal(seen("left.db"))
    }

    @Test("a database without a log is read under its lock, or refused", .proves("LOD-07"))
    func atRest() throws {
        let queue = try open()
        try queue.close()
        // A commit could come at any time, and would need the index to be seen.
        try expectRefusal(seen())
        try fixture.shell().run("PRAGMA journal_mode = DELETE")
        #expect(try seen().check().isSound)
        let pages = try CommittedPages(of: seen())
        #expect(throws: SQLCipherShell.Failure.self) {
            try fixture.shell().run("UPDATE t SET n = 2")
        }
        try pages.close()
        try fixture.shell().run("UPDATE t SET n = 2")
    }

    @Test("copies and checks beside a writer are of one state", .proves("LOD-07"))
    func besideWriter() throws {
        let queue = try open()
        defer { try? queue.close() }
        let isDone = Locked(false)
        let changes = Locked(0)
        let problems = Collected()
        let writer = DispatchQueue(label: "writer")
        // Readers never let it begin its log anew: without an end to a round they read ever more.
        let permits = DispatchSemaphore(value: 0)
        writer.async {
            do {
                while true {
                    permits.wait()
                    guard !isDone.withLock({ $0 }) else { break }
                    try queue.writeWithoutTransaction { db in
                        try Self.change(db)
                        try db.checkpoint(.passive)
                    }
                    changes.withLock { $0 += 1 }
                }
            } catch {
                problems.add("\(error)")
            }
        }
        defer { writer.sync {} }
        defer {
            isDone.withLock { $0 = true }
            permits.signal()
        }
        try copyAndCheck(changes) {
            for _ in 0..<25 { permits.signal() }
        }
        #expect(changes.withLock { $0 } > 0)
        #expect(problems.texts == [])
    }

    private func copyAndCheck(_ changes: Locked<Int>, permitting: () -> Void) throws {
        let file = try seen()
        for _ in 0..<8 {
            permitting()
            let before = changes.withLock { $0 }
            let copy = DatabaseFile(path: output.path(of: "copy.db"), key: try key)
            try file.transfer(to: copy, overwrite: true)
            let queue = try copy.open()
            let (least, most) = try queue.read { db in
                (
                    try Int.fetchOne(
                        db, sql: "SELECT min(n) FROM (SELECT n FROM t UNION SELECT n FROM u)"),
                    try Int.fetchOne(
                        db, sql: "SELECT max(n) FROM (SELECT n FROM t UNION SELECT n FROM u)")
                )
            }
            #expect(least == most)
            // What was committed when it began is in it.
            #expect((least ?? 0) > before)
            #expect(try file.check(quick: true).isSound)
            let pages = try CommittedPages(of: file)
            defer { try? pages.close() }
            let survey = try pages.pages.survey(with: pages.key)
            #expect(survey.count(.authentic) == Int(pages.pageCount))
        }
    }
}

@Suite("On a file system that nobody can write", .mayMount)
struct ReadOnlyFileSystemTests {
    @Test("a log is read or refused", .proves("LOD-07"), arguments: [true, false])
    func log(hasIndex: Bool) throws {
        let fixture = try FixtureDatabase()
        let mounted = try MountedFolder(megabytes: 4)
        let queue = try fixture.open { $0.journalMode = .wal }
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        for suffix in ["", "-wal"] + (hasIndex ? ["-shm"] : []) {
            try FileManager.default.copyItem(
                atPath: fixture.path + suffix, toPath: mounted.path(of: "app.db") + suffix)
        }
        try mounted.makeReadOnly()
        let key = try Array(fixture.key.utf8).withUnsafeBytes { try CipherKey(parsing: $0) }
        let file = DatabaseFile(path: mounted.path(of: "app.db"), key: key)
        let copy = DatabaseFile(path: fixture.directory.path(of: "copy.db"), key: key)
        if hasIndex {
            #expect(try file.transfer(to: copy).rowCount == 1)
            #expect(try file.check().isSound)
        } else {
            let error = #expect(throws: DatabaseFileError.self) { try file.transfer(to: copy) }
            #expect(error?.code == .readOnly)
        }
    }

    @Test("is told from a read-only mount of one that can be written", .proves("LOD-07"))
    func mountInformation() {
        let lines = [
            "36 35 98:0 / /mnt ro,noatime master:1 - ext4 /dev/sda1 ro,errors=continue": true,
            "36 35 98:0 / /mnt ro,noatime - ext4 /dev/sda1 ro": true,
            "36 35 98:0 / /mnt ro,noatime - ext4 /dev/sda1 rw,errors=remount-ro": false,
            "36 35 0:41 / /mnt ro - nfs4 server:/data ro,vers=4": false,
            "36 35 0:41 / /mnt ro - overlay overlay ro,lowerdir=/a": false,
            "36 35 98:0 / /mnt ro": false, "": false,
        ]
        for (line, isReadOnly) in lines {
            #expect(FileSystem.isReadOnlyFileSystem(line[...]) == isReadOnly, "\(line)")
        }
    }
}
