public import StrongroomCore

extension Configuration {
    /// Makes temporary triggers on each connection that writes.
    ///
    ///     var configuration = Configuration()
    ///     configuration.prepareDatabase { db in try db.usePassphrase("secret") }
    ///     configuration.add(
    ///         triggers: Item.createTemporaryTrigger(after: .update(touch: \.changedAt)))
    ///
    /// A trigger is there as soon as the connection is open, if its table is, or else once a
    /// migration has made the table. Migrations themselves run without the triggers. Connections that
    /// only read have none.
    ///
    /// Opening throws where SQLite refuses one, and where one is permanent or has the name of
    /// another.
    public mutating func add(triggers: CreateTrigger...) {
        let names = triggers.map { $0.name.lowercased() }
        let all = self.triggers.flatMap(\.names) + names
        let isUnambiguous = Set(all).count == all.count
        self.triggers.append(
            ConnectionTriggers(
                names: names,
                make: { db, isUpToDate in
                    guard isUnambiguous else {
                        throw QueryBuildingError(
                            "two of these triggers have one name: \(all.sorted())")
                    }
                    for trigger in triggers { try trigger.make(db, isUpToDate) }
                },
                remove: { db in for trigger in triggers { try trigger.remove(db) } }))
    }
}

extension CreateTrigger {
    /// Makes the trigger, if it is missing and its table is there; before all migrations have run, also its
    /// columns.
    fileprivate func make(_ db: Database, _ isUpToDate: Bool) throws {
        guard isTemporary else {
            throw QueryBuildingError(
                "trigger \"\(name)\" is permanent: execute it once, in a migration")
        }
        guard try !isThere(db), try hasTable(db), try isUpToDate || hasColumns(db) else { return }
        try execute(db)
    }

    private func isThere(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT 1 FROM temp.sqlite_master WHERE type = 'trigger' AND name = ? COLLATE NOCASE
                """,
            arguments: [name]) ?? false
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
