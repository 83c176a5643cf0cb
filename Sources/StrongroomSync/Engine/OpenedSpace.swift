internal import StrongroomCore

/// A database that belongs to a space, with everything that an engine begins with.
struct OpenedSpace: Sendable {
    var membership: SpaceMembership
    var store: SyncStore
    var tables: SharedTables
    /// What the app declares.
    let declarations: [SyncedTable]
    /// The tables among them that cannot be shared now, with the reasons.
    let withheld: [String: String]
    var gone: GoneContents
    let findings: HubFindings
    let appVersion: UInt32
    /// Whether the file was restored or copied, as its witness says.
    var isCopy = false
    let options: SyncOptions
    let lock: EngineLock?
    /// Whether the file has just come into the space.
    let isNew: Bool
    /// The tables that are shared, and the first names of those that the space knows.
    let captured: [CapturedTable]
    let known: Set<String>
    /// What is left to be compared, those first that the space knows.
    var scans: [TableScan]
    var noted = NotedRows()
    /// Whether rows were shown as the schema wants them, or are left to the next exchange.
    var hasShown = false

    // MARK: - Opening

    static func openOrCreate(
        _ writer: any DatabaseWriter, _ hub: any SyncTransport, _ tables: [SyncedTable],
        name: String, _ options: SyncOptions
    ) async throws -> OpenedSpace {
        try await locked(writer, options) { lock in
            let known = try await writer.read { try SpaceMembership.load($0) }
            if known != nil {
                return try await open(writer, tables, options, lock)
            }
            return try await create(writer, hub, tables, name: name, options, lock)
        }
    }

    /// Opens a database that belongs to a space.
    static func open(
        _ writer: any DatabaseWriter, _ tables: [SyncedTable], _ options: SyncOptions,
        _ lock: EngineLock?
    ) async throws -> OpenedSpace {
        try await writer.withoutForeignKeys { db in
            guard let membership = try SpaceMembership.load(db) else { throw noSpace(writer.path) }
            return try prepare(db, writer.path, membership, tables, options, lock)
        }.ready(writer)
    }

    static func noSpace(_ path: String) -> SyncError {
        SyncError(
            .noSpace, path, "\(path) belongs to no space",
            hint: "create one, or join one with a ticket")
    }

    /// Takes the lock of the file, which ends at once if what is done with it fails.
    static func locked(
        _ writer: any DatabaseWriter, _ options: SyncOptions,
        _ body: (EngineLock?) async throws -> OpenedSpace
    ) async throws -> OpenedSpace {
        let lock = try await takeLock(writer, options)
        do {
            return try await body(lock)
        } catch {
            lock?.release()
            throw error
        }
    }

    private static func takeLock(
        _ writer: any DatabaseWriter, _ options: SyncOptions
    ) async throws -> EngineLock? {
        guard writer.path != ":memory:", !writer.path.hasPrefix("file:") else { return nil }
        if options.waitsForLock {
            return try await EngineLock.take(
                forDatabaseAt: writer.path, program: options.program)
        }
        switch try EngineLock.attempt(forDatabaseAt: writer.path, program: options.program) {
        case .taken(let lock): return lock
        case .held(let holder):
            let name = holder.map { "\($0)" } ?? "another program"
            throw SyncError(
                .inUse, writer.path, "\(name) is synchronising \(writer.path)",
                hint: "wait until it has finished, or stop it")
        }
    }

    /// Brings triggers and tables up to date, and begins to look for what was written without triggers: see ``ready(_:)``.
    static func prepare(
        _ db: Database, _ path: String, _ membership: SpaceMembership,
        _ declarations: [SyncedTable],
        _ options: SyncOptions, _ lock: EngineLock?, isNew: Bool = false
    ) throws -> OpenedSpace {
        let schema = try SyncSchema(db, declarations)
        let withheld = try WithheldTables(schema, try membership.tables)
        try StoreTables.create(db)
        try retire(db, membership, schema.without(withheld.names), declarations, options)
        let captured = try Capture.install(db, schema, withholding: withheld.names)
        try withheld.save(db)
        try AppTriggers.forgetMissing(db)
        if let version = options.appVersion { try StoreSetting.appVersion.set(db, Int64(version)) }
        var store = try SyncStore(db, captured)
        let plan = try TableScan.plan(
            db, captured, store.space, atomicLimit: options.atomicLimit)
        store.scans = plan.taken
        let known = try membership.tables?.wireNames ?? []
        let isKnown = { (scan: TableScan) in known.contains(scan.captured.table.wireName) }
        var opened = OpenedSpace(
            membership: membership, store: store, tables: try SharedTables(db, captured),
            declarations: declarations, withheld: withheld.reasons, gone: try GoneContents(db),
            findings: try HubFindings(db),
            appVersion: UInt32(clamping: try StoreSetting.appVersion.integer(db) ?? 0),
            options: options, lock: lock, isNew: isNew,
            captured: captured, known: known,
            scans: plan.compared.filter(isKnown) + plan.compared.filter { !isKnown($0) })
        try opened.advance(db, limit: HoldSize(fixed: options.holdCount).count)
        return opened
    }

