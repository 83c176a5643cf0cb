internal import StrongroomCore

// What a copy of a file has added to counters, and the file, too: see ``CounterTokens``.

/// What a new run takes with it of the additions that were not sent.
struct MovingAdditions {
    /// The tokens that come from other files.
    private let sent: Set<UInt64>
    private let db: Database
    private(set) var additions: [CounterAddition] = []
    private var sums: [CounterBases.Place: Int128] = [:]

    /// - Parameter sent: What other files have sent under the old run.
    init(_ db: Database, sent: Set<UInt64>) throws {
        self.db = db
        let moved = try Int64.fetchAll(
            db, sql: "SELECT token FROM main.strongroom_sync_token WHERE amount IS NULL")
        self.sent = sent.union(moved.map { UInt64(bitPattern: $0) })
    }

    /// Adds a batch that was not sent; those before it come first.
    mutating func add(_ batch: CounterBases) {
        for (place, before) in batch.earlier where sums[place] == nil {
            sums[place] = sums[before]
        }
        for var addition in batch.additions {
            if sent.contains(addition.token) {
                sums[addition.place, default: 0] += Int128(addition.amount)
            } else {
                addition.isMoved = true
                additions.append(addition)
            }
        }
    }

    /// What others have of a counter's additions.
    func known(_ place: CounterBases.Place) -> Int128 { sums[place] ?? 0 }

    /// Notes what was moved: whoever added it may send it yet.
    func keep(under run: Run) throws {
        for addition in additions.prefix(CounterTokens.limit) {
            let token = CapturedValue.integer(Int64(bitPattern: addition.token))
            try db.run(
                "DELETE FROM main.strongroom_sync_token WHERE token = ? AND amount IS NOT NULL",
                [token])
            try db.run(
                """
                INSERT OR REPLACE INTO main.strongroom_sync_token
                    (token, run, amount, tbl, "key", life, field) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    token, .blob(run.bytes), .integer(addition.amount),
                    .integer(Int64(addition.place.row.table)),
                    .blob(addition.place.row.key.bytes),
                    .integer(Int64(addition.place.life)), .integer(Int64(addition.place.field)),
                ])
        }
    }
}

extension StoreSession {
    /// Takes out of this file's counters what a unit of another run has added that was moved here.
    func giveWay(
        to tokens: CounterTokens, of run: Run, _ store: SyncStore, _ sealer: BatchSealer
    ) throws {
        guard !tokens.isEmpty else { return }
        for token in tokens.moved {
            try db.run(
                "INSERT OR IGNORE INTO main.strongroom_sync_token (token, run) VALUES (?, ?)",
                [.integer(Int64(bitPattern: token)), .blob(run.bytes)])
        }
        var given = try tokens.added.compactMap { try moved($0) }
        given += try tokens.moved.compactMap { try moved($0) }.filter { run < $0.run }
        guard !given.isEmpty else { return }
        var changes: [RowID: RowState] = [:]
        var additions: [CounterAddition] = []
        for (run, addition) in given {
            try db.run(
                "DELETE FROM main.strongroom_sync_token WHERE token = ? AND run = ?",
                [.integer(Int64(bitPattern: addition.token)), .blob(run.bytes)])
            guard let change = try takingOut(addition, of: run, store.run, changes) else {
                continue
            }
            changes[addition.place.row] = change
            guard addition.amount > .min else { continue }
            // A copy of this file, which has the token, too, says that it is not the first.
            additions.append(
                CounterAddition(
                    token: CounterTokens.token(takingOut: addition.token, of: run),
                    amount: -addition.amount,
                    place: CounterBases.Place(
                        row: addition.place.row, life: change.life, field: addition.place.field),
                    isMoved: run != store.run))
        }
        var moving = try MovingAdditions(db, sent: [])
        var bases = CounterBases()
        bases.additions = additions.filter(\.isMoved)
        moving.add(bases)
        try moving.keep(under: store.run)
        let sorted = changes.sorted { $0.key.isBefore($1.key) }
        try emit(
            sorted.map { RowChange($0.key, $0.value) }, store.run, sealer, additions: additions)
    }

    /// What was moved under a token.
    private func moved(_ token: UInt64) throws -> (run: Run, addition: CounterAddition)? {
        let argument = CapturedValue.integer(Int64(bitPattern: token))
        var found: (run: Run, addition: CounterAddition)?
        try db.forEachRow(
            """
            SELECT run, amount, tbl, "key", life, field FROM main.strongroom_sync_token
            WHERE token = ? AND amount IS NOT NULL
            """, [argument], columnCount: 6
        ) { values in
            guard case .blob(let bytes) = values[0], let run = Run(bytes),
                case .integer(let amount) = values[1], case .integer(let table) = values[2],
                case .blob(let key) = values[3], case .integer(let life) = values[4],
                case .integer(let field) = values[5]
            else { return }
            let place = CounterBases.Place(
                row: RowID(Int(table), RowKey(bytes: key)), life: UInt64(life),
                field: Int(field))
            found = (
                run, CounterAddition(token: token, amount: amount, place: place, isMoved: true)
            )
        }
        return found
    }

    /// A change that takes an addition out again, with what was changed so far.
    ///
    /// - Parameter run: Under which the addition is merged.
    /// - Returns: Nil if its row or its life is gone.
    private func takingOut(
        _ addition: CounterAddition, of run: Run, _ own: Run, _ changes: [RowID: RowState]
    ) throws -> RowState? {
        let place = addition.place
        guard let state = try currentState(of: place.row), state.isAlive,
            state.counters[place: FieldPlace(field: place.field, part: run)] != nil
        else { return nil }
        var change = changes[place.row] ?? RowState(life: state.life)
        let old =
            change.counters[place: FieldPlace(field: place.field, part: own)]
            ?? state.counters[place: FieldPlace(field: place.field, part: own)]
        change.counters.put(
            CounterEntry(
                place.field, own, count: (old?.count ?? 0) + 1,
                sum: (old?.sum ?? 0) - Int128(addition.amount)))
        return change
    }
}
