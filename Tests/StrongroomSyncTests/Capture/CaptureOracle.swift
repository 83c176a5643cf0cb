import Foundation
import Strongroom
import StrongroomCore
import StrongroomSchema

@testable import StrongroomSync

/// Compares whole tables before and after some SQL with what was noted meanwhile.
///
/// It reads values by `typeof` and `quote`, in SQL of its own, and knows nothing of triggers.
struct CaptureOracle {
    /// The rows of the shared tables: by the key, the values of the other columns.
    struct State: Equatable {
        var tables: [Int: [String: [String]]] = [:]
    }

    let tables: [CapturedTable]

    func state(_ db: Database) throws -> State {
        var state = State()
        for table in tables {
            let key = table.table.stored.key.map(Self.text).joined(separator: " || ', ' || ")
            let columns = table.table.columns.map { Self.text($0.name) }
            let list = ([key] + columns).joined(separator: ", ")
            let rows = try Row.fetchAll(
                db, sql: "SELECT \(list) FROM \(table.table.stored.name.quotedDatabaseIdentifier)")
            var found: [String: [String]] = [:]
            for row in rows { found[row[0]] = (1..<row.count).map { row[$0] } }
            state.tables[table.number] = found
        }
        return state
    }

    private static func text(_ column: String) -> String {
        let name = column.quotedDatabaseIdentifier
        return "typeof(\(name)) || ' ' || quote(\(name))"
    }

    private func text(_ db: Database, _ key: [CapturedValue]) throws -> String {
        let statement = try db.cachedStatement(sql: "SELECT typeof(?1) || ' ' || quote(?1)")
        return try key.map { value in
            let bound: DatabaseValue =
                switch value {
                case .null: .null
                case .integer(let value): value.databaseValue
                case .real(let value): value.databaseValue
                case .text(let bytes): String(decoding: bytes, as: UTF8.self).databaseValue
                case .blob(let bytes): Data(bytes).databaseValue
                }
            return try String.fetchOne(statement, arguments: [bound]) ?? ""
        }.joined(separator: ", ")
    }

    /// What was changed and not noted, one line each.
    func missing(
        _ db: Database, from before: State, to after: State, noted: [NotedRow]
    ) throws -> [String] {
        var notes: [String: NotedRow] = [:]
        for row in noted { notes["\(row.table) \(try text(db, row.key))"] = row }
        var missing: [String] = []
        for table in tables {
            let old = before.tables[table.number] ?? [:]
            let new = after.tables[table.number] ?? [:]
            for key in Set(old.keys).union(new.keys).sorted() where old[key] != new[key] {
                let note = notes["\(table.number) \(key)"]
                missing += Self.missing(table, old[key], new[key], note).map {
                    "\(table.table.stored.name) \(key): \($0)"
                }
            }
        }
        return missing
    }

    private static func missing(
        _ table: CapturedTable, _ old: [String]?, _ new: [String]?, _ note: NotedRow?
    ) -> [String] {
        guard let new else {
            return note?.deleted == nil && note?.looked == nil ? ["the deletion"] : []
        }
        guard let old else {
            guard note?.inserted != nil else { return ["the insertion"] }
            return missingAmounts(table, nil, new, note)
        }
        var missing: [String] = []
        if note?.inserted == nil {
            for (index, column) in table.table.columns.enumerated()
            where old[index] != new[index] && !column.isCounter {
                if note?.columns[table.positions[index]] == nil {
                    missing.append("\(column.name), from \(old[index]) to \(new[index])")
                }
            }
        }
        return missing + missingAmounts(table, note?.inserted == nil ? old : nil, new, note)
    }

    /// Counters begin at nothing with an insertion, else at what they were.
    private static func missingAmounts(
        _ table: CapturedTable, _ old: [String]?, _ new: [String], _ note: NotedRow?
    ) -> [String] {
        func number(_ text: String?) -> Int128 {
            text.flatMap { $0.split(separator: " ").last }.flatMap { Int128($0) } ?? 0
        }
        var missing: [String] = []
        for (index, column) in table.table.columns.enumerated() where column.isCounter {
            let amount = number(new[index]) - number(old?[index])
            let noted = note?.differences[table.positions[index]]?.amount ?? 0
            if amount != noted { missing.append("\(column.name): \(noted), not \(amount)") }
        }
        return missing
    }

    /// What a plain update noted and did not change, one line each.
    func superfluous(
        from before: State, to after: State, noted: [NotedRow], _ db: Database
    ) throws -> [String] {
        try noted.flatMap { row -> [String] in
            let key = try text(db, row.key)
            guard let table = tables.first(where: { $0.number == row.table }) else { return [] }
            let (old, new) = (before.tables[row.table]?[key], after.tables[row.table]?[key])
            guard row.inserted == nil, row.deleted == nil, let old, let new else { return [] }
            let name = "\(table.table.stored.name) \(key)"
            if row.columns.isEmpty, row.differences.isEmpty { return ["\(name): nothing"] }
            return row.columns.keys.compactMap { position in
                guard let index = table.columnIndex(at: position), old[index] == new[index] else {
                    return nil
                }
                return "\(name): \(table.table.columns[index].name)"
            }
        }
    }
}
