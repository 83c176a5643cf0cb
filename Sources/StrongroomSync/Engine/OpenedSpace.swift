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
    let gone: GoneContents
    let findings: HubFindings
    let appVersion: UInt32
    /// Whether the file was restored or copied, as its witness says.
    let isCopy: Bool
    let options: SyncOptions
    let lock: EngineLock?

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
        }
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

    /// Brings triggers and tables up to date, and finds what was written without triggers.
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
        let tables = try SharedTables(db, captured)
        // What the space does not know yet is taken after it was told: another device may be faster, with other policies.
        let known = try membership.tables?.wireNames ?? []
        try scan(db, captured.filter { known.contains($0.table.wireName) }, store, options)
        try GoneContents.note(db, captured, store.runs.vector)
        try showAnew(db, &store, membership, options)
        try scan(db, captured.filter { !known.contains($0.table.wireName) }, store, options)
        return OpenedSpace(
            membership: membership, store: store, tables: tables, declarations: declarations,
            withheld: withheld.reasons, gone: try GoneContents(db),
            findings: try HubFindings(db),
            appVersion: UInt32(clamping: try StoreSetting.appVersion.integer(db) ?? 0),
            isCopy: !isNew && options.looksForCopies && isCopy(path, store, lock),
            options: options, lock: lock)
    }

    private static func scan(
        _ db: Database, _ tables: [CapturedTable], _ store: SyncStore, _ options: SyncOptions
    ) throws {
        for table in tables where table.scan != nil {
            // Of a table that was not shared, nobody knows what its counters showed.
            let known = try KnownStates(db, store.space, knowsCounters: table.scan == .triggers)
            _ = try RowScan.run(db, table, against: known, time: options.time())
            try Capture.didScan(db, table)
        }
    }

    private static func isCopy(_ path: String, _ store: SyncStore, _ lock: EngineLock?) -> Bool {
        guard let lock else { return false }
        guard let kept = lock.witness(),
            let now = FileWitness(of: path, run: store.run, number: store.runs.vector[store.run])
        else { return true }
        return !now.continues(kept)
    }

    /// After a change of the schema: shows the rows of the tables that changed as it wants them, also those that were kept
    /// for it. Of other tables, it finds those that depend on these.
    ///
    /// What the app wrote before is taken first: else rows would be shown as they were merged, and what was written to them
    /// would be gone.
    private static func showAnew(
        _ db: Database, _ store: inout SyncStore, _ membership: SpaceMembership,
        _ options: SyncOptions
    ) throws {
        let fingerprint = store.space.fingerprint
        let known = try StoreSetting.tableSchemas.bytes(db) ?? []
        let tables = store.space.tableFingerprints
        try StoreSetting.tableSchemas.set(db, bytes: tables.values.flatMap(\.bytes))
        guard let old = try StoreSetting.schema.bytes(db) else {
            return try StoreSetting.schema.set(db, bytes: fingerprint.bytes)
        }
        guard old != fingerprint.bytes, let sealer = membership.sealer(fingerprint, options) else {
            return
        }
        try StoreSetting.schema.set(db, bytes: fingerprint.bytes)
        let width = fingerprint.bytes.count
        let unchanged = Set(
            stride(from: 0, to: known.count, by: width).map { Array(known[$0..<$0 + width]) })
        let session = try StoreSession(db, store)
        try db.applyingChanges {
            for (table, digest) in tables where !unchanged.contains(digest.bytes) {
                for row in try session.rowIDs(in: table) { try session.touch(row) }
            }
            try session.takeLocalChanges(&store, sealer, now: options.time())
        }
        try store.adopt(session, db)
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
        }
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
