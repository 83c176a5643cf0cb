/// The merged state in memory, with what a projection looks up in it.
package struct MemorySource: ProjectionSource, Sendable {
    package private(set) var merged: MergedState
    /// What the last projection made of living rows.
    package private(set) var projected: [RowID: ProjectedRow] = [:]
    private var childIndex: [ChildPlace: Set<RowID>] = [:]
    private var uniqueIndex: [UniquePlace: Set<RowID>] = [:]
    private var tableIndex: [Int: Set<RowID>] = [:]
    private var fitting: (@Sendable (_ values: [CellValue], _ table: Int) -> Bool)?

    private struct ChildPlace: Hashable {
        var reference: ReferenceID
        var parent: RowID
    }

    private struct UniquePlace: Hashable {
        var table: Int
        var index: Int
        var values: [CellValue]
    }

    /// - Parameter fitting: Whether values fit into a table; nil if all do.
    package init(
        _ merged: MergedState,
        fitting: (@Sendable (_ values: [CellValue], _ table: Int) -> Bool)? = nil
    ) {
        self.merged = merged
        self.fitting = fitting
        for (row, state) in merged.rows { index(row, state, isThere: true) }
    }

    package var schema: MergeSchema { merged.schema }

    package func state(of row: RowID) -> RowState? { merged.rows[row] }

    package func status(of row: RowID) -> RowStatus { projected[row]?.status ?? RowStatus() }

    package func children(of parent: RowID, by reference: ReferenceID) -> [RowID] {
        Array(childIndex[ChildPlace(reference: reference, parent: parent)] ?? [])
    }

    package func hasChildren(of parent: RowID, by reference: ReferenceID) -> Bool {
        childIndex[ChildPlace(reference: reference, parent: parent)] != nil
    }

    package func rows(in table: Int, unique index: Int, equalTo values: [CellValue]) -> [RowID] {
        Array(uniqueIndex[UniquePlace(table: table, index: index, values: values)] ?? [])
    }

    package func rows(in table: Int) -> [RowID] { Array(tableIndex[table] ?? []) }

    package func parents(named values: [CellValue], in table: Int) -> [RowID] {
        [RowID(table, RowKey(values))]
    }

    package func accepts(_ values: [CellValue], in table: Int) -> Bool {
        fitting?(values, table) ?? true
    }

    /// Changes the merged state; `touched` says what was there before, as the merges of ``MergedState`` return it.
    ///
    /// - Returns: `touched`.
    @discardableResult
    package mutating func change(
        _ body: (inout MergedState) throws -> [RowID: RowState?]
    ) rethrows -> [RowID: RowState?] {
        let touched = try body(&merged)
        for (row, old) in touched {
            index(row, old, isThere: false)
            index(row, merged.rows[row], isThere: true)
        }
        return touched
    }

    /// Takes over what a projection found.
    package mutating func show(_ changes: [RowID: ProjectedRow]) {
        for (row, change) in changes {
            projected[row] = change.status.level == .absent ? nil : change
        }
    }

    /// Takes over a schema that has more unknown tables and fields than before, and the rest as it was.
    package mutating func adopt(_ schema: MergeSchema) { merged.schema = schema }

    private mutating func index(_ row: RowID, _ state: RowState?, isThere: Bool) {
        guard let state, state.isAlive else { return }
        let table = schema[row.table]
        tableIndex[row.table, default: []].set(row, isThere)
        guard let merged = MergedRow(row, state, in: table) else { return }
        for (number, reference) in table.references.enumerated() {
            guard let target = merged.target(of: number) else { continue }
            let place = ChildPlace(
                reference: ReferenceID(row.table, number),
                parent: RowID(reference.parent, RowKey(target)))
            childIndex[place, default: []].set(row, isThere)
            if childIndex[place]?.isEmpty == true { childIndex[place] = nil }
        }
        for number in table.uniques.indices {
            guard let values = merged.uniqueValues(number) else { continue }
            let place = UniquePlace(table: row.table, index: number, values: values)
            uniqueIndex[place, default: []].set(row, isThere)
            if uniqueIndex[place]?.isEmpty == true { uniqueIndex[place] = nil }
        }
    }
}

extension Set {
    fileprivate mutating func set(_ element: Element, _ isThere: Bool) {
        if isThere { insert(element) } else { remove(element) }
    }
}
