internal import StrongroomCore

// How a device comes into a space.

extension OpenedSpace {
    static func hasSpace(_ path: String) -> SyncError {
        SyncError(
            .hasSpace, path, "\(path) belongs to a space already",
            hint: "take it out of that space first")
    }

    /// - Parameter tables: Nil for those of the space, which are created if they are missing.
    static func join(
        _ ticket: Ticket, _ writer: any DatabaseWriter, _ hub: any SyncTransport,
        _ tables: [SyncedTable]?, name: String, _ options: SyncOptions
    ) async throws -> OpenedSpace {
        try await locked(writer, options) { lock in
            try await join(ticket, writer, hub, tables, name: name, options, lock)
        }
    }

    private static func join(
        _ ticket: Ticket, _ writer: any DatabaseWriter, _ hub: any SyncTransport,
        _ tables: [SyncedTable]?, name: String, _ options: SyncOptions, _ lock: EngineLock?
    ) async throws -> OpenedSpace {
        let log = RosterLog(hub, ticket.space)
        var (roster, entries) = try await log.read()
        let time = try await hub.clock() ?? options.time()
        let identity = try await keptIdentity(writer, options)
        // An earlier attempt may have got this far, and lost the answer.
        if roster.devices[identity.device]?.isActive != true {
            do {
                try ticket.require(roster, at: time)
                try await log.publish(
                    .successor(identity.publicKeys, name: name), to: &roster,
                    by: ticket.identity(), time: time, options.randomness
                ) { entries.append($0) }
            } catch let refusal as Refusal {
                throw ticketError(refusal)
            }
        }
        let membership = try SpaceMembership(identity, roster)
        let shared = try roster.tables(membership.keys).map { try SharedTables($0) }
        let all = entries
        return try await writer.withoutForeignKeys { db in
            let declarations = try tables ?? shared.map { try create($0, db, writer.path) } ?? []
            try Capture.install(db, SyncSchema(db, declarations))
            try begin(db, membership, all, hub, options)
            return try prepare(
                db, writer.path, membership, declarations, options, lock, isNew: true)
        }.ready(writer)
    }

    /// Makes this device's keys and keeps them before anybody hears of them.
    private static func keptIdentity(
        _ writer: any DatabaseWriter, _ options: SyncOptions
    ) async throws -> DeviceIdentity {
        try await writer.write { db in
            guard try SpaceMembership.load(db) == nil else { throw hasSpace(writer.path) }
            try StoreTables.create(db)
            if let identity = try SpaceMembership.identity(db) { return identity }
            let identity = try DeviceIdentity.generated(options.randomness)
            try SpaceMembership.save(identity, db)
            return identity
        }
    }

    /// Creates the tables of a space in a file that has none of them.
    private static func create(
        _ shared: SharedTables, _ db: Database, _ path: String
    ) throws -> [SyncedTable] {
        let missing = try shared.tables.filter { try !db.tableExists($0.declaration.name) }
        guard missing.isEmpty || missing.count == shared.tables.count else {
            throw SyncError(
                .missingTable, path,
                "\(path) has some tables of the space, and not "
                    + missing.map(\.declaration.name).joined(separator: ", "),
                hint: "create them, or join with a new file")
        }
        for table in missing {
            for sql in table.sql { try db.execute(sql: sql) }
        }
        return shared.declarations
    }

    private static func ticketError(_ refusal: Refusal) -> SyncError {
        switch refusal {
        case .ticketUsed:
            SyncError(
                .ticketUsed, "ticket", "the ticket was used already",
                hint: "if it was not by you, remove that device; ask for another ticket")
        case .ticketLapsed:
            SyncError(
                .ticketUsed, "ticket", "the ticket has lapsed: it held for seven days",
                hint: "ask for another ticket")
        case .removed:
            SyncError(
                .ticketUsed, "ticket", "the ticket was withdrawn", hint: "ask for another ticket")
        default:
            SyncError(
                .refusedObject, "ticket",
                "the hub does not have the space of the ticket: \(refusal.explanation)",
                hint: "check the hub, or ask for another ticket")
        }
    }
}
