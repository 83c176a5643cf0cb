import Foundation
import Strongroom
import StrongroomSync

/// A line of the list.
struct Item: Codable, Sendable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
    /// No two devices make the same one.
    var id = UUID().uuidString.lowercased()
    var title: String
    var isDone = false
}

/// The list in an encrypted file, which an engine keeps in step with the other devices.
struct SharedItems {
    let database: DatabaseQueue
    let engine: SyncEngine

    /// What devices share. A line that is changed here and removed there stays.
    private static let tables = [SyncedTable("item", onConflictingDelete: .editWins)]

    /// Opens the file, creates it where there is none, and creates or joins a space.
    init(_ options: Options) async throws {
        let keys = KeyStore(folder: options.keys)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(from: keys) }
        configuration.busyMode = .timeout(5)
        database = try DatabaseQueue(path: options.database, configuration: configuration)
        try Self.migrator.migrate(database)
        let hub = FolderHub.folder(options.hub)
        let name = ProcessInfo.processInfo.hostName
        if let ticket = options.ticket {
            engine = try await SyncEngine.join(
                ticket, for: database, transport: hub, name: name, tables: Self.tables)
        } else {
            engine = try await SyncEngine(
                for: database, transport: hub, name: name, tables: Self.tables)
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.pauseCapture(for: tables)
        migrator.registerMigration("items") { db in
            try db.create(table: "item") { table in
                table.primaryKey("id", .text)
                table.column("title", .text).notNull().defaults(to: "")
                table.column("isDone", .boolean).notNull().defaults(to: false)
            }
        }
        return migrator
    }

    /// The list now, and whenever this or another device changes it.
    var changes: AsyncValueObservation<[Item]> {
        ValueObservation
            .tracking {
                try Item.order(Column("title").collating(.nocase), Column("id")).fetchAll($0)
            }
            .removeDuplicates()
            .values(in: database)
    }

    func add(_ title: String) async throws {
        try await database.write { try Item(title: title).insert($0) }
    }

    func toggle(_ item: Item) async throws {
        try await database.write { db in
            var item = item
            try item.updateChanges(db) { $0.isDone.toggle() }
        }
    }

    func remove(_ item: Item) async throws {
        _ = try await database.write { try item.delete($0) }
    }
}
