internal import StrongroomCore
internal import StrongroomSchema

// How an engine ends, and how a database leaves its space.

extension SyncEngine {
    /// Takes the database out of its space, and keeps its rows, as `strongroom sync detach` does.
    ///
    /// What was not sent never will be, and held rows are gone. The device stays in the list of the space's devices. The
    /// engine must not be used afterwards.
    ///
    /// - Throws: `DatabaseError`.
    public func leave() async throws {
        await stop()
        try await exclusively {
            try await writer.write { db in
                try RowShadow.drop(db)
                try Capture.remove(db)
            }
        }
        await close()
    }

    /// Ends the engine, so that another one can have the database at once.
    ///
    /// An exchange that the engine runs by itself is cancelled, and others are finished. The engine must not be used afterwards: exchanges throw ``SyncError`` of the code `closed`.
    public func close() async {
        await stop()
        await alone { isClosed = true }
        lock?.release()
    }

    /// Takes the database out of its space, and deletes the rows that the space has.
    ///
    /// Those are the rows of other devices, and those that this device shared, with what was edited in them since. Rows
    /// that were inserted since the last exchange stay, and so do tables that are not shared, but for what their foreign
    /// keys say: rows that refer to deleted ones are deleted with them, or set to NULL, as the schema has it. The hub and
    /// other devices keep everything. The engine must not be used afterwards.
    ///
    /// - Throws: `DatabaseError`, of a foreign key if rows that stay refer to some of them: then nothing has changed.
    public func deleteLocalData() async throws {
        await stop()
        try await exclusively {
            let space = store.space
            try await writer.write { db in
                try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
                let known = try KnownStates(db, space)
                for table in try space.childrenFirst(db) {
                    var keys: [RowKey] = []
                    try known.forEachShownKey(of: table.number) { keys.append($0) }
                    try db.applyingChanges {
                        for key in keys { try table.delete(key, db) }
                    }
                }
                try RowShadow.drop(db)
                try Capture.remove(db)
            }
        }
        await close()
    }
}

extension SpaceSchema {
    /// The tables, each before those that its foreign keys name, as far as they do not name each other.
    fileprivate func childrenFirst(_ db: Database) throws -> [SpaceTable] {
        let byName = Dictionary(
            uniqueKeysWithValues: tables.values.map { ($0.stored.name.asciiLowercased, $0) })
        var (seen, parentsFirst) = (Set<Int>(), [SpaceTable]())
        func visit(_ table: SpaceTable) throws {
            guard seen.insert(table.number).inserted else { return }
            for key in try db.foreignKeys(on: table.stored.name) {
                if let parent = byName[key.destinationTable.asciiLowercased] { try visit(parent) }
            }
            parentsFirst.append(table)
        }
        for number in tables.keys.sorted() { try tables[number].map(visit) }
        return parentsFirst.reversed()
    }
}
