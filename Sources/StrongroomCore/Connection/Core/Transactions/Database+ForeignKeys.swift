extension Database {
    /// Runs a closure while foreign keys are not enforced, and enforces them again if they were before: also after an
    /// error, and though the task was cancelled, since the connection outlives it.
    ///
    /// - Precondition: No transaction is open: there it would have no effect.
    package func withoutForeignKeys<T>(_ body: () throws -> T) throws -> T {
        let areEnforced = try areForeignKeysEnforced()
        if areEnforced { try enforceForeignKeys(false) }
        let result = Result { try body() }
        if areEnforced { try enforceForeignKeys(true) }
        return try result.get()
    }

    /// Whether `PRAGMA foreign_keys` is on.
    func areForeignKeysEnforced() throws -> Bool {
        try Bool.fetchOne(self, sql: "PRAGMA foreign_keys") ?? false
    }

    /// Sets `PRAGMA foreign_keys`, which no cancellation prevents.
    func enforceForeignKeys(_ isOn: Bool) throws {
        let sql = isOn ? "PRAGMA foreign_keys = 1" : "PRAGMA foreign_keys = 0"
        func set() throws(DatabaseError) {
            try withHandle { handle throws(DatabaseError) in try handle.execute(sql) }
        }
        do {
            try set()
        } catch  where error.resultCode == .SQLITE_INTERRUPT {
            // Of what is cancelled, the connection hears once.
            try set()
        }
    }
}
