/// What becomes visible or invisible by a merge: the same as ``FullProjection``, at a cost that depends on the rows that
/// change and on their neighbours.
///
/// 1. What is not in a layer's `changes` is as the last projection left it.
/// 2. Each step only asks what the steps before have settled: parents, unique values, parents again, loops.
package struct IncrementalProjection<Source: ProjectionSource> {
    let source: Source
    /// The rows that a merge changed, as they were before.
    let touched: [RowID: RowState?]
    /// Those of them on which other rows may depend, or which may depend on others.
    private(set) var seeds: Set<RowID> = []
    private var mergedRows: [RowID: MergedRow?] = [:]
    /// Whether rows are cut, where that may have changed.
    var cuts: [RowID: Bool] = [:]
    private var candidates = Layer(lowest: .rival)
    private var rivals: [RowID: Bool] = [:]
    var admitted = Layer(lowest: .loop)
    private var visible = Layer(lowest: .shown)
    private var dependencies: [Int: [ReferenceID]] = [:]

    /// A set of rows in which each row's needed parents are.
    struct Layer {
        let lowest: RowStatus.Level
        var changes: [RowID: Bool] = [:]
    }

    /// - Parameter touched: The rows that a merge changed, as they were before; nil for new ones.
    package init(of source: Source, after touched: [RowID: RowState?]) {
        self.source = source
        self.touched = touched
    }

    /// The rows that changed or may have changed. Those that are gone have the level `absent`.
    package mutating func run() -> [RowID: ProjectedRow] {
        for table in source.schema.tables.indices {
            dependencies[table] = source.references(to: table)
        }
        var result: [RowID: ProjectedRow] = [:]
        result.reserveCapacity(touched.count)
        for row in touched.keys {
            if isAlone(source.schema[row.table], row.table) {
                result[row] = projectedAlone(row)
            } else {
                seeds.insert(row)
            }
        }
        guard !seeds.isEmpty else { return result }
        projectSeeds(&result)
        return result
    }

    private mutating func projectSeeds(_ result: inout [RowID: ProjectedRow]) {
        var seeds = seeds
        candidates = settle(candidates, seeds, isLoopCut: false) { projection, row in
            projection.merged(row) != nil
        }
        updateRivals()
        seeds.formUnion(candidates.changes.keys)
        seeds.formUnion(rivals.keys)
        admitted = settle(admitted, seeds, isLoopCut: false) { projection, row in
            projection.isIn(projection.candidates, row) && !projection.isRival(row)
        }
        updateCuts()
        seeds.formUnion(admitted.changes.keys)
        seeds.formUnion(cuts.keys)
        visible = settle(visible, seeds, isLoopCut: true) { projection, row in
            let holdsCut = projection.source.schema[row.table].acyclic?.cutHolds == true
            return projection.isIn(projection.admitted, row)
                && !(holdsCut && projection.isCut(row))
        }
        var affected = seeds.union(visible.changes.keys)
        for (row, isVisible) in visible.changes where isVisible != wasVisible(row) {
            for reference in dependencies[row.table] ?? [] where !definition(reference).isNeeded {
                affected.formUnion(
                    source.children(of: row, by: reference).filter { isIn(visible, $0) })
            }
        }
        for row in affected { result[row] = projected(row) }
    }

    /// Whether rows of a table are shown or not whatever others are.
    private func isAlone(_ table: MergeTable, _ number: Int) -> Bool {
        table.references.isEmpty && table.uniques.isEmpty && (dependencies[number] ?? []).isEmpty
    }

    private mutating func projectedAlone(_ row: RowID) -> ProjectedRow {
        guard let merged = merged(row) else { return ProjectedRow(unmergedStatus(row), nil) }
        return ProjectedRow(RowStatus(.shown), merged.values)
    }

    /// The status of a row that has no merged values.
    private func unmergedStatus(_ row: RowID) -> RowStatus {
        let isAlive = source.state(of: row)?.isAlive == true && source.schema[row.table].isKnown
        return RowStatus(isAlive ? .incomplete : .absent)
    }

    private mutating func projected(_ row: RowID) -> ProjectedRow {
        let status = status(row)
        guard status.level == .shown, let merged = merged(row) else {
            return ProjectedRow(status, nil)
        }
        let values = merged.shownValues(in: source, isCut: status.isCut) { isIn(visible, $0) }
        return ProjectedRow(status, values)
    }

    private mutating func status(_ row: RowID) -> RowStatus {
        guard let merged = merged(row) else { return unmergedStatus(row) }
        let isCut = isCut(row)
        let level: RowStatus.Level =
            if !isIn(candidates, row) {
                .orphan
            } else if isRival(row) {
                .rival
            } else if !isIn(admitted, row) {
                .waiting
            } else if isCut, merged.table.acyclic?.cutHolds == true {
                .loop
            } else {
                isIn(visible, row) ? .shown : .stranded
            }
        return RowStatus(level, isCut: isCut)
    }

    // MARK: - Rows

    /// The row as it is now; nil if it is dead or incomplete.
    mutating func merged(_ row: RowID) -> MergedRow? {
        if let known = mergedRows[row] { return known }
        let merged = source.mergedRow(row, source.state(of: row))
        let fitting = merged.flatMap { source.accepts($0.values, in: row.table) ? $0 : nil }
        mergedRows[row] = .some(fitting)
        return fitting
    }

    /// The row as it was before the merge.
    mutating func mergedBefore(_ row: RowID) -> MergedRow? {
        guard let old = touched[row] else { return merged(row) }
        guard source.status(of: row).level > .incomplete else { return nil }
        return source.mergedRow(row, old)
    }

    private func isCut(_ row: RowID) -> Bool { cuts[row] ?? source.status(of: row).isCut }

    private func isRival(_ row: RowID) -> Bool {
        rivals[row] ?? (source.status(of: row).level == .rival)
    }

    private func wasVisible(_ row: RowID) -> Bool { source.status(of: row).level == .shown }

    func isIn(_ layer: Layer, _ row: RowID) -> Bool {
        layer.changes[row] ?? (source.status(of: row).level >= layer.lowest)
    }

    private func definition(_ reference: ReferenceID) -> Reference {
        source.schema[reference.table].references[reference.index]
    }

    // MARK: - Parents

    /// Makes a layer the greatest set of rows that fulfil a condition and have their parents in the set.
    ///
    /// First every row that could come in does, then those leave that lack a parent: so rows that refer to each other
    /// come in together.
    private mutating func settle(
        _ previous: Layer, _ seeds: Set<RowID>, isLoopCut: Bool,
        where isPossible: (inout Self, RowID) -> Bool
    ) -> Layer {
        var layer = previous
        var open = Array(seeds)
        var unproved = open
        while let row = open.popLast() {
            guard !isIn(layer, row), isPossible(&self, row) else { continue }
            layer.changes[row] = true
            unproved.append(row)
            open += dependents(of: row).filter { !isIn(layer, $0) }
        }
        while let row = unproved.popLast() {
            guard isIn(layer, row) else { continue }
            if isPossible(&self, row), let merged = merged(row) {
                let isSupported = merged.isSupported(in: source, isCut: isLoopCut && isCut(row)) {
                    isIn(layer, $0)
                }
                if isSupported { continue }
            }
            layer.changes[row] = false
            unproved += dependents(of: row).filter { isIn(layer, $0) }
        }
        return layer
    }

    /// The rows that may need this one.
    private func dependents(of row: RowID) -> [RowID] {
        (dependencies[row.table] ?? []).flatMap { reference -> [RowID] in
            let definition = definition(reference)
            if let fallback = definition.fallback, !definition.isNeeded {
                // The default of many rows, which no lookup lists.
                if source.parents(named: fallback, in: row.table).contains(row) {
                    return source.rows(in: reference.table)
                }
            } else if !definition.isNeeded {
                return []
            }
            return source.children(of: row, by: reference)
        }
    }

    // MARK: - Unique values

    /// Values of a unique index.
    private struct UniquePlace: Hashable {
        var table: Int
        var index: Int
        var values: [CellValue]
    }

    private mutating func updateRivals() {
        let changed = seeds.union(candidates.changes.keys)
        var places: Set<UniquePlace> = []
        var concerned: Set<RowID> = []
        for row in changed where !source.schema[row.table].uniques.isEmpty {
            let was = source.status(of: row).level >= .rival ? mergedBefore(row) : nil
            let now = isIn(candidates, row) ? merged(row) : nil
            if now != nil { concerned.insert(row) }
            for index in source.schema[row.table].uniques.indices {
                let (old, new) = (was?.uniqueValues(index), now?.uniqueValues(index))
                if old == new, was?.birth == now?.birth { continue }
                for values in [old, new] {
                    guard let values else { continue }
                    places.insert(UniquePlace(table: row.table, index: index, values: values))
                }
            }
        }
        for place in places {
            let rows = source.rows(in: place.table, unique: place.index, equalTo: place.values)
            concerned.formUnion(rows.filter { isIn(candidates, $0) })
        }
        var oldest: [UniquePlace: RowID] = [:]
        for row in concerned { rivals[row] = hasOlderRival(row, &oldest) }
    }

    private mutating func hasOlderRival(_ row: RowID, _ oldest: inout [UniquePlace: RowID]) -> Bool
    {
        guard let merged = merged(row) else { return false }
        for index in merged.table.uniques.indices {
            guard let values = merged.uniqueValues(index) else { continue }
            let place = UniquePlace(table: row.table, index: index, values: values)
            // A partial index does not have every row.
            guard let first = oldest[place] ?? oldestRow(place) else { continue }
            oldest[place] = first
            if first != row { return true }
        }
        return false
    }

    private mutating func oldestRow(_ place: UniquePlace) -> RowID? {
        var oldest: MergedRow?
        for row in source.rows(in: place.table, unique: place.index, equalTo: place.values)
        where isIn(candidates, row) {
            guard let merged = merged(row) else { continue }
            if oldest.map({ merged.isOlder(than: $0) }) ?? true { oldest = merged }
        }
        return oldest?.row
    }
}
