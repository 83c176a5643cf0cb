public import StrongroomCore

extension Configuration {
    /// Makes temporary triggers on each connection that writes.
    ///
    ///     var configuration = Configuration()
    ///     configuration.prepareDatabase { db in try db.usePassphrase("secret") }
    ///     configuration.add(
    ///         triggers: Item.createTemporaryTrigger(after: .update(touch: \.changedAt)))
    ///
    /// A trigger is there as soon as the connection is open, if its table is, or else once a migration
    /// has made the table. Migrations themselves run without the triggers. Connections that only read
    /// have none.
    ///
    /// Opening throws where SQLite refuses one, and where one is permanent.
    public mutating func add(triggers: CreateTrigger...) {
        self.triggers.append(
            ConnectionTriggers(
                make: { db in for trigger in triggers { try trigger.make(db) } },
                remove: { db in for trigger in triggers { try trigger.remove(db) } }))
    }
}

extension CreateTrigger {
    /// Makes the trigger anew, if there is its table.
    fileprivate func make(_ db: Database) throws {
        guard isTemporary else {
            throw QueryBuildingError(
                "trigger \"\(name)\" is permanent: execute it once, in a migration")
        }
        guard try hasTable(db) else { return }
        try remove(db)
        try execute(db)
    }

    /// Removes the trigger of the connection, never one of the file that has its name.
    fileprivate func remove(_ db: Database) throws {
        try DefinedName(name, schema: "temp").drop("TRIGGER", ifExists: true).execute(db)
    }

    private func hasTable(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT 1 FROM pragma_table_list
                WHERE name = ?1 COLLATE NOCASE AND coalesce(schema = ?2 COLLATE NOCASE, 1)
                """,
            arguments: [table.name, table.schema]) ?? false
    }
}
