package import StrongroomCore

/// What turns the schema of one database into that of another.
///
/// Texts are compared without blanks, comments, quotes and case. What would lose rows, or tables
/// that no program can make, stands there as a comment.
package struct SchemaDifference {
    private struct Object {
        let type: String
        let name: String
        let table: String
        let sql: String

        var normal: [String] { SQLPiece.pieces(sql).map(\.normal) }
        var key: String { type + " " + name.asciiLowercased }
        var drop: String { "DROP \(type.uppercased()) \(name.quotedDatabaseIdentifier)" }

        /// Whether this library, or what is built on it, keeps it.
        var isReserved: Bool {
            type == "trigger" && Database.isStrongroomInternalTable(name)
        }

        func isLike(_ other: Object) -> Bool { sql == other.sql || normal == other.normal }
    }

    /// The objects of one database in the order in which they were made.
    private struct Schema {
        private(set) var objects: [Object]
        private(set) var byKey: [String: Object]

        init(_ db: Database, _ reader: SchemaReader) throws {
            let kept = Set(reader.tables.filter { !$0.isInternal }.map(\.name))
            objects = try Row.fetchAll(
                db,
                sql: """
                    SELECT type, name, tbl_name, sql FROM main.sqlite_master
                    WHERE sql IS NOT NULL ORDER BY rowid
                    """
            ).map { Object(type: $0[0], name: $0[1], table: $0[2], sql: $0[3]) }
                .filter { kept.contains($0.table) }
            byKey = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        }

        /// Takes the reserved triggers of another schema in place of its own: they are no difference,
        /// and are made again with a table that is.
        mutating func takeReserved(of other: Schema) {
            objects.removeAll(where: \.isReserved)
            objects += other.objects.filter(\.isReserved)
            byKey = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        }
    }

    /// Statements, and comments that begin with `--`. Empty if the schemas are the same.
    package private(set) var lines: [String] = []

    private let db: Database
    private let reader: SchemaReader
    private let old: Schema
    private var new: Schema
    /// The tables that are made anew, without their indexes and triggers.
    private var rebuilt: Set<String> = []

    /// - Parameters:
    ///   - db: The database that is to change.
    ///   - other: The one whose schema it is to have.
    package init(_ db: Database, _ other: Database) throws {
        self.db = db
        reader = try SchemaReader(db)
        old = try Schema(db, reader)
        new = try Schema(other, SchemaReader(other))
        new.takeReserved(of: old)
        var tables: [String] = []
        for object in new.objects where object.type == "table" {
            tables += try change(to: object)
        }
        for object in old.objects where object.type == "table" && new.byKey[object.key] == nil {
            tables.append("-- it would lose rows: " + Self.oneLine(object.drop))
        }
        lines = drops + tables + creations
    }

    private static func oneLine(_ sql: String) -> String {
        sql.replacing("\n", with: " ").replacing("\r", with: " ")
    }

    // MARK: - Tables

    private mutating func change(to object: Object) throws -> [String] {
        guard let before = old.byKey[object.key] else { return [object.sql] }
        guard !before.isLike(object) else { return [] }
        guard let table = try reader.table(before.name, in: "main"), table.kind == .table,
            let wanted = TableText(object.sql), let present = TableText(before.sql)
        else {
            let again = "\(before.drop), and make it again: \(object.sql)"
            return ["-- it would lose rows: " + Self.oneLine(again)]
        }
        if let added = Self.additions(from: present, to: wanted) {
            let name = before.name.quotedDatabaseIdentifier
            return added.map { "ALTER TABLE \(name) ADD COLUMN \($0.sql)" }
        }
        rebuilt.insert(before.name.asciiLowercased)
        let kept = Set(wanted.items.compactMap { $0.name?.asciiLowercased })
        let lost = table.columns.map(\.name).filter { !kept.contains($0.asciiLowercased) }
        return lost.map { "-- it loses the column " + Self.oneLine($0.quotedDatabaseIdentifier) }
            + (try TableRebuild(db, table).statements(wanted, isAlone: true))
    }

    /// The columns that ALTER TABLE can add; nil if something else differs.
    private static func additions(from old: TableText, to new: TableText) -> [TableText.Item]? {
        guard old.options.map(normal) == new.options.map(normal) else { return nil }
        let columns = new.items.filter { $0.name != nil }
        let before = old.items.filter { $0.name != nil }
        let constraints = new.items.filter { $0.name == nil }.map { normal($0.sql) }
        guard constraints == old.items.filter({ $0.name == nil }).map({ normal($0.sql) }),
            columns.count > before.count,
            zip(before, columns).allSatisfy({ normal($0.sql) == normal($1.sql) })
        else { return nil }
        let added = columns.dropFirst(before.count)
        return added.allSatisfy(\.canBeAdded) ? Array(added) : nil
    }

    private static func normal(_ sql: String) -> [String] { SQLPiece.pieces(sql).map(\.normal) }

    // MARK: - What is made of tables

    /// Where a table is made anew, SQLite looks at all views and triggers: none may be there.
    private func isLeft(_ object: Object) -> Bool {
        guard let before = old.byKey[object.key], let after = new.byKey[object.key],
            before.isLike(after)
        else { return false }
        if object.type == "index" { return !rebuilt.contains(object.table.asciiLowercased) }
        guard rebuilt.isEmpty else { return false }
        // A view takes its triggers along.
        let view = old.byKey["view " + object.table.asciiLowercased]
        return object.type == "view" || view.map(isLeft) ?? true
    }

    /// Whether it goes, or stays, with a table that does.
    private func followsTable(_ object: Object) -> Bool {
        let table = object.table.asciiLowercased
        let isLost = old.byKey["table " + table] != nil && new.byKey["table " + table] == nil
        return object.type == "index" && (isLost || rebuilt.contains(table))
            || object.type == "trigger" && isLost && rebuilt.isEmpty
    }

    /// Triggers go first, then views.
    private var drops: [String] {
        let gone = old.objects.filter { $0.type != "table" && !followsTable($0) && !isLeft($0) }
        return ["trigger", "view", "index"].flatMap { type in
            gone.filter { $0.type == type }.map(\.drop)
        }
    }

    private var creations: [String] {
        let made = new.objects.filter { $0.type != "table" && !isLeft($0) }
        return ["index", "view", "trigger"].flatMap { type in
            made.filter { $0.type == type }.map(\.sql)
        }
    }
}

extension TableText.Item {
    /// <https://www.sqlite.org/lang_altertable.html#alter_table_add_column>
    var canBeAdded: Bool {
        let parts = constraints.map { SQLPiece.pieces($0).map(\.normal) }
        let isRequired = parts.contains { $0.contains("not") && $0.contains("null") }
        let value = parts.first { $0.first == "default" }
        let hasPlainDefault =
            value.map { !$0.contains("(") && !$0[1].hasPrefix("current_") && $0[1] != "null" }
            ?? false
        return !parts.contains { ["primary", "unique", "constraint"].contains($0.first) }
            && !parts.contains { $0.contains("stored") }
            && (!isRequired || hasPlainDefault) && (value == nil || hasPlainDefault)
            && !(hasPlainDefault && parts.contains { $0.first == "references" })
    }
}
