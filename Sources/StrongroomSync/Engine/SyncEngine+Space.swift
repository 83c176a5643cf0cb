public import StrongroomCore
internal import Synchronization

// Spaces, devices and tickets.

extension SyncEngine {
    /// Stores a new space in its hub, and says there what is shared.
    func finishOpening() async throws {
        try await exclusively {
            if store.runs.vector.numbers.isEmpty, membership.roster.position.number < 2 {
                try await updateRoster()
                try await agreeOnTables()
                let url = HubLocation.url(of: hub)
                if url.hasPrefix("folder:") { try await publish(.hub(url)) }
            }
            try noteWitness()
            try await refreshStatus()
        }
        (hub as? MemoryHub)?.join(self)
    }

    /// Tells the space of tables and columns that it does not know, and withholds tables that it has otherwise.
    ///
    /// It comes before anything is sent: so nothing is sent that others merge by other policies.
    func agreeOnTables() async throws {
        guard agreedPosition != membership.roster.position else { return }
        try await withholdMismatches()
        let own = ownTables
        if try (membership.tables ?? SharedTables()).adding(own) != nil {
            try await publish(
                .furtherTables { bytes in
                    let known = try bytes.map { try SharedTables($0) } ?? SharedTables()
                    return try (known.adding(own) ?? known).bytes
                })
            // Another device may have been faster.
            try await withholdMismatches()
        }
        agreedPosition = membership.roster.position
    }

    private func withholdMismatches() async throws {
        guard let known = try membership.tables,
            !known.mismatches(store.space.policies).isEmpty
        else { return }
        try await prepareAgain()
    }

    /// Reads the store as when the engine was opened.
    func prepareAgain() async throws {
        let (membership, path, declarations) = (membership, writer.path, declarations)
        let (options, lock) = (options, lock)
        let opened = try await writer.withoutForeignKeys { db in
            try OpenedSpace.prepare(db, path, membership, declarations, options, lock)
        }.ready(writer)
        store = opened.store
        ownTables = opened.tables
        goneContents = opened.gone
        change { $0.withheldTables = opened.withheld }
    }

    /// Makes a ticket `srs1…`, which brings another device into the space, once, within seven days.
    ///
    /// Whoever has the ticket reads everything. Give it to the other device by a way that you trust.
    ///
    /// - Returns: The ticket, and twelve digits that both devices show.
    /// - Throws: ``SyncError``, ``HubError``.
    public func inviteDevice() async throws -> (ticket: String, fingerprint: String) {
        try await exclusively {
            let url = HubLocation.url(of: hub)
            try await updateRoster()
            let invitation = try Ticket.invitation(to: membership.space, options.randomness)
            try await publish(.ticket(invitation.identity.publicKeys))
            let ticket = try invitation.ticket(hub: url, in: membership.roster)
            return (ticket.text, try ticket.fingerprint())
        }
    }

    /// Has apps of lower versions send nothing any more, once they hear of it.
    ///
    /// What is written on them stays, and is sent when their app is new enough. They go on to fetch and merge, and say what
    /// is missing by ``SyncStatus/requiredAppVersion``. It cannot be taken back, but for a higher version.
    ///
    /// - Parameter version: At most that of this app.
    /// - Throws: ``SyncError``, ``HubError``.
    public func requireAppVersion(_ version: Int) async throws {
        try await exclusively {
            guard let version = UInt32(exactly: version), version <= appVersion else {
                throw SyncError(
                    .outdatedApp, "\(version)",
                    "version \(version) is above that of this app, \(appVersion)",
                    hint: "open the engine with the version of the app")
            }
            try await updateRoster()
            guard version > membership.roster.minimumVersion else { return }
            try await publish(.minimumVersion(version))
            try await refreshStatus()
        }
    }

    /// Whether the space waits for a later version of the app.
    var isOutdated: Bool { membership.roster.minimumVersion > appVersion }

    /// Brings a database into a space, and opens its engine.
    ///
    /// The database has the shared tables already, or none of them: an app creates them first.
    ///
    /// - Parameters:
    ///   - ticket: The ticket of ``inviteDevice()``.
    ///   - writer: The database.
    ///   - transport: The hub that the ticket names.
    ///   - name: The name of this device.
    ///   - appVersion: The version of the app: see ``requireAppVersion(_:)``.
    ///   - tables: The tables that are shared.
    /// - Throws: ``SyncError``, ``HubError``, `DatabaseError`.
    public static func join(
        _ ticket: String, for writer: any DatabaseWriter, transport: any SyncTransport,
        name: String = "device", appVersion: Int = 0, tables: [SyncedTable]
    ) async throws -> SyncEngine {
        var options = SyncOptions()
        options.appVersion = appVersion
        return try await join(
            ticket, for: writer, transport: transport, name: name, tables: tables, options)
    }

    /// - Parameter tables: Nil for those that the space has, which are created if they are missing.
    package static func join(
        _ text: String, for writer: any DatabaseWriter, transport hub: any SyncTransport,
        name: String, tables: [SyncedTable]?, _ options: SyncOptions
    ) async throws -> SyncEngine {
        let ticket = try ticket(text)
        let opened = try await OpenedSpace.join(
            ticket, writer, hub, tables, name: name, options)
        return try await ready(opened, writer, hub)
    }

    /// Opens the engine of a database that belongs to a space, with the tables that it shares already.
    package static func open(
        _ writer: any DatabaseWriter, _ hub: any SyncTransport, tables: [SyncedTable]? = nil,
        _ options: SyncOptions
    ) async throws -> SyncEngine {
        let opened = try await OpenedSpace.locked(writer, options) { lock in
            let declarations = try await writer.read { db -> [SyncedTable] in
                guard try SpaceMembership.load(db) != nil else {
                    throw OpenedSpace.noSpace(writer.path)
                }
                return try tables ?? Capture.declarations(db)
            }
            return try await OpenedSpace.open(writer, declarations, options, lock)
        }
        return try await ready(opened, writer, hub)
    }

    /// Creates a space for a database that belongs to none.
    package static func create(
        _ writer: any DatabaseWriter, _ hub: any SyncTransport, tables: [SyncedTable],
        name: String, _ options: SyncOptions
    ) async throws -> SyncEngine {
        let opened = try await OpenedSpace.locked(writer, options) { lock in
            try await writer.read { db in
                guard try SpaceMembership.load(db) == nil else {
                    throw OpenedSpace.hasSpace(writer.path)
                }
            }
            return try await OpenedSpace.create(
                writer, hub, tables, name: name, options, lock)
        }
        return try await ready(opened, writer, hub)
    }

    private static func ready(
        _ opened: OpenedSpace, _ writer: any DatabaseWriter, _ hub: any SyncTransport
    ) async throws -> SyncEngine {
        let engine = SyncEngine(opened, writer, hub)
        do {
            try await engine.finishOpening()
        } catch {
            await engine.close()
            throw error
        }
        return engine
    }

    package static func ticket(_ text: String) throws -> Ticket {
        do {
            return try Ticket(text)
        } catch {
            let message =
                switch error {
                case .mistyped: "this is no ticket, or a letter of it is wrong"
                case .laterVersion: "the ticket is of a later version"
                case .credentials: "the ticket's hub has a user's name or a password in it"
                case .invalidURL: "the ticket names no hub"
                }
            throw SyncError(
                .invalidTicket, "ticket", message, hint: "ask for another ticket")
        }
    }
}
