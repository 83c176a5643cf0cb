/// What a device does when it finds that it may be a copy: it begins a new run, and sends under it what the hub
/// has not got from the old one.
///
/// Cells keep author and stamp, so that what others may have merged from the other copy comes twice to the same.
/// What was added to counters is taken out of the old run's entry and put into the new one's. It has to happen before
/// anything of others is merged that has seen more of the old run.
package struct NewRun: Sendable {
    package let old: Run
    package let new: Run

    package init(_ new: Run, after old: Run) {
        self.old = old
        self.new = new
    }

    /// A change of a batch that was not sent, as the batch `batch` of the new run sends it.
    ///
    /// - Parameters:
    ///   - change: As it was made.
    ///   - sent: The old run's entry of a counter as the last batch sent has it; nil if none has. In a life that was
    ///     brought back and not sent, that of the life before: other devices may have brought it back with the row.
    ///   - known: What of a counter's additions others have from elsewhere: from the file of which this one is a copy.
    package func change(
        _ change: RowState, in batch: Tombstone.Position, sent: (_ field: Int) -> CounterEntry?,
        known: (_ field: Int) -> Int128 = { _ in 0 }
    ) -> RowState {
        var state = change
        move(&state.counters, sent, known)
        state.tombstone.batches = moved(state.tombstone.batches, to: batch)
        return state
    }

    /// The merged state of a row that a batch not sent has changed.
    ///
    /// - Parameters:
    ///   - state: As it is.
    ///   - batch: The batch of the new run that sends it.
    ///   - firstUnsent: The number of the old run's first batch that was not sent.
    ///   - sent: As above, of the same life.
    ///   - known: As above.
    package func state(
        _ state: RowState, in batch: Tombstone.Position, firstUnsent: UInt64,
        sent: (_ field: Int) -> CounterEntry?, known: (_ field: Int) -> Int128 = { _ in 0 }
    ) -> RowState {
        var state = state
        let moving = state.counters.filter { $0.run == old }
        move(&state.counters, sent, known)
        for entry in moving {
            if let sent = sent(entry.field) { state.counters.put(sent) }
        }
        if state.tombstone.batches.contains(where: { $0.run == old && $0.number >= firstUnsent }) {
            state.tombstone.batches = moved(state.tombstone.batches, to: batch)
        }
        return state
    }

    private func move(
        _ counters: inout [CounterEntry], _ sent: (Int) -> CounterEntry?, _ known: (Int) -> Int128
    ) {
        let moving = counters.filter { $0.run == old }
        counters.removeAll { $0.run == old }
        for entry in moving {
            let base = sent(entry.field)
            guard entry.count > base?.count ?? 0 else { continue }
            let sum = entry.sum - (base?.sum ?? 0) - known(entry.field)
            counters.put(CounterEntry(entry.field, new, count: entry.count, sum: sum))
        }
    }

    private func moved(
        _ batches: [Tombstone.Position], to batch: Tombstone.Position
    ) -> [Tombstone.Position] {
        guard batches.contains(where: { $0.run == old }) else { return batches }
        var batches = batches.filter { $0.run != old }
        batches.put(batch)
        return batches
    }
}
