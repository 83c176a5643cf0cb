package import StrongroomCore
internal import TableModel

/// Declarations of Swift for the tables and views of a database.
///
/// 1. Whatever the file says, a name of it stands in a literal, in an identifier of letters and
///    digits, or in a comment on one line.
/// 2. Each table has a type of its own, and each column a property of its own.
package struct SwiftSource {
    private let reader: SchemaReader
    private let db: Database
    private var types = SwiftNames(taken: .knownTypes)
    private var typeNames: [String: String] = [:]
    /// What was left out, in words.
    package private(set) var omissions: [String] = []
    package private(set) var text = ""

    /// - Parameter looksAtRows: Whether rows tell what types do not: which columns of views and of
    ///   dates hold what.
    package init(_ db: Database, looksAtRows: Bool = true) throws {
        self.db = db
        reader = try SchemaReader(db)
        let tables = reader.tables.filter { $0.schema == "main" && !$0.isInternal }
        for table in tables {
            typeNames[table.name] = types.unique(SwiftNames.type(table.name), fallback: "Row")
        }
        var parts: [String] = []
        for table in tables {
            let table = try reader.completed(table)
            if let reason = Self.reasonToOmit(table) {
                omissions.append("\(table.name): \(reason)")
                continue
            }
            parts.append(try declaration(of: table, looksAtRows))
        }
        let usesFoundation = parts.contains { part in
            ["Date", "UUID", "Data"].contains { part.contains(": \($0)") }
        }
        let imports = (usesFoundation ? "import Foundation\n" : "") + "import StrongroomTables\n"
        text = ([imports] + parts).joined(separator: "\n")
    }

    private static func reasonToOmit(_ table: DatabaseTable) -> String? {
        if table.name.utf8.contains(0) { return "its name has a NUL character" }
        if case .virtual(let module) = table.kind, module != "fts5" {
            return "it is a virtual table of the module \(module)"
        }
        if let failure = table.failure { return failure }
        return table.columns.isEmpty ? "it has no columns" : nil
    }

    // MARK: - One table

    private func declaration(of table: DatabaseTable, _ looksAtRows: Bool) throws -> String {
        let type = typeNames[table.name] ?? ""
        let columns = try properties(of: table, looksAtRows)
        let isKeyed = table.kind == .table
        let keys =
            isKeyed ? table.keyColumns.compactMap { key in columns.first { $0.column == key } } : []
        var lines = try comments(on: table)
        lines.append("\(attribute(table, type)) struct \(type)\(conformance(table, keys)) {")
        let key = keys.count > 1 ? groupName(columns) : nil
        if key != nil {
            lines.append("    @Selection struct ID: Hashable {")
            lines += keys.map { "        " + $0.declaration(isKey: true) }
            lines += ["    }", ""]
        }
        var isGroupThere = false
        for column in columns {
            let isKey = keys.contains { $0.column == column.column }
            if isKey, let key {
                // It stands where the first of its columns does: the order is the table's.
                let mark = key == "id" ? "" : "@Column(primaryKey: true) "
                if !isGroupThere { lines.append("    \(mark)let \(key): ID") }
                isGroupThere = true
                continue
            }
            let isNamedID = column.property == "id"
            let mark: Bool? = isKey == isNamedID ? nil : isKey
            lines.append("    " + column.declaration(isKey: isKey, marksKey: mark))
        }
        lines.append("}")
        return lines.joined(separator: "\n") + "\n"
    }

    private func groupName(_ columns: [SwiftColumn]) -> String {
        let names = Set(columns.map { $0.property.lowercased() })
        return ["id", "key", "primaryColumns"].first { !names.contains($0.lowercased()) }
            ?? "keyColumns"
    }

    private func attribute(_ table: DatabaseTable, _ type: String) -> String {
        var arguments: [String] = []
        if TableName.plural(ofType: type) != table.name {
            arguments.append(swiftLiteral(table.name))
        }
        if table.kind == .view { arguments.append(".view") }
        if table.isWithoutRowID { arguments.append("withoutRowID: true") }
        return arguments.isEmpty ? "@Table" : "@Table(\(arguments.joined(separator: ", ")))"
    }

    private func conformance(_ table: DatabaseTable, _ keys: [SwiftColumn]) -> String {
        if table.isFullText { return ": FullTextTable" }
        return keys.count == 1 && keys[0].property == "id" && !keys[0].isOptional
            ? ": Identifiable" : ""
    }

    /// What the declaration cannot say: which other tables it refers to.
    private func comments(on table: DatabaseTable) throws -> [String] {
        try reader.references(of: table).map { reference in
            let target = typeNames[reference.table] ?? reference.table
            let columns = reference.columns.joined(separator: ", ")
            let action =
                reference.deleteAction == "NO ACTION"
                ? "" : ", ON DELETE \(reference.deleteAction)"
            return "// " + Self.comment("\(columns) → \(target)\(action)")
        }
    }

    /// The text on one line: a line break would end the comment.
    private static func comment(_ text: String) -> String {
        String(swiftLiteral(text).dropFirst().dropLast()).replacing("\\\"", with: "\"")
    }

    // MARK: - Columns

    private func properties(
        of table: DatabaseTable, _ looksAtRows: Bool
    ) throws -> [SwiftColumn] {
        let stored = looksAtRows ? try storageClasses(table) : [:]
        let nulls = looksAtRows ? try keysWithNull(table) : []
        var names = SwiftNames(taken: .knownProperties)
        return table.columns.map { column in
            SwiftColumn(
                column: column,
                property: names.unique(SwiftNames.property(column.name), fallback: "value"),
                type: SwiftType(column, isStrict: table.isStrict, stored: stored[column.name]),
                isOptional: isOptional(column, table, nulls))
        }
    }

    private func isOptional(
        _ column: DatabaseColumn, _ table: DatabaseTable, _ nulls: Set<String>
    ) -> Bool {
        if column.isNotNull || table.isFullText { return false }
        if table.kind == .table, column.keyPosition != nil { return nulls.contains(column.name) }
        return true
    }

    private func keysWithNull(_ table: DatabaseTable) throws -> Set<String> {
        guard table.kind == .table else { return [] }
        let open = table.keyColumns.filter { !$0.isNotNull && !table.isRowNumber($0) }
        return try reader.columnsWithNull(open.map(\.name), of: table)
    }

    /// The storage classes of values, where the declared type does not tell them. Rows of views are
    /// not computed.
    private func storageClasses(_ table: DatabaseTable) throws -> [String: String] {
        guard table.kind == .table else { return [:] }
        let open = table.columns.filter { column in
            let affinity = ColumnAffinity(declared: column.type, isStrict: table.isStrict)
            return affinity == .numeric || affinity == .none
        }
        var found: [String: String] = [:]
        for column in open {
            let name = column.name.quotedDatabaseIdentifier
            found[column.name] = try String.fetchOne(
                db,
                sql:
                    """
                    SELECT typeof(\(name)) FROM \(table.quotedName) WHERE \(name) IS NOT NULL
                    LIMIT 1
                    """
            )
        }
        return found
    }
}