    static func isCopy(_ path: String, _ store: SyncStore, _ lock: EngineLock?) -> Bool {
        guard let lock else { return false }
        guard let kept = lock.witness(),
            let now = FileWitness(of: path, run: store.run, number: store.runs.vector[store.run])
        else { return true }
        return !now.continues(kept)
    }

    /// Before tables are not shared any more: takes what the app wrote to them, and has their states keep what they
    /// leave to rows, because the app may change the rows from now on.
    private static func retire(
        _ db: Database, _ membership: SpaceMembership, _ schema: SyncSchema,
        _ declarations: [SyncedTable], _ options: SyncOptions
    ) throws {
        let wires = Set(schema.tables.map(\.wireName))
        let leaving = try TableRecord.all(db).filter {
            !wires.contains($0.key) && $0.value.scan?.isResting != true
        }
        guard !leaving.isEmpty, try StoreSetting.run.bytes(db) != nil else { return }
        let old = schema.tables.map(\.declaration) + leaving.values.map(\.declaration)
        let captured = try Capture.tables(db, SyncSchema(db, unchecked: old))
        // Notes of tables that the space never had so would merge by policies of their own.
        let mine = captured.map(\.table.policySet)
        let strange = try membership.tables?.mismatches(mine).map(\.table) ?? []
        for (wire, record) in leaving where strange.contains(wire) {
            try TableRecord.removeNotes(db, number: record.number)
        }
        var store = try SyncStore(db, captured)
        let session = try StoreSession(db, store)
        try db.applyingChanges {
            if let sealer = membership.sealer(store.space.fingerprint, options) {
                try session.takeLocalChanges(&store, sealer, now: options.time())
            }
            for wire in leaving.keys.sorted() {
                guard let number = session.space.names.tables.firstIndex(of: wire) else { continue }
                try session.keepContents(of: number)
            }
        }
        try store.adopt(session, db)
    }

    // MARK: - Creating

    static func create(
        _ writer: any DatabaseWriter, _ hub: any SyncTransport, _ tables: [SyncedTable],
        name: String, _ options: SyncOptions, _ lock: EngineLock?
    ) async throws -> OpenedSpace {
        // A hub that is not there is found before the file is changed.
        _ = try await hub.status()
        let time = try await hub.clock() ?? options.time()
        let identity = try DeviceIdentity.generated(options.randomness)
        let (roster, entries) = try Roster.create(
            by: identity, name: name, time: time, options.randomness)
        let membership = try SpaceMembership(identity, roster)
        return try await writer.withoutForeignKeys { db in
            try Capture.install(db, SyncSchema(db, tables))
            try StoreTables.create(db)
            try SpaceMembership.save(identity, db)
            try begin(db, membership, entries, hub, options)
            return try prepare(
                db, writer.path, membership, tables, options, lock, isNew: true)
        }.ready(writer)
    }

    /// Writes down that the file belongs to a space now.
    static func begin(
        _ db: Database, _ membership: SpaceMembership, _ entries: [[UInt8]],
        _ hub: any SyncTransport, _ options: SyncOptions
    ) throws {
        try SpaceMembership.save(entries, from: 0, db)
        let run = try options.randomness.run(of: membership.identity.device)
        try StoreSetting.storeFormat.set(db, 1)
        try StoreSetting.space.set(db, bytes: membership.space.bytes)
        try StoreSetting.run.set(db, bytes: run.bytes)
        try StoreSetting.hub.set(db, HubLocation.url(of: hub))
        var runs = try MergedRuns(db)
        runs.begin(own: run)
        try runs.save(db, knownCount: runs.numbers.runs.count)
    }
}
