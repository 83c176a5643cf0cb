public import StrongroomCore

/// Keeps a database in step with the other devices of a space, by way of a hub.
///
/// ```swift
/// let engine = try await SyncEngine(for: database, transport: .folder("/mnt/share/hub")) {
///     SyncedTable("player", merge: ["score": .counter])
/// }
/// try await engine.synchronize()
/// ```
///
/// 1. All that it keeps is in the database's own file, changed in the transactions of the rows.
/// 2. One engine at a time has a file; one exchange at a time runs in it.
/// 3. A transaction of the engine first takes what the app wrote, then merges what came.
/// 4. Nothing that was written here is lost or withdrawn because sending failed.
public actor SyncEngine {
    let writer: any DatabaseWriter
    let hub: any SyncTransport
    let options: SyncOptions
    var store: SyncStore
    var membership: SpaceMembership
    let lock: EngineLock?
    /// The tables that this device shares, as the space is told of them.
    var ownTables: SharedTables
    /// What the app declares: also what cannot be shared now.
    let declarations: [SyncedTable]
    let appVersion: UInt32
    /// What the app has dropped.
    var goneContents: GoneContents
    /// Where the roster was when this device last agreed with it on the tables.
    var agreedPosition: RosterPosition?
    var holdSize: HoldSize
    /// The same for notes that become batches.
    var takeSize: HoldSize
    var pace = HoldPace()
    /// How long the last transaction worked, without what the disk took to make it durable.
    var workSeconds = 0.0
    /// Whether the file was restored or copied, and has not begun a new run yet.
    var isCopy: Bool
    /// Whether this engine need not begin a run because of what its hub cannot do.
    var hasSafeRun = false
    /// What the last exchange found in the hub.
    var findings = HubFindings()
    /// Whether the file may have more than `store`.
    private var isStale = false
    /// Whether this engine has compared its logs in the hub with its outbox.
    var hasExaminedHub = false
    private var isBusy = false
    var isClosed = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    var running: Task<Void, Never>?
    let board: StatusBoard

    init(_ opened: OpenedSpace, _ writer: any DatabaseWriter, _ hub: any SyncTransport) {
        self.writer = writer
        self.hub = hub
        options = opened.options
        holdSize = HoldSize(fixed: options.holdCount)
        takeSize = HoldSize(fixed: options.holdCount)
        store = opened.store
        membership = opened.membership
        lock = opened.lock
        ownTables = opened.tables
        declarations = opened.declarations
        appVersion = opened.appVersion
        goneContents = opened.gone
        findings = opened.findings
        isCopy = opened.isCopy
        board = StatusBoard(
            SyncStatus(
                space: opened.membership.space.hexadecimal,
                device: opened.membership.identity.device.hexadecimal,
                withheldTables: opened.withheld))
    }

    /// Opens the engine of a database, and creates a space if the database belongs to none.
    ///
    /// It waits as long as another engine has the database.
    ///
    /// - Parameters:
    ///   - writer: The database.
    ///   - transport: The hub.
    ///   - name: The name of this device, which the others of the space can read.
    ///   - startImmediately: Whether it exchanges by itself from now on, as ``start()`` says.
    ///   - delegate: Who hears of events; the engine does not keep it.
    ///   - appVersion: The version of the app: see ``requireAppVersion(_:)``.
    ///   - tables: The tables that are shared.
    /// - Throws: ``SyncSchemaError`` if tables cannot be shared; ``SyncError``; ``HubError`` if a new space cannot
    ///   be stored; `DatabaseError`.
    public init(
        for writer: any DatabaseWriter, transport: any SyncTransport, name: String = "device",
        startImmediately: Bool = false, delegate: (any SyncEngineDelegate)? = nil,
        appVersion: Int = 0, @SyncedTablesBuilder tables: @Sendable () -> [SyncedTable]
    ) async throws {
        try await self.init(
            for: writer, tables: tables(), transport: transport, name: name,
            startImmediately: startImmediately, delegate: delegate, appVersion: appVersion)
    }

    /// The same with the tables as an array.
    public init(
        for writer: any DatabaseWriter, transport: any SyncTransport, name: String = "device",
        startImmediately: Bool = false, appVersion: Int = 0, tables: [SyncedTable]
    ) async throws {
        try await self.init(
            for: writer, tables: tables, transport: transport, name: name,
            startImmediately: startImmediately, appVersion: appVersion)
    }

    /// The same with tables that only the member's own devices are to have.
    ///
    /// As long as all devices of a space are one member's, they have both kinds alike. But a table cannot be private on one
    /// device and not on another.
    ///
    /// - Parameters:
    ///   - tables: The tables that are shared.
    ///   - privateTables: The tables that other members never get.
    ///   - delegate: Who hears of events; the engine does not keep it.
    public init(
        for writer: any DatabaseWriter, tables: [SyncedTable], privateTables: [SyncedTable] = [],
        transport: any SyncTransport, name: String = "device", startImmediately: Bool = false,
        delegate: (any SyncEngineDelegate)? = nil, appVersion: Int = 0
    ) async throws {
        var options = SyncOptions()
        options.appVersion = appVersion
        let opened = try await OpenedSpace.openOrCreate(
            writer, transport, tables + privateTables.map(\.asPrivate), name: name, options)
        self.init(opened, writer, transport)
        do {
            try await finishOpening()
        } catch {
            opened.lock?.release()
            throw error
        }
        if let delegate { tell(delegate) }
        if startImmediately { start() }
    }

    private func tell(_ delegate: any SyncEngineDelegate) {
        let events = events
        Task { [weak self, weak delegate] in
            for await event in events {
                guard let self, let delegate else { return }
                await delegate.syncEngine(self, didReceive: event)
            }
        }
    }

    /// Whether the engine writes now, as triggers and typed code see it.
    ///
    /// SQL asks `(SELECT origin FROM strongroom_sync_state)`.
    ///
    /// - Parameter db: The connection that writes.
    public static func isApplying(_ db: Database) -> Bool {
        db.origin.map { origin in SyncOrigin.allCases.contains { $0.rawValue == origin } } ?? false
    }

    /// How the device stands now.
    public nonisolated var status: SyncStatus { board.status }

    /// The status now, and again whenever it changes, as long as the engine is there.
    ///
    ///     for await status in engine.statuses { print(status.pendingChanges, status.heldRows) }
    public nonisolated var statuses: AsyncStream<SyncStatus> { board.statuses }

    /// What happens from now on, as long as the engine is there.
    ///
    ///     for await event in engine.events { print(event.message) }
    public nonisolated var events: AsyncStream<SyncEvent> { board.events }

    /// Whether it exchanges by itself.
    public nonisolated var isRunning: Bool { status.isRunning }

    /// Whether changes are being sent.
    public nonisolated var isSendingChanges: Bool { status.isSendingChanges }

    /// Whether changes are being fetched.
    public nonisolated var isFetchingChanges: Bool { status.isFetchingChanges }

    /// Whether an exchange is going on.
    public nonisolated var isSynchronizing: Bool { status.isSynchronizing }

    /// The space, in 64 hexadecimal digits.
    public nonisolated var space: String { status.space }

    // MARK: - One at a time

    func exclusively<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        try await alone {
            guard !isClosed else { throw SyncError.closed(writer.path) }
            if isStale {
                try await prepareAgain()
                isStale = false
            }
            return try await body()
        }
    }

    /// The same, whatever state the engine is in.
    func alone<T: Sendable>(_ body: () async throws -> T) async rethrows -> T {
        while isBusy { await withCheckedContinuation { waiting.append($0) } }
        isBusy = true
        defer {
            isBusy = false
            if !waiting.isEmpty { waiting.removeFirst().resume() }
        }
        return try await body()
    }

    func change(_ body: (inout SyncStatus) -> Void) { board.change(body) }

    // MARK: - Transactions

    /// Runs a transaction in which foreign keys are off and triggers take no notes.
    ///
    /// - Parameter body: Changes merged states and rows; the store is a copy, which counts once all is committed.
    func transaction<T: Sendable>(
        _ body: @Sendable (StoreSession, inout SyncStore) throws -> T
    ) async throws -> T {
        let pause = pace.pause(at: ContinuousClock.now)
        // The end of the task does not shorten what comes next.
        if pause > .zero, options.holdCount == nil { try? await Task.sleep(for: pause) }
        // What an error leaves in the file is read from there: a commit may have failed after it was made.
        isStale = true
        let done: EngineTransaction<T>
        do {
            done = try await writer.engineTransaction(store, body)
        } catch let error as NotesNeeded {
            isStale = false
            throw error
        }
        isStale = false
        pace.note(HoldPace.Hold(start: done.start, end: .now, version: done.version))
        store = done.store
        workSeconds = done.seconds
        return done.result
    }

    /// Now by the device's clock, in milliseconds since 1970.
    func now() -> Int64 { options.time() }

    /// Now by the hub's clock, as far as it is known.
    func hubTime() -> Int64 { now().addingReportingOverflow(store.offset ?? 0).partialValue }

    func sealer() throws -> BatchSealer {
        guard let sealer = membership.sealer(store.space.fingerprint, options) else {
            throw SyncError(
                .notMember, membership.space.hexadecimal,
                "this device does not have the present key of the space",
                hint: "it was removed, or another device has to exchange first")
        }
        return sealer
    }
}

