internal import StrongroomCore
internal import StrongroomSchema

// What a projection asks. Rows are found by their merged values: those of the app's tables for most rows, those in
// the shadow for others.

extension StoreSession: ProjectionSource {
    func state(of row: RowID) -> RowState? { attempt(nil) { try currentState(of: row) } }

    func status(of row: RowID) -> RowStatus { attempt(RowStatus()) { try stored(row).status } }

    func children(of parent: RowID, by reference: ReferenceID) -> [RowID] {
        attempt([]) {
            guard let table = space.tables[reference.table],
                reference.index < table.references.count, try !isUnreached(reference.table)
            else { return [] }
            let key = table.references[reference.index]
            let condition = zip(key.columns, key.collations).enumerated().map { index, part in
                table.condition(part.0, index, collation: part.1)
            }.joined(separator: " AND ")
            return try rows(
                in: table, where: condition, parent.key.values.map(\.captured))
        }
    }

    func rows(in number: Int, unique index: Int, equalTo values: [CellValue]) -> [RowID] {
        attempt([]) {
            guard let table = space.tables[number], index < table.uniques.count else { return [] }
            let unique = table.uniques[index]
            if let columns = unique.columns, unique.condition == nil {
                let condition = zip(columns, unique.terms).enumerated().map { index, part in
                    table.condition(part.0, index, collation: part.1.collation)
                }.joined(separator: " AND ")
                return try rows(in: table, where: condition, values.map(\.captured))
            }
            try fillProbe(table, schema[number].uniques[index].columns, values)
            let probe = RowShadow.probeName(number)
            let filter = unique.condition.map { "(\($0))" }
            let terms = unique.terms.map { term in
                let inner = filter.map { " WHERE \($0)" } ?? ""
                return "(\(term.sql)) = (SELECT \(term.sql) FROM \(probe)\(inner))"
                    + " COLLATE \(term.collation.quotedDatabaseIdentifier)"
            }
            let condition = ([filter].compactMap(\.self) + terms).joined(separator: " AND ")
            return try rows(in: table, where: condition, [])
        }
    }

    /// Puts the values into a row that expressions and conditions of an index can be asked of.
    private func fillProbe(
        _ table: SpaceTable, _ columns: [Int], _ values: [CellValue]
    ) throws {
        let name = RowShadow.probeName(table.number)
        try db.run("DELETE FROM \(name)", [])
        let names = columns.map { table.columns[$0].quotedDatabaseIdentifier }
        let marks = columns.indices.map { "?\($0 + 1)" }
        try db.run(
            "INSERT INTO \(name) (\(names.joined(separator: ", ")))"
                + " VALUES (\(marks.joined(separator: ", ")))",
            values.map(\.captured))
    }

    /// The living rows whose merged values fulfil a condition.
    private func rows(
        in table: SpaceTable, where condition: String, _ arguments: [CapturedValue]
    ) throws -> [RowID] {
        var found: [RowID] = []
        try db.forEachRow(
            "SELECT \(table.keyList) FROM \(table.source) WHERE \(condition)", arguments,
            columnCount: table.keyCount
        ) { values in
            let row = RowID(table.number, RowKey(values))
            if !shadow.masked.contains(row) { found.append(row) }
        }
        guard !shadow.masked.isEmpty, RowShadow.isNeeded(table) else { return found }
        try db.forEachRow(
            "SELECT \(RowShadow.key) FROM \(RowShadow.name(table.number)) WHERE \(condition)",
            arguments, columnCount: 1
        ) {
            if case .blob(let key) = $0[0] { found.append(RowID(table.number, RowKey(bytes: key))) }
        }
        return found
    }

    func rows(in table: Int) -> [RowID] {
        attempt([]) {
            let kept = try rowIDs(in: table, atLeast: .incomplete).filter { touched[$0] == nil }
            let changed = try touched.keys.filter {
                try $0.table == table && currentState(of: $0)?.isAlive == true
            }
            return kept + changed
        }
    }

    func parents(named values: [CellValue], in number: Int) -> [RowID] {
        let exact = RowID(number, RowKey(values))
        guard let table = space.tables[number], !table.stored.isKeyExact else { return [exact] }
        return attempt([]) {
            let condition = (0..<table.keyCount).map { index in
                "\(table.columns[index].quotedDatabaseIdentifier) = ?\(index + 1)"
            }.joined(separator: " AND ")
            return try rows(in: table, where: condition, values.map(\.captured))
        }
    }

    func absentValue(of column: Int, in number: Int, for values: [CellValue]) -> CellValue? {
        guard let table = space.tables[number], let sql = table.absent[column] else { return nil }
        return attempt(nil) {
            try fillProbe(table, Array(values.indices), values)
            let probe = RowShadow.probeName(number)
            let name = table.columns[column].quotedDatabaseIdentifier
            do {
                try db.run("UPDATE \(probe) SET \(name) = (\(sql))", [])
            } catch let error as DatabaseError
                where error.resultCode.primaryResultCode == .SQLITE_ERROR
            {
                // A function does not take the values: as if there were no expression.
                return nil
            }
            var value: CellValue?
            try db.forEachRow("SELECT \(name) FROM \(probe)", [], columnCount: 1) { value = $0[0] }
            return value
        }
    }

    // MARK: - Values that fit

    func accepts(_ values: [CellValue], in number: Int) -> Bool {
        guard let table = space.tables[number] else { return true }
        let key = RowID(number, RowKey(Array(values.prefix(table.keyCount))))
        if rejected.contains(key) { return false }
        if !table.hasChecks, table.isPlain(values) { return true }
        return attempt(false) { try fits(values, table) }
    }

    /// Whether SQLite takes the values, and keeps them as they are.
    private func fits(_ values: [CellValue], _ table: SpaceTable) throws -> Bool {
        let name = RowShadow.fitName(table.number)
        let list = table.columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
        let marks = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        do {
            try db.run(
                "INSERT INTO \(name) (\(list)) VALUES (\(marks))", values.map(\.captured))
        } catch let error as DatabaseError where error.isRefusedValue {
            return false
        }
        var kept: [CellValue] = []
        try db.forEachRow("SELECT \(list) FROM \(name)", [], columnCount: values.count) {
            kept = $0
        }
        try db.run("DELETE FROM \(name)", [])
        return kept == values
    }
}

extension DatabaseError {
    /// Whether a constraint or a type is against a value.
    var isRefusedValue: Bool {
        [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(resultCode.primaryResultCode)
    }
}

extension SpaceTable {
    /// That a column is equal to an argument.
    fileprivate func condition(_ column: Int, _ index: Int, collation: String) -> String {
        "\(columns[column].quotedDatabaseIdentifier) = ?\(index + 1)"
            + " COLLATE \(collation.quotedDatabaseIdentifier)"
    }

    /// Whether the columns keep the values as they are, without asking SQLite.
    fileprivate func isPlain(_ values: [CellValue]) -> Bool {
        guard !stored.isStrict else { return false }
        return zip(values, affinities).enumerated().allSatisfy { index, pair in
            switch (pair.1, pair.0) {
            case (_, .null): !notNull[index]
            case (.none, _), (.blob, _), (_, .blob): true
            case (.text, .text), (.integer, .integer), (.numeric, .integer), (.real, .real): true
            default: false
            }
        }
    }
}
