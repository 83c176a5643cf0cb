/// Changes of a table that are being collected. They are made in the order in which they were added.
///
///     try db.alter(table: "player") { t in
///         t.add(column: "hasBonus", .boolean).notNull().defaults(to: false)
///         t.rename(column: "url", to: "homeURL")
///         t.drop(column: "score")
///     }
///
/// <https://www.sqlite.org/lang_altertable.html>
public final class TableAlteration {
    private var changes: [Change] = []

    private enum Change {
        case add(ColumnDefinition)
        case addLiteral(SQL)
        case rename(String, to: String)
        case drop(String)
    }

    init() {}

    /// Adds a column.
    ///
    ///     try db.alter(table: "player") { t in
    ///         t.add(column: "email", .text)
    ///     }
    ///
    /// - Parameters:
    ///   - name: The name of the new column.
    ///   - type: Without type, values are stored as they are.
    @discardableResult
    public func add(
        column name: String, _ type: Database.ColumnType? = nil
    ) -> ColumnDefinition {
        let column = ColumnDefinition(name: name, type: type)
        changes.append(.add(column))
        return column
    }

    /// Adds a column that is defined in SQL: `name TEXT NOT NULL DEFAULT ''`.
    public func addColumn(sql: String) {
        changes.append(.addLiteral(SQL(sql: sql)))
    }

    /// Adds a column that is defined in SQL with values.
    public func addColumn(literal: SQL) {
        changes.append(.addLiteral(literal))
    }

    /// Gives a column another name, also where indexes, triggers and views name it.
    ///
    ///     try db.alter(table: "player") { t in
    ///         t.rename(column: "name", to: "fullName")
    ///     }
    public func rename(column name: String, to newName: String) {
        changes.append(.rename(name, to: newName))
    }

    /// Deletes a column that is in no key, index, trigger, view or constraint of the table.
    ///
    ///     try db.alter(table: "player") { t in
    ///         t.drop(column: "email")
    ///     }
    public func drop(column name: String) {
        changes.append(.drop(name))
    }

    /// Makes the changes.
    /// The first statement that it would run; nil when there is none.
    func firstStatement(on table: DefinedTable) throws -> String? {
        try changes.first.flatMap { try statements($0, table).first }
    }

    func execute(on table: DefinedTable) throws {
        // A column may refer to what an earlier change has made.
        for change in changes {
            for sql in try statements(change, table) { try table.db.execute(sql: sql) }
        }
    }

    private func statements(_ change: Change, _ table: DefinedTable) throws -> [String] {
        let alter = "ALTER TABLE \(table.name.quotedDatabaseIdentifier) "
        switch change {
        case .add(let column):
            let sql = alter + "ADD COLUMN \(try column.sql(in: table))"
            guard column.isIndexed, !column.isUnique else { return [sql] }
            let index = ImpliedIndex(columns: [column.name], isUnique: false)
            return [sql, index.sql(on: table.name, [])]
        case .addLiteral(let literal):
            return [alter + "ADD COLUMN \(try table.db.embeddingValues(literal))"]
        case .rename(let name, let newName):
            let names = (name.quotedDatabaseIdentifier, newName.quotedDatabaseIdentifier)
            return [alter + "RENAME COLUMN \(names.0) TO \(names.1)"]
        case .drop(let name):
            return [alter + "DROP COLUMN \(name.quotedDatabaseIdentifier)"]
        }
    }
}
