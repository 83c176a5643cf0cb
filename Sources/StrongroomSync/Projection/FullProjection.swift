/// What is visible of all rows, computed from nothing but the merged state: the definition.
///
/// 1. Complete: the row is alive, and each column has a value that fits.
/// 2. Parents: the greatest set of rows in which each row's needed parents are.
/// 3. Unique values: of the rows of that set with equal values, the oldest stays.
/// 4. Parents again: the greatest set of the rest in which each row's needed parents are.
/// 5. Loops: of the edges of a loop of acyclic references in that set, the newest is cut. It is shown as NULL, or its
///    row is held, and with it those that need it.
///
/// A reference that is not needed is shown as NULL, or as its default, where the parent is not visible.
package struct FullProjection<Source: ProjectionSource> {
    private let source: Source
    private var rows: [RowID: MergedRow] = [:]
    private var cut: Set<RowID> = []
    private var statuses: [RowID: RowStatus] = [:]

    package init(of source: Source) {
        self.source = source
    }

    /// The statuses of all living rows, and the values of the visible ones.
    package mutating func run() -> [RowID: ProjectedRow] {
        for table in source.schema.tables.indices where source.schema[table].isKnown {
            for row in source.rows(in: table) {
                let merged = source.mergedRow(row, source.state(of: row))
                if let merged, source.accepts(merged.values, in: table) {
                    rows[row] = merged
                } else {
                    statuses[row] = RowStatus(.incomplete)
                }
            }
        }
        var candidates = Set(rows.keys)
        leaveSupported(&candidates, else: .orphan)
        holdRivals(&candidates)
        leaveSupported(&candidates, else: .waiting)
        cutLoops(in: candidates)
        for row in cut where rows[row]?.table.acyclic?.cutHolds == true {
            statuses[row] = RowStatus(.loop, isCut: true)
            candidates.remove(row)
        }
        leaveSupported(&candidates, else: .stranded)
        for row in candidates { statuses[row] = status(.shown, of: row) }
        let visible = candidates
        return statuses.reduce(into: [:]) { result, entry in
            let isVisible = visible.contains(entry.key)
            let values = isVisible ? rows[entry.key].map { shown($0, visible) } : nil
            result[entry.key] = ProjectedRow(entry.value, values)
        }
    }

    private func status(_ level: RowStatus.Level, of row: RowID) -> RowStatus {
        RowStatus(level, isCut: cut.contains(row))
    }

    private mutating func cutLoops(in candidates: Set<RowID>) {
        var done: Set<RowID> = []
        for start in candidates where !done.contains(start) {
            var path: [MergedRow] = []
            var next = rows[start]
            while let row = next, done.insert(row.row).inserted {
                path.append(row)
                next = row.edge(in: source, among: candidates.contains).flatMap { rows[$0] }
            }
            guard let next, let first = path.firstIndex(where: { $0.row == next.row }) else {
                continue
            }
            let loop = path[first...]
            let newest = loop.dropFirst().reduce(next) { $1.isCut(before: $0) ? $1 : $0 }
            cut.insert(newest.row)
        }
    }

    private mutating func leaveSupported(
        _ candidates: inout Set<RowID>, else level: RowStatus.Level
    ) {
        while true {
            let lost = candidates.filter { row in
                guard let merged = rows[row] else { return true }
                return !merged.isSupported(in: source, isCut: cut.contains(row)) {
                    candidates.contains($0)
                }
            }
            if lost.isEmpty { return }
            for row in lost { statuses[row] = status(level, of: row) }
            candidates.subtract(lost)
        }
    }

    private mutating func holdRivals(_ candidates: inout Set<RowID>) {
        let lost = candidates.filter { row in
            guard let merged = rows[row] else { return true }
            return merged.table.uniques.indices.contains { index in
                guard let values = merged.uniqueValues(index) else { return false }
                return source.rows(in: row.table, unique: index, equalTo: values).contains {
                    other in
                    other != row && candidates.contains(other)
                        && rows[other]?.isOlder(than: merged) == true
                }
            }
        }
        for row in lost { statuses[row] = status(.rival, of: row) }
        candidates.subtract(lost)
    }

    private func shown(_ row: MergedRow, _ visible: Set<RowID>) -> [CellValue] {
        row.shownValues(in: source, isCut: cut.contains(row.row)) { visible.contains($0) }
    }
}

extension MergedRow {
    /// The parent in the acyclic reference, if there is one in a set.
    func edge(in source: some ProjectionSource, among contains: (RowID) -> Bool) -> RowID? {
        guard let acyclic = table.acyclic, let target = target(of: acyclic.reference) else {
            return nil
        }
        return source.parents(named: target, in: table.references[acyclic.reference].parent)
            .first(where: contains)
    }

    /// The rows that must be there for this one: for each reference, one of those in a list.
    func isSupported(
        in source: some ProjectionSource, isCut: Bool, by contains: (RowID) -> Bool
    ) -> Bool {
        table.references.indices.allSatisfy { index in
            let reference = table.references[index]
            if isCut, index == table.acyclic?.reference { return true }
            guard let target = target(of: index) else { return true }
            if source.parents(named: target, in: reference.parent).contains(where: contains) {
                return true
            }
            if reference.isNeeded { return false }
            guard let fallback = reference.fallback else { return true }
            return source.parents(named: fallback, in: reference.parent).contains(where: contains)
        }
    }

    /// The merged values, with NULL or a default where a parent is not visible.
    func shownValues(
        in source: some ProjectionSource, isCut: Bool, visible: (RowID) -> Bool
    ) -> [CellValue] {
        var shown = values
        for (index, reference) in table.references.enumerated() {
            guard let target = target(of: index) else { continue }
            let isCutHere = isCut && index == table.acyclic?.reference
            if !isCutHere,
                source.parents(named: target, in: reference.parent).contains(where: visible)
            {
                continue
            }
            for (position, column) in reference.columns.enumerated() {
                shown[column] =
                    if case .setDefault(let values) = reference.action, !isCutHere {
                        values[position]
                    } else {
                        .null
                    }
            }
        }
        return shown
    }
}

extension Reference {
    /// The key that the default names; nil if there is none, or NULL in it.
    var fallback: [CellValue]? {
        guard case .setDefault(let values) = action, !values.contains(.null) else { return nil }
        return values
    }
}
