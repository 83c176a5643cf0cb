extension Database {
    /// Removes everything that the schema of the main database names, in one transaction.
    ///
    /// - Precondition: No transaction is open.
    func erase() throws {
        try withoutForeignKeys {
            try inTransaction(.immediate) {
                try removeTriggers()
                try dropAll()
                return .commit
            }
        }
    }

    private func dropAll() throws {
        // Triggers and views first: they may no longer compile once a table is gone. Virtual tables
        // take the tables behind them along. Indexes go with their tables.
        let kinds = [
            ("TRIGGER", "type = 'trigger'"), ("VIEW", "type = 'view'"),
            ("TABLE", "type = 'table' AND rootpage = 0"), ("TABLE", "type = 'table'"),
        ]
        for (kind, condition) in kinds {
            let names = try String.fetchAll(
                self,
                sql: """
                    SELECT name FROM main.sqlite_master
                    WHERE \(condition) AND name <> 'sqlite_sequence'
                    """)
            for name in names {
                try execute(sql: "DROP \(kind) IF EXISTS main.\(name.quotedDatabaseIdentifier)")
            }
        }
        // SQLite keeps this table once it has one.
        let hasSequences = try Bool.fetchOne(
            self, sql: "SELECT 1 FROM main.sqlite_master WHERE name = 'sqlite_sequence'")
        if hasSequences == true { try execute(sql: "DELETE FROM main.sqlite_sequence") }
    }
}
