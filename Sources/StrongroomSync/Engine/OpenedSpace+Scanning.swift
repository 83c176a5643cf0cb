internal import StrongroomCore

// What was written without triggers is found before anything is merged. It takes several transactions: apps write in between.

extension OpenedSpace {
    /// Goes on until everything is found and shown.
    func ready(_ writer: any DatabaseWriter) async throws -> OpenedSpace {
        var opened = self
        var size = HoldSize(fixed: options.holdCount)
        var pace = HoldPace()
        while !opened.isReady {
            let pause = pace.pause(at: .now)
            if pause > .zero, options.holdCount == nil { try await Task.sleep(for: pause) }
            try options.step("compare")
            let (before, limit) = (opened, size.count)
            let (after, hold, seconds) = try await writer.withoutForeignKeys { db in
                let start = ContinuousClock.now
                let version = try Int64.fetchOne(db, sql: "PRAGMA main.data_version") ?? 0
                var next = before
                try next.advance(db, limit: limit)
                let end = ContinuousClock.now
                return (
                    next, HoldPace.Hold(start: start, end: end, version: version),
                    (end - start).seconds
                )
            }
            opened = after
            pace.note(hold)
            size.learn(limit, seconds)
        }
        opened.isCopy =
            !isNew && options.looksForCopies && Self.isCopy(writer.path, opened.store, lock)
        return opened
    }

    private var isReady: Bool { scans.isEmpty && hasShown }

    /// Compares some rows, and shows what the schema has changed once all is known that was written before.
    mutating func advance(_ db: Database, limit: Int) throws {
        var left = limit
        while !isReady, left > 0 {
            // What the space does not know yet is taken after it was told: another device may be faster, with other policies.
            if !hasShown, scans.first.map({ !known.contains($0.captured.table.wireName) }) ?? true {
                try show(db)
                // It may have taken notes.
                noted = NotedRows()
                hasShown = true
            } else {
                try compare(db, &left)
            }
        }
    }

    private mutating func compare(_ db: Database, _ left: inout Int) throws {
        guard var scan = scans.first else { return }
        try noted.update(db)
        // Of a table that was not shared, nobody knows what its counters showed.
        let states = try KnownStates(
            db, store.space, noted, knowsCounters: scan.captured.scan == .triggers)
        var counts = RowScan.Counts()
        let after = try RowScan.advance(
            db, scan.captured, scan.progress, against: states, time: options.time(), &left,
            &counts)
        guard let after else {
            try Capture.didScan(db, scan.captured)
            scans.removeFirst()
            return
        }
        try after.save(db, number: scan.captured.number)
        scan.progress = after
        scans[0] = scan
    }

    /// After a change of the schema: see ``StoreSession/showAnew(_:_:now:)``. What cannot be shown now is shown by the next
    /// exchange.
    private mutating func show(_ db: Database) throws {
        try GoneContents.note(db, captured, store.runs.vector)
        gone = try GoneContents(db)
        let fingerprint = store.space.fingerprint
        guard let old = try StoreSetting.schema.bytes(db), old != fingerprint.bytes else {
            return try store.space.keepFingerprints(db)
        }
        store.isShown = false
        guard store.scans.isEmpty, try !hasUntoldNotes(db),
            let sealer = membership.sealer(fingerprint, options)
        else { return }
        let session = try StoreSession(db, store)
        try db.applyingChanges {
            try session.showAnew(&store, sealer, now: options.time())
        }
        try store.adopt(session, db)
    }

    /// Whether the app has written to tables that the space does not know yet.
    private func hasUntoldNotes(_ db: Database) throws -> Bool {
        let shift = Note.code(.insert, table: 1)
        for table in captured where !known.contains(table.table.wireName) {
            let found = try Bool.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM main.strongroom_sync_journal WHERE note >= ? AND note < ? LIMIT 1
                    """, arguments: [Int64(table.number) * shift, Int64(table.number + 1) * shift])
            if found == true { return true }
        }
        return false
    }
}
