internal import StrongroomCore

/// What this library itself creates below the reserved prefix.
package enum ReservedNames {
    /// The prefix of all tables, views and triggers of synchronisation.
    package static let prefix = "strongroom_sync_"

    /// The tables and views, without the prefix. What keeps more adds its names here.
    package static let tables: Set<String> = [
        "journal", "table", "column", "setting", "state",
        "row", "name", "run", "seen", "living", "ended", "inexact", "metadata", "outbox", "token",
        "unsent",
        "roster", "identity",
    ]

    /// The events for which a shared table has triggers, without the prefix.
    package static let events = [
        "insert", "update", "keyChange", "delete", "replaceByInsert", "replaceByUpdate",
    ]

    /// Whether an object of the schema has a name that this library gives.
    ///
    /// The trigger of a table that was renamed keeps the table's former name.
    package static func isOwn(_ name: String, type: String) -> Bool {
        let rest = name.dropFirst(prefix.count)
        return type == "trigger"
            ? events.contains { rest.hasPrefix($0 + "_") }
            : tables.contains(String(rest).asciiLowercased)
    }
}
