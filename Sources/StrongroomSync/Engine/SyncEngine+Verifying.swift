package import StrongroomCore

// What tests and `sync verify` compare.

extension SyncEngine {
    /// The merged state, after what the app wrote was taken.
    package func mergedState() async throws -> MergedState {
        try await exclusively {
            try await takeLocalChanges()
            return try await transaction { session, _ in try session.mergedState() }
        }
    }

    /// Compares the app's rows and what is kept of them with a projection of everything.
    ///
    /// - Returns: What differs, in words.
    package func differences() async throws -> [String] {
        try await exclusively {
            try await takeLocalChanges()
            return try await transaction { session, _ in try session.differences() }
        }
    }
}

extension StoreSession {
    func mergedState() throws -> MergedState {
        var state = MergedState(schema)
        for table in schema.tables.indices {
            for row in try rowIDs(in: table) {
                guard let known = try stored(row).state else { continue }
                state.merge([RowChange(row, known)])
            }
        }
        for (run, number) in runs.vector.numbers { state.setNumber(number, of: run) }
        return state
    }

    func differences() throws -> [String] {
        var found: [String] = []
        var full = FullProjection(of: self)
        let wanted = full.run()
        if let failure { throw failure }
        for (number, table) in space.tables.sorted(by: { $0.key < $1.key }) {
            var shown: [RowID: [CellValue]] = [:]
            try table.forEachRow(db) { values in
                let key = Array(values.prefix(table.keyCount))
                guard !key.contains(.null) else { return }
                shown[RowID(number, RowKey(key))] = values
            }
            for (row, projected) in wanted where row.table == number {
                let known = try stored(row)
                if known.status != projected.status {
                    found.append(
                        "a row of \(table.stored.name) is \(known.status), not \(projected.status)")
                }
                if shown[row] != projected.values {
                    found.append(
                        "a row of \(table.stored.name) is \(shown[row] ?? []), not \(projected.values ?? [])")
                }
                shown[row] = nil
            }
            for row in shown.keys {
                found.append("a row of \(table.stored.name) is not known: \(row.key.values)")
            }
        }
        return found
    }
}

extension SyncEngine {
    /// The engine of a database whose former engine is gone, as after the death of its process.
    package static func reopened(
        _ old: SyncEngine, _ writer: any DatabaseWriter, _ hub: any SyncTransport,
        _ options: SyncOptions
    ) async throws -> SyncEngine {
        let declarations = old.ownTables.declarations
        let opened = try await OpenedSpace.open(writer, declarations, options, old.lock)
        let engine = SyncEngine(opened, writer, hub)
        try await engine.finishOpening()
        return engine
    }
}
