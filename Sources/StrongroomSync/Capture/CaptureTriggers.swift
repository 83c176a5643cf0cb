internal import StrongroomCore
internal import StrongroomSchema

/// The triggers that note what changes in a table, in SQL that every SQLite understands.
///
/// 1. Nothing but functions of SQLite is called, and nothing is named that is not in the file.
/// 2. The row that REPLACE deletes is noted before: no trigger hears of the deletion.
/// 3. An update writes no note if no shared column has other bytes.
/// 4. A counter is noted by its difference, never by a mask, under a token of its own.
struct CaptureTriggers {
    private let captured: SharedTable
    private let number: Int
    private let positions: [Int]

    init(_ table: SharedTable, number: Int, positions: [Int]) {
        captured = table
        self.number = number
        self.positions = positions
    }

    func triggers() throws -> RowTriggers {
        var scope = RowTriggers.Scope()
        scope.condition = SyncOrigin.takesNotesSQL
        scope.columns = captured.columns.map(\.name)
        scope.omitsExactKey = true
        scope.omitsRowNumber = !watchesRowNumbers
        return try RowTriggers(
            "sync", on: captured.stored, isTemporary: false, scope: scope, readsOrigin: true
        ) { change in
            statements(change).joined(separator: ";\n    ").nilIfEmpty
        }
    }

    /// Where there are triggers before each insertion anyway, they also look for the row number.
    private var watchesRowNumbers: Bool {
        captured.declaration.watchesRowNumbers || !captured.uniqueIndexes.isEmpty
            || !captured.stored.isKeyExact
    }

    private func statements(_ change: RowTriggers.Change) -> [String] {
        switch change.kind {
        case .insert: return [insertion(.insert, row: "new")] + initialAmounts
        case .delete: return [insertion(.delete, row: "old")]
        case .keyChange:
            return [insertion(.delete, row: "old"), insertion(.insert, row: "new")]
                + initialAmounts
        case .replace: return [insertion(.look, row: "replaced", from: change.source)]
        case .update:
            return captured.columns.isEmpty ? [] : updates + changedAmounts
        }
    }

    // MARK: - Notes

    private func insertion(
        _ kind: Note.Kind, row: String, word: Int = 0, mask: String? = nil, from source: String = ""
    ) -> String {
        let key = captured.stored.key.map { "\"\(row)\".\($0.quotedDatabaseIdentifier)" }
        let names =
            ["note", "time"] + (mask == nil ? [] : ["mask"]) + (kind == .counter ? ["token"] : [])
            + key.indices.map(CaptureTables.keyColumn)
        let code = String(Note.code(kind, table: number, word: word))
        let values =
            [code, NoteTime.sql] + (mask.map { [$0] } ?? [])
            + (kind == .counter ? [NoteToken.sql] : []) + key
        let list = values.joined(separator: ", ")
        // SQLite writes a row of VALUES directly, and one of SELECT by way of a coroutine.
        return "INSERT INTO \(CaptureTables.journal) (\(names.joined(separator: ", ")))"
            + (source.isEmpty ? " VALUES (\(list))" : " SELECT \(list)\(source)")
    }

    /// The masks of an update: one note for each 62 columns of which one has changed.
    private var updates: [String] {
        var words: [Int: [(bit: Int, column: String)]] = [:]
        for (column, position) in zip(captured.columns, positions) where !column.isCounter {
            let word = position / Note.columnsPerMask
            words[word, default: []].append((position % Note.columnsPerMask, column.name))
        }
        let sorted = words.sorted { $0.key < $1.key }
        let isOnly = sorted.count == 1 && !captured.columns.contains(where: \.isCounter)
        return sorted.map { word, columns in
            let mask = columns.map { bit, column in
                "CASE WHEN \(captured.stored.changeSQL(of: column)) THEN \(1 << bit) ELSE 0 END"
            }.joined(separator: " + ")
            // The condition of the trigger has seen to it that the only mask is not empty.
            if isOnly { return insertion(.update, row: "new", word: word, mask: mask) }
            return insertion(
                .update, row: "new", word: word, mask: "\"mask\"",
                from: " FROM (SELECT \(mask) AS \"mask\" LIMIT 1) WHERE \"mask\" <> 0")
        }
    }

    // MARK: - Counters

    private var counters: [(name: String, sql: String, position: Int)] {
        zip(captured.columns, positions).compactMap { column, position in
            guard column.isCounter else { return nil }
            return (column.name, column.name.quotedDatabaseIdentifier, position)
        }
    }

    /// A row begins with the amounts that it has been inserted with.
    private var initialAmounts: [String] {
        counters.flatMap { name, column, position in
            let new = "\"new\".\(column)"
            return [
                refusal(name, of: "typeof(\(new)) NOT IN ('integer', 'null')"),
                insertion(
                    .counter, row: "new", word: position, mask: new,
                    from: " WHERE ifnull(\(new), 0) <> 0"),
            ]
        }
    }

    /// With a change of the key, the row begins anew.
    private var changedAmounts: [String] {
        let isSameRow = "NOT \(captured.stored.changeSQL(ofAny: captured.stored.key))"
        return counters.flatMap { name, column, position in
            let (old, new) = ("\"old\".\(column)", "\"new\".\(column)")
            let difference = "ifnull(\(new), 0) - ifnull(\(old), 0)"
            return [
                refusal(
                    name,
                    of: "typeof(\(new)) NOT IN ('integer', 'null')"
                        + " OR typeof(\(difference)) <> 'integer'"),
                insertion(
                    .counter, row: "new", word: position, mask: difference,
                    from: " WHERE \(difference) <> 0 AND \(isSameRow)"),
            ]
        }
    }

    /// The writer gets the error: a sum of what cannot be added would be nobody's.
    private func refusal(_ column: String, of condition: String) -> String {
        let message =
            "the counter \(captured.stored.name).\(column) takes integers, and changes of 64 bits"
        return "SELECT RAISE(ABORT, '\(message.replacing("'", with: "''"))') WHERE \(condition)"
    }
}

extension String {
    fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
