/// The merged state of a space, in memory: what tests, tools and the reading of a snapshot need. The engine keeps it
/// in the database, row by row, and follows the same rules.
package struct MergedState: Sendable {
    package var schema: MergeSchema
    package private(set) var rows: [RowID: RowState] = [:]
    package private(set) var vector = Vector()
    package private(set) var floor = Floor()

    package init(_ schema: MergeSchema) {
        self.schema = schema
    }

    /// Whether a batch can be merged now.
    package enum Readiness: Sendable, Hashable {
        case ready
        /// It is merged already.
        case merged
        /// Its author had merged batches that are not merged here.
        case missing
        /// Its author had applied a floor that is not applied here.
        case floor
    }

    package func readiness(of batch: BatchContent) -> Readiness {
        if batch.number <= vector[batch.run] { return .merged }
        guard vector.covers(batch.seen) else { return .missing }
        return batch.floor > floor.number ? .floor : .ready
    }

    /// Whether a snapshot can be merged as a state.
    ///
    /// Not if it lacks what a floor applied here has passed, nor if it has dropped tombstones that this device needs: such a
    /// device has to begin from the snapshot.
    package func canMerge(_ snapshot: SnapshotContent) -> Bool {
        snapshot.vector.covers(floor.passed)
            && (rows.isEmpty || vector.covers(snapshot.floor.passed))
    }

    /// Merges the changes of a batch that is ready.
    ///
    /// - Returns: The rows that changed, as they were before; nil for those that did not exist.
    @discardableResult
    package mutating func merge(_ batch: BatchContent) -> [RowID: RowState?] {
        let touched = merge(batch.changes)
        vector[batch.run] = max(vector[batch.run], batch.number)
        return touched
    }

    /// Merges a snapshot that can be merged.
    ///
    /// - Returns: The rows that changed, as they were before.
    @discardableResult
    package mutating func merge(_ snapshot: SnapshotContent) -> [RowID: RowState?] {
        var touched = merge(snapshot.rows)
        vector.join(snapshot.vector)
        if snapshot.floor.number > floor.number {
            touched.merge(apply(snapshot.floor)) { old, _ in old }
        }
        return touched
    }

    /// Merges changes without a batch around them: those of a batch that another one has the number of.
    ///
    /// - Returns: The rows that changed, as they were before.
    @discardableResult
    package mutating func merge(_ changes: [RowChange]) -> [RowID: RowState?] {
        var touched: [RowID: RowState?] = [:]
        for change in changes {
            guard let state = change.state.cleared(below: floor.passed) else { continue }
            let old = rows[change.row]
            if merge(state, into: change.row).kind != .nothing, touched[change.row] == nil {
                touched[change.row] = .some(old)
            }
        }
        return touched
    }

    /// Merges one state of a row.
    package mutating func merge(_ state: RowState, into row: RowID) -> MergeOutcome {
        guard let index = rows.index(forKey: row) else {
            rows[row] = state
            return MergeOutcome(kind: .replaced)
        }
        return rows.values[index].merge(state)
    }

    /// Applies a floor whose `known` is merged.
    ///
    /// - Returns: The tombstones that changed, as they were before.
    @discardableResult
    package mutating func apply(_ floor: Floor) -> [RowID: RowState?] {
        var touched: [RowID: RowState?] = [:]
        for (row, state) in rows where !state.isAlive {
            let left = state.cleared(below: floor.passed)
            guard left != state else { continue }
            touched[row] = .some(state)
            rows[row] = left
        }
        self.floor = floor
        return touched
    }

    /// Puts a state in place of another one, which only a device does with what it has not sent.
    package mutating func replace(_ row: RowID, with state: RowState) {
        rows[row] = state
    }

    /// Takes over what a device does to its own vector when it begins a new run.
    package mutating func setNumber(_ number: UInt64, of run: Run) {
        vector[run] = number
    }

    package var snapshot: SnapshotContent {
        SnapshotContent(
            vector: vector, floor: floor,
            rows: sortedRows.compactMap { row in rows[row].map { RowChange(row, $0) } })
    }

    /// The rows in the order of the bytes of their tables' names, then of their keys.
    package var sortedRows: [RowID] {
        rows.keys.sorted {
            $0.table == $1.table
                ? $0.key < $1.key
                : schema[$0.table].name.precedesByBytes(schema[$1.table].name)
        }
    }

    /// The canonical form of all rows.
    package var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        for row in sortedRows {
            guard let state = rows[row] else { continue }
            RowBytes(table: schema[row.table], row: row, state: state).append(to: &bytes)
        }
        return bytes
    }
}
