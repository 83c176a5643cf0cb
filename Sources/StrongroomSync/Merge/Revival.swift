/// Brings back rows whose deletion this device has merged, though it had a reason to keep them.
///
/// The row begins a new life with everything that it had: values, stamps, birth and counters stay as they were. So two
/// devices that bring one row back do not fight: what either had seen of it merges as before.
package struct Revival: Sendable {
    /// All runs that this device ever had.
    package let ownRuns: Set<Run>

    package init(ownRuns: Set<Run>) {
        self.ownRuns = ownRuns
    }

    /// What this device adds to a row that another device has brought back; nil if there is nothing.
    ///
    /// In every table: what the device had written to the life before belongs to the row. Without it, the next change of
    /// one of its counters would have a count that others may know with another sum.
    ///
    /// - Parameters:
    ///   - living: The state before the deletion was merged.
    ///   - current: The state now, after everything that came with it.
    package func addition(of living: RowState, to current: RowState) -> RowState? {
        guard living.isAlive, current.isAlive, current.life > living.life, hasOwn(living),
            living.continues(in: current)
        else { return nil }
        var state = living
        state.life = current.life
        var merged = current
        return merged.merge(state).kind == .nothing ? nil : state
    }

    /// What lived of a row that came to its end twice before it could be brought back: what this device had written to the
    /// first life belongs to the second one, too.
    package func joined(_ first: RowState, _ second: RowState) -> RowState {
        var joined = second
        if let addition = addition(of: first, to: second) { _ = joined.merge(addition) }
        return joined
    }

    /// What brings a row back where an edit wins; nil if those who deleted it had seen all that this device wrote.
    package func editWins(_ living: RowState, over dead: RowState) -> RowState? {
        guard living.isAlive, !dead.isAlive, living.continues(in: dead),
            isUnseen(living, by: dead.tombstone)
        else { return nil }
        return Self.change(bringingBack: living, over: dead)
    }

    /// Whether this device wrote a cell or a counter of a row.
    package func hasOwn(_ state: RowState) -> Bool {
        state.cells.contains { ownRuns.contains($0.author.run) }
            || state.counters.contains { ownRuns.contains($0.run) }
    }

    /// Whether this device wrote something that those who deleted the row had not seen.
    private func isUnseen(_ living: RowState, by tombstone: Tombstone) -> Bool {
        living.cells.contains { cell in
            ownRuns.contains(cell.author.run)
                && tombstone.seen[place: cell.field].map { $0.author < cell.author } ?? true
        }
            || living.counters.contains { counter in
                ownRuns.contains(counter.run)
                    && tombstone.seenCounts[place: counter.place].map { $0.count < counter.count }
                        ?? true
            }
    }

    /// Whether this device made a row refer to its parent: the one who has to bring the parent back that RESTRICT
    /// would have kept.
    package func isAuthor(of reference: Reference, in table: MergeTable, _ child: RowState) -> Bool
    {
        if let birth = child.birth, ownRuns.contains(birth.run) { return true }
        return reference.columns.contains { column in
            guard case .field(let field, _) = table.columns[column],
                let cell = child.cells[place: field]
            else { return false }
            return ownRuns.contains(cell.author.run)
        }
    }

    /// The new life of a row.
    ///
    /// - Parameters:
    ///   - living: The state before the deletion.
    ///   - dead: The state now; nil if the row is not dead, so that there is nothing to bring back.
    package static func change(bringingBack living: RowState, over dead: RowState) -> RowState? {
        guard !dead.isAlive, dead.life > living.life else { return nil }
        var state = living
        state.life = RowState.revival(after: dead.life)
        return state.life <= RowState.lifeLimit ? state : nil
    }
}

extension RowState {
    /// Whether a later life is the same row brought back, or its end, and not one that was inserted anew: an
    /// insertion has authors of its own.
    fileprivate func continues(in later: RowState) -> Bool {
        if later.isAlive {
            return birth != nil && birth == later.birth
                || cells.contains { later.cells[place: $0.field]?.author == $0.author }
        }
        return later.life == life + 1
            || cells.contains { later.tombstone.seen[place: $0.field]?.author == $0.author }
    }
}