/// Lists the tables of an engine.
@resultBuilder
public enum SyncedTablesBuilder {
    /// Joins the tables of a closure.
    public static func buildBlock(_ tables: SyncedTable...) -> [SyncedTable] { tables }
}

extension DatabaseWriter {
    /// Runs a transaction of an engine: foreign keys are off, so that no action fires and no order is needed.
    func engineTransaction<T: Sendable>(
        _ store: SyncStore, _ body: @Sendable (StoreSession, inout SyncStore) throws -> T
    ) async throws -> EngineTransaction<T> {
        try await withoutForeignKeys { db in
            let start = ContinuousClock.now
            let version = try Int64.fetchOne(db, sql: "PRAGMA main.data_version") ?? 0
            var store = store
            let session = try StoreSession(db, store)
            let result = try db.applyingChanges { try body(session, &store) }
            try store.adopt(session, db)
            return EngineTransaction(
                store: store, result: result, seconds: (ContinuousClock.now - start).seconds,
                start: start,
                version: version)
        }
    }

    func withoutForeignKeys<T: Sendable>(
        _ body: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await writeWithoutTransaction { db in
            try db.withoutForeignKeys {
                var value: T?
                try db.inTransaction(.immediate) {
                    value = try body(db)
                    return .commit
                }
                guard let value else { throw SyncError.damagedStore("a transaction") }
                return value
            }
        }
    }
}
