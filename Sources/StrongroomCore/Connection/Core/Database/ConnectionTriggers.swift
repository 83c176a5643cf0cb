/// Temporary triggers of each connection that writes.
///
/// A migration runs without them: SQLite does not rename a table as long as a trigger names a table
/// that is gone for the moment, and drops the triggers of a table with it.
package struct ConnectionTriggers: Sendable {
    /// Their names, in lower case.
    package let names: [String]
    /// Makes those that are missing, and whose tables are there.
    package let make: @Sendable (Database, _ isUpToDate: Bool) throws -> Void
    /// Removes those that are there.
    package let remove: @Sendable (Database) throws -> Void

    package init(
        names: [String],
        make: @escaping @Sendable (Database, _ isUpToDate: Bool) throws -> Void,
        remove: @escaping @Sendable (Database) throws -> Void
    ) {
        self.names = names
        self.make = make
        self.remove = remove
    }
}

extension Database {
    /// Makes the triggers of connections that write.
    ///
    /// - Parameter isUpToDate: Whether all migrations have run. Before, columns may be missing, and triggers on
    ///   them are left out.
    func makeTriggers(isUpToDate: Bool) throws {
        guard !configuration.readonly, !configuration.isQueryOnly else { return }
        for triggers in configuration.triggers { try triggers.make(self, isUpToDate) }
    }

    /// Removes the triggers of connections that write.
    func removeTriggers() throws {
        for triggers in configuration.triggers { try triggers.remove(self) }
    }
}
