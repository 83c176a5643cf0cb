/// A vector that every active device has passed: what was deleted below it needs no tombstone any more.
///
/// 1. Floors are numbered, and each covers the one before.
/// 2. A device applies a floor as soon as it has merged `known`, and before it merges anything of a device that
///    has applied it. So no row can come back that a dropped tombstone would have kept dead.
package struct Floor: Sendable, Hashable {
    /// 0 before the first.
    package var number: UInt64 = 0
    /// What every active device had merged.
    package var passed = Vector()
    /// What the author of the floor had merged: each later batch of an active device was written by one that had
    /// merged `passed`.
    package var known = Vector()

    package init() {}

    package init(number: UInt64, passed: Vector, known: Vector) {
        self.number = number
        self.passed = passed
        self.known = known
    }

    /// The floor of a space, as far as one device can tell.
    ///
    /// - Parameters:
    ///   - number: That of the floor before, plus 1.
    ///   - merged: What this device has merged.
    ///   - reported: For each active device, the vector of its last batch that is merged here.
    package init(number: UInt64, merged: Vector, reported: [Vector]) {
        self.number = number
        known = merged
        for (run, count) in merged.numbers {
            passed[run] = reported.reduce(count) { min($0, $1[run]) }
        }
    }
}

extension RowState {
    /// The state without what a floor makes superfluous; nil if nothing is left of it.
    package func cleared(below passed: Vector) -> RowState? {
        guard !isAlive else { return self }
        guard tombstone.batches.contains(where: passed.covers) else { return self }
        var state = self
        state.tombstone.batches.removeAll(where: passed.covers)
        return state.tombstone.batches.isEmpty ? nil : state
    }
}

/// What becomes of a row of a device that was away for so long that it begins again from a snapshot.
package enum ReturnDecision: Sendable, Hashable {
    /// The snapshot's state holds, with what this device has not sent merged into it.
    case merge
    /// Others have never had the row: it is sent.
    case send
    /// The row was deleted while the device was away: it is deleted here, too, and listed as lost, with the edits that
    /// had not been sent, if there are any.
    case delete(hasUnsentEdits: Bool)
    /// As `delete`, but an edit wins in this table: the row is inserted again.
    case reinsert

    /// - Parameters:
    ///   - isInSnapshot: Whether the snapshot has the row, dead or alive.
    ///   - wasSent: Whether a batch with the row has ever been in the hub.
    ///   - hasUnsentEdits: Whether this device has written to the row since.
    ///   - editWins: The policy of the table.
    package init(isInSnapshot: Bool, wasSent: Bool, hasUnsentEdits: Bool, editWins: Bool) {
        self =
            if isInSnapshot {
                .merge
            } else if !wasSent {
                .send
            } else if editWins, hasUnsentEdits {
                .reinsert
            } else {
                .delete(hasUnsentEdits: hasUnsentEdits)
            }
    }
}
