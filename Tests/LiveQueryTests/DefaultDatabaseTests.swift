import Foundation
import StrongroomTables
import StrongroomTablesTesting
import StrongroomTestSupport
import Testing

private struct Inbox {
    @DefaultDatabase var database
}

@Suite("The default database", .timeLimit(.minutes(30)))
struct DefaultDatabaseTests {
    @Test("It is set once for the process", .proves("DDB-001", "DDB-002"))
    func process() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            #expect(throws: CancellationError.self) {
                try prepareDefaultDatabase { throw CancellationError() }
            }
            let database = try Library.inMemory()
            prepareDefaultDatabase { database }
            #expect(DefaultDatabase.current === database && Inbox().database === database)
            prepareDefaultDatabase {
                Issue.record("the second function is not called")
                return database
            }
            #expect(DefaultDatabase.current === database)
            let detached = await Task.detached { DefaultDatabase.current === database }.value
            #expect(detached)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let warning = "warning: the default database is set already"
        #expect(text.components(separatedBy: warning).count == 2, "\(text)")
    }

    @Test("In previews the last one counts", .proves("DDB-001", "DDB-009"))
    func previews() async {
        await #expect(processExitsWith: .success) {
            setenv("XCODE_RUNNING_FOR_PREVIEWS", "1", 1)
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1") { try Library.fill($0) }
            try DefaultDatabase.preview(migrator) { Mark(name: "a") }
            let second = try DefaultDatabase.preview(migrator) {
                Item.Draft(title: "b", folderID: 9)
                Folder(id: 9, title: "f")
            }
            #expect(DefaultDatabase.current === second)
            try await second.read { (db) throws in
                #expect(try Item.fetchCount(db) == 4 && Mark.fetchCount(db) == 0)
            }
        }
    }

    @Test("A scope has its own, and so have its child tasks", .proves("DDB-003", "OBV-007"))
    func scope() async throws {
        let outer = try Library.inMemory()
        let inner = try Library.inMemory()
        try await inner.write { try $0.execute(sql: "DELETE FROM items") }
        let wrapper = withDefaultDatabase(outer) {
            let inbox = Inbox()
            withDefaultDatabase(inner) {
                #expect(DefaultDatabase.current === inner && inbox.database === outer)
            }
            return FetchAll(Item.all)
        }
        await withDefaultDatabase(inner) {
            async let child = DefaultDatabase.current === inner
            #expect(await child)
            await withTaskGroup(of: Bool.self) { group in
                group.addTask { FetchAll(Item.all).wrappedValue.isEmpty }
                for await isEmpty in group { #expect(isEmpty) }
            }
        }
        // A wrapper keeps the one that it was made with.
        _ = try await withDefaultDatabase(inner) { try await wrapper.load() }
        #expect(wrapper.wrappedValue.count == 3)
        #expect(FetchAll(Item.all, database: inner).wrappedValue.isEmpty)
    }

    @Test(
        "Where there is none, a warning says once what to do, and wrappers fetch nothing",
        .proves("DDB-004", "DDB-007", "OBV-029"))
    func missing() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let items = FetchAll<Item>()
            let count = FetchOne(wrappedValue: 7, Item.count(), firstFetch: .background)
            #expect(items.wrappedValue.isEmpty && count.wrappedValue == 7)
            #expect(items.loadError is DefaultDatabaseMissing)
            #expect(count.loadError is DefaultDatabaseMissing && !count.isLoading)
            await #expect(throws: DefaultDatabaseMissing.self) { try await items.load() }
            let tables = try await DefaultDatabase.current.read { (db) throws in
                try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema")
            }
            #expect(tables == [])
            // A database that is named later is another.
            let database = try Library.inMemory()
            try await items.load(Item.all, database: database, scheduler: .task)
            #expect(items.wrappedValue.count == 3 && items.loadError == nil)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let words = "there is no default database"
        #expect(text.components(separatedBy: words).count == 2, "\(text)")
        for way in ["prepareDefaultDatabase", "DefaultDatabase.preview", "'.defaultDatabase"] {
            #expect(text.contains(way))
        }
    }

    @Test("In tests its file is temporary, and encrypted like any", .proves("DDB-006", "DDB-008"))
    func temporaryFile() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            let configuration = FixtureDatabase.configuration()
            let database = try defaultDatabase(configuration: configuration)
            let other = try defaultDatabase(configuration: configuration)
            try await database.write { try Library.fill($0) }
            #expect(database.path != other.path && database is DatabasePool)
            let folder = URL(fileURLWithPath: database.path).deletingLastPathComponent().path
            let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions]
            #expect(mode as? Int == 0o700)
            let start = try FileHandle(forReadingFrom: URL(fileURLWithPath: database.path))
                .read(upToCount: 15)
            #expect(start?.count == 15 && start != Data("SQLite format 3".utf8))
            let own = try TemporaryDirectory()
            let named = try defaultDatabase(
                path: own.path(of: "a.sqlite"), configuration: configuration)
            #expect(named.path == own.path(of: "a.sqlite"))
            print("FOLDER \(folder)")
        }
        let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let folder = text.split(separator: "\n").first { $0.contains("FOLDER ") }?
            .split(separator: " ").last.map(String.init)
        #expect(folder?.isEmpty == false && !FileManager.default.fileExists(atPath: folder ?? "/"))
    }
}

@Suite("A trait gives each test a database of its own", .defaultDatabase { try Library.inMemory() })
struct DefaultDatabaseTraitTests {
    @DefaultDatabase var database
    private static let seen = Locked<[ObjectIdentifier: any DatabaseWriter]>([:])

    @Test("Each case has a new one", .proves("DDB-005"), arguments: 1...20)
    func cases(number: Int) async throws {
        #expect(database === DefaultDatabase.current)
        try await database.write { db in
            #expect(try Item.fetchCount(db) == 3)
            try db.execute(sql: "INSERT INTO items VALUES (9, '', 0, 1, '', 1)")
        }
        // The databases are kept, so that none has the identity of an earlier one.
        let isNew = Self.seen.withLock {
            $0.updateValue(database, forKey: ObjectIdentifier(database)) == nil
        }
        #expect(isNew)
        @FetchOne(Item.count(), scheduler: .task) var count = 0
        #expect(count == 4)
    }

    @Test(
        "A test may have another", .defaultDatabase { try DatabaseQueue(named: "other") },
        .proves("DDB-005"))
    func inner() async throws {
        try await DefaultDatabase.current.read { (db) throws in
            #expect(try !db.tableExists("items"))
        }
    }
}
