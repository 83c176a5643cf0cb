/// Makes the virtual tables of a salvaged file agree with the rows that were saved.
///
/// What a module keeps lies in ordinary tables, which were saved like all others: with what is lost
/// of them, or of the rows that they list, the module's index no longer agrees.
///
/// 1. Rows that were saved stay, whatever becomes of an index.
/// 2. A full-text index is built again from its content. A virtual table for which that is not
///    possible is left out, and its own tables stay.
/// 3. Modules run only where that is asked for: the saved rows of their tables are those of the file.
/// 4. Nothing runs but the modules: no trigger, and what `Database+Distrust.swift` allows.
struct VirtualTableRepair {
    private let database: Database
    private let operation: LongOperation

    private struct Table {
        let name: String
        let isFullText: Bool
        let isFTS5: Bool

        /// A command to the table: a value for the column that has its name.
        /// <https://www.sqlite.org/fts5.html#special_insert_commands>
        func command(_ name: String, rank: Int? = nil) -> String {
            let table = self.name.quotedDatabaseIdentifier
            guard let rank else { return "INSERT INTO main.\(table) (\(table)) VALUES ('\(name)')" }
            return "INSERT INTO main.\(table) (\(table), rank) VALUES ('\(name)', \(rank))"
        }
    }

    private enum Condition {
        case sound
        case broken(String)
        /// The module, or a tokenizer of the app, is not here, or a table that it needs.
        case unknown(String)
    }

    static func run(
        on file: DatabaseFile, _ operation: LongOperation, _ report: inout SalvageReport
    ) throws {
        let database = try file.makeConnection(.filling)
        defer { try? database.close() }
        try database.withHandle { handle throws(DatabaseError) in
            try handle.setFiresTriggers(false)
        }
        let names = try database.virtualTables()
        guard !names.isEmpty else { return }
        guard file.runsModules else {
            if !report.isComplete {
                report.notes += names.map {
                    "\($0) was copied as stored, because virtual table modules did not run"
                }
            }
            return try database.close()
        }
        let mode = try database.text("PRAGMA main.journal_mode") ?? "delete"
        // Nothing that a log would hold must be missing in the file.
        try database.run("PRAGMA main.journal_mode = MEMORY")
        let repair = VirtualTableRepair(database: database, operation: operation)
        try repair.leaveOutTriggers(&report)
        for name in names { try repair.repair(name, &report) }
        if mode == "wal" { try database.run("PRAGMA main.journal_mode = WAL") }
        try database.close()
    }

    private func repair(_ name: String, _ report: inout SalvageReport) throws {
        switch try examine(name).condition {
        case .sound: break
        case .unknown(let reason):
            guard !report.isComplete else { return }
            report.notes.append(
                "\(name) could not be examined, and was copied as stored: \(reason)")
        case .broken(let reason):
            if try rebuild(name) {
                report.noteRebuilt(name)
            } else {
                try leaveOut("table", name)
                report.notes.append(
                    """
                    \(name) was left out, because its index cannot be built again (\(reason)); the \
                    tables of the index, \(name)_…, are kept
                    """)
            }
        }
    }

    private func examine(_ name: String) throws -> (table: Table?, condition: Condition) {
        var table: Table?
        let condition = try attempt {
            let hidden = try String.fetchAll(
                database,
                sql: "SELECT lower(name) FROM pragma_table_xinfo(?, 'main') WHERE hidden = 1",
                arguments: [name])
            let isFullText = hidden.contains(name.lowercased())
            let found = Table(
                name: name, isFullText: isFullText, isFTS5: isFullText && hidden.contains("rank"))
            table = found
            return try self.condition(of: found)
        }
        return (table, condition)
    }

    private func condition(of table: Table) throws -> Condition {
        if table.isFullText {
            // Only with this rank does FTS5 compare its index with a table of the app.
            try run(table.command("integrity-check", rank: table.isFTS5 ? 1 : nil))
            return .sound
        }
        let name = table.name.quotedDatabaseIdentifier
        let lines = try operation.watching(database) {
            try database.texts("PRAGMA main.integrity_check(\(name))")
        }
        return lines == ["ok"] ? .sound : .broken(lines.first ?? "")
    }

    private func attempt(_ examine: () throws -> Condition) throws -> Condition {
        do {
            return try examine()
        } catch let error as DatabaseError {
            try operation.check()
            let message = error.message ?? "it cannot be read"
            return error.resultCode == .SQLITE_CORRUPT ? .broken(message) : .unknown(message)
        }
    }

    private func rebuild(_ name: String) throws -> Bool {
        try database.run("SAVEPOINT rebuilding")
        let condition = try attempt {
            var table = try examine(name).table
            if table == nil {
                try emptyIndex(of: name)
                table = try examine(name).table
            }
            guard let table, table.isFullText else { return .unknown("it is no full-text table") }
            try run(table.command("rebuild"))
            return try self.condition(of: table)
        }
        if case .sound = condition {
            try database.run("RELEASE rebuilding")
            return true
        }
        try database.run("ROLLBACK TO rebuilding; RELEASE rebuilding")
        return false
    }

    /// FTS5 does not open a table without the two rows that say what its index consists of: those of
    /// an empty index take their place. <https://www.sqlite.org/fts5.html#fts5_data_structures>
    private func emptyIndex(of name: String) throws {
        let data = "\(name)_data"
        let columns = try database.texts(
            "SELECT name FROM pragma_table_info(\(data.quotedDatabaseIdentifier), 'main')")
        guard columns == ["id", "block"] else { return }
        let table = "main.\(data.quotedDatabaseIdentifier)"
        try database.run(
            """
            DELETE FROM \(table);
            INSERT INTO \(table) VALUES (1, x''), (10, zeroblob(7))
            """)
    }

    private func run(_ sql: String) throws {
        try operation.watching(database) { try database.run(sql) }
    }

    /// A connection that protects itself reads no schema with a trigger on a module's own table.
    /// <https://www.sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigdefensive>
    private func leaveOutTriggers(_ report: inout SalvageReport) throws {
        let names = try database.texts(
            """
            SELECT name FROM main.sqlite_master WHERE type = 'trigger' AND lower(tbl_name) IN
              (SELECT lower(name) FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow')
            """)
        for name in names {
            try leaveOut("trigger", name)
            report.notes.append(
                "the trigger \(name) was left out: it belongs to an internal table of an index")
        }
    }

    private func leaveOut(_ type: String, _ name: String) throws {
        try database.hooks.beyondLimits {
            try database.run("PRAGMA writable_schema = ON")
            try database.execute(
                sql: "DELETE FROM main.sqlite_master WHERE rootpage = 0 AND type = ? AND name = ?",
                arguments: [type, name])
            try database.run("PRAGMA writable_schema = RESET")
        }
    }
}

extension SalvageReport {
    /// What a rebuilt index consists of is no more what was saved of it.
    fileprivate mutating func noteRebuilt(_ name: String) {
        rebuiltIndexes.append(name)
        let parts = ["data", "idx", "docsize", "segments", "segdir", "stat"].map { "\(name)_\($0)" }
        tables.removeAll { parts.contains($0.name) }
    }
}
