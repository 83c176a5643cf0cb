extension IncrementalProjection {
    /// Finds loops of acyclic references that a merge closed or opened, and says which edges are cut now.
    ///
    /// A row has one edge, so each row lies in at most one loop; one that is closed or opened has a changed row in it. Paths are
    /// walked once for all changed rows together.
    mutating func updateCuts() {
        var changes: [EdgeChange] = []
        for row in seeds.union(admitted.changes.keys)
        where source.schema[row.table].acyclic != nil {
            let (before, after) = (admittedBefore(row), isIn(admitted, row) ? merged(row) : nil)
            let change = EdgeChange(
                row, before, after, before.flatMap(edgeBefore), after.flatMap(edgeNow))
            if change.isChange { changes.append(change) }
        }
        guard !changes.isEmpty else { return }
        let changed = Set(changes.map(\.row))
        let suspects = openedLoops(changes, changed).union(changed)
        var cut: Set<RowID> = []
        var closed: Set<RowID> = []
        var visited: Set<RowID> = []
        for change in changes where change.new != nil && hasChild(change.row) {
            let loop = loop(from: change.row, &visited) { projection, row in
                guard projection.isIn(projection.admitted, row) else { return nil }
                return projection.merged(row).flatMap(projection.edgeNow)
            }
            let rows = loop.compactMap { merged($0) }
            guard let first = rows.first else { continue }
            cut.insert(rows.reduce(first) { $1.isCut(before: $0) ? $1 : $0 }.row)
            closed.formUnion(loop)
        }
        for row in suspects.union(closed) where cut.contains(row) != source.status(of: row).isCut {
            cuts[row] = cut.contains(row)
        }
    }

    /// The rows of the loops that there were, as far as a changed row lay in them.
    private mutating func openedLoops(
        _ changes: [EdgeChange], _ changed: Set<RowID>
    ) -> Set<RowID> {
        let oldParents = Set(changes.compactMap(\.old))
        var rows: Set<RowID> = []
        var visited: Set<RowID> = []
        for change in changes where change.old != nil {
            guard oldParents.contains(change.row) || hasChild(change.row) else { continue }
            let loop = loop(from: change.row, &visited) { projection, row in
                projection.admittedBefore(row).flatMap(projection.edgeBefore)
            }
            if loop.contains(where: changed.contains) { rows.formUnion(loop) }
        }
        return rows
    }

    /// The loop in which a path ends, if it has not been walked before.
    private mutating func loop(
        from start: RowID, _ visited: inout Set<RowID>, edge: (inout Self, RowID) -> RowID?
    ) -> ArraySlice<RowID> {
        var path: [RowID] = []
        var next: RowID? = start
        while let row = next, visited.insert(row).inserted {
            path.append(row)
            next = edge(&self, row)
        }
        guard let next, let first = path.firstIndex(of: next) else { return [] }
        return path[first...]
    }

    private func edgeNow(_ row: MergedRow) -> RowID? {
        row.edge(in: source) { isIn(admitted, $0) }
    }

    private func edgeBefore(_ row: MergedRow) -> RowID? {
        row.edge(in: source) { source.status(of: $0).level >= .loop }
    }

    private mutating func admittedBefore(_ row: RowID) -> MergedRow? {
        source.status(of: row).level >= .loop ? mergedBefore(row) : nil
    }

    private func hasChild(_ row: RowID) -> Bool {
        guard let acyclic = source.schema[row.table].acyclic else { return false }
        return source.hasChildren(of: row, by: ReferenceID(row.table, acyclic.reference))
    }
}

/// The acyclic edge of a row before and after a merge.
private struct EdgeChange {
    let row: RowID
    let old: RowID?
    let new: RowID?
    let isChange: Bool

    init(
        _ row: RowID, _ before: MergedRow?, _ after: MergedRow?, _ old: RowID?, _ new: RowID?
    ) {
        self.row = row
        self.old = old
        self.new = new
        isChange =
            (before == nil) != (after == nil) || old != new
            || before?.edgeAuthor != after?.edgeAuthor
    }
}
