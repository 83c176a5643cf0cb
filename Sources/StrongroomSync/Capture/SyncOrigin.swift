package import StrongroomCore

/// Who writes: what triggers ask, and what decides whether notes are taken.
///
/// It is a name that `Database.withOrigin(_:_:)` sets; SQL reads it as a number:
/// `(SELECT origin FROM strongroom_sync_state)` is 0 for the app, whatever other origin it has.
package enum SyncOrigin: String, Sendable, CaseIterable {
    /// The engine: no notes are taken.
    case engine = "strongroom_sync"
    /// The engine where the app has triggers of its own: notes are taken, and removed again.
    case watchedEngine = "strongroom_sync_watched"
    /// A migration: no notes are taken.
    case migration = "strongroom_sync_migration"

    package var number: Int {
        switch self {
        case .engine: 1
        case .watchedEngine: 2
        case .migration: 3
        }
    }

    /// The query of the view that SQL asks.
    static let stateSQL: String = {
        let cases = allCases.map { "WHEN '\($0.rawValue)' THEN \($0.number)" }
        return "SELECT CASE name \(cases.joined(separator: " ")) ELSE 0 END AS origin"
            + " FROM strongroom_origin"
    }()

    /// Whether notes are taken. The name is read once where there is no origin.
    static let takesNotesSQL = {
        let name = "(SELECT name FROM strongroom_origin)"
        return "(\(name) IS NULL OR \(name) NOT IN ('\(engine.rawValue)', '\(migration.rawValue)'))"
    }()
}

extension Database {
    /// Runs a closure whose writes are not noted.
    package func applyingChanges<T>(_ body: () throws -> T) throws -> T {
        try withOrigin(SyncOrigin.engine.rawValue, body)
    }

    /// Runs a closure as the engine where the app has triggers of its own.
    ///
    /// - Returns: What the closure returns, and the rows that it and the app's triggers have changed.
    ///   Their notes are removed, so that they are never sent.
    package func applyingWatchedChanges<T>(
        _ body: () throws -> T
    ) throws -> (result: T, rows: [NotedRow]) {
        try withOrigin(SyncOrigin.watchedEngine.rawValue) {
            let last = try Journal.lastID(self)
            let result = try body()
            let rows = try Journal.rows(self, after: last).rows
            try execute(
                sql: "DELETE FROM main.\(CaptureTables.journal) WHERE id > ?", arguments: [last])
            return (result, rows)
        }
    }

    /// Writes the origin's row itself, where no closure spans what has the origin.
    func writeSyncOrigin(_ origin: SyncOrigin?) throws {
        try execute(
            sql: "UPDATE main.strongroom_origin SET name = ? WHERE id = 1",
            arguments: [origin?.rawValue])
    }
}
