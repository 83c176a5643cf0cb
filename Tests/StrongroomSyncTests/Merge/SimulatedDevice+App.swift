import StrongroomSync

// What an app does to its tables, as SQLite would let it, with the notes that triggers take.

extension SimulatedDevice {
    /// Inserts a row, unless a constraint is against it.
    mutating func insert(_ row: RowID, _ values: [CellValue], at time: Int64) {
        guard app[row] == nil, isAllowed(values, in: row) else { return }
        app[row] = values
        journal.append(Note(row: row, kind: .inserted, time: time + skew))
    }

    /// Updates a column, unless a constraint is against it.
    mutating func update(_ row: RowID, _ column: Int, _ value: CellValue, at time: Int64) {
        guard var values = app[row], values[column] != value else { return }
        let table = schema[row.table]
        guard case .field(let field, _) = table.columns[column] else { return }
        let old = values[column]
        values[column] = value
        guard isAllowed(values, in: row), !closesLoop(row, values) else { return }
        var note = Note(row: row, kind: .updated([column]), time: time + skew)
        if table.fields[field].kind == .counter, case .integer(let old) = old,
            case .integer(let new) = value
        {
            note.kind = .updated([])
            note.differences = [field: new - old]
        }
        app[row] = values
        journal.append(note)
    }

    /// Deletes a row with what its foreign keys say, unless one restricts it.
    mutating func delete(_ row: RowID, at time: Int64) {
        guard app[row] != nil else { return }
        var undone = self
        guard undone.remove(row, at: time) else { return }
        self = undone
    }

    private mutating func remove(_ row: RowID, at time: Int64) -> Bool {
        app[row] = nil
        journal.append(Note(row: row, kind: .deleted, time: time + skew))
        for child in app.keys.sorted(by: isBefore) {
            for (index, reference) in schema[child.table].references.enumerated() {
                guard let values = app[child], parent(of: child, values, index) == row else {
                    continue
                }
                switch reference.action {
                case .restrict: return false
                case .cascade: if !remove(child, at: time) { return false }
                case .setNull, .setDefault:
                    var changed = values
                    for (position, column) in reference.columns.enumerated() {
                        changed[column] = .null
                        if case .setDefault(let defaults) = reference.action {
                            changed[column] = defaults[position]
                        }
                    }
                    guard parent(of: child, changed, index).map({ app[$0] != nil }) ?? true else {
                        return false
                    }
                    app[child] = changed
                    journal.append(
                        Note(row: child, kind: .updated(reference.columns), time: time + skew))
                }
            }
        }
        return true
    }

    func isBefore(_ one: RowID, _ other: RowID) -> Bool {
        one.table == other.table ? one.key < other.key : one.table < other.table
    }

    func parent(of row: RowID, _ values: [CellValue], _ index: Int) -> RowID? {
        let reference = schema[row.table].references[index]
        let target = reference.columns.map { values[$0] }
        return target.contains(.null) ? nil : RowID(reference.parent, RowKey(target))
    }

    private func isAllowed(_ values: [CellValue], in row: RowID) -> Bool {
        let table = schema[row.table]
        for index in table.references.indices {
            guard let parent = parent(of: row, values, index) else { continue }
            guard app[parent] != nil || parent == row else { return false }
        }
        if let acyclic = table.acyclic, parent(of: row, values, acyclic.reference) == row {
            return false
        }
        return table.uniques.allSatisfy { unique in
            let own = unique.columns.map { values[$0] }
            return own.contains(.null)
                || !app.contains { other, values in
                    other.table == row.table && other != row
                        && unique.columns.map { values[$0] } == own
                }
        }
    }

    private func closesLoop(_ row: RowID, _ values: [CellValue]) -> Bool {
        guard let acyclic = schema[row.table].acyclic else { return false }
        var next = parent(of: row, values, acyclic.reference)
        while let ancestor = next, let values = app[ancestor] {
            if ancestor == row { return true }
            next = parent(of: ancestor, values, acyclic.reference)
        }
        return false
    }

    /// What a constraint says against the app's tables; nil if nothing does.
    var brokenConstraint: String? {
        for (row, values) in app {
            let table = schema[row.table]
            for index in table.references.indices {
                guard let parent = parent(of: row, values, index) else { continue }
                if app[parent] == nil { return "foreign key \(index) of \(table.name)" }
            }
            if closesLoop(row, values) { return "a loop in \(table.name)" }
        }
        for (number, table) in schema.tables.enumerated() {
            for unique in table.uniques {
                let values = app.filter { $0.key.table == number }.map { row in
                    unique.columns.map { row.value[$0] }
                }.filter { !$0.contains(.null) }
                if Set(values).count != values.count { return "a unique index of \(table.name)" }
            }
        }
        return nil
    }
}
