extension SQLInterpolation {
    /// Adds the name of a type's table, between quotes.
    public mutating func appendInterpolation(_ table: (some TableRecord).Type) {
        literal.append(sql: table.databaseTableName.quotedDatabaseIdentifier)
    }

    /// Adds the name of a table, between quotes.
    public mutating func appendInterpolation(_ table: Table<some Any>) {
        literal.append(sql: table.tableName.quotedDatabaseIdentifier)
    }

    /// Adds the name of a record's table, between quotes.
    public mutating func appendInterpolation<Record: TableRecord>(tableOf record: Record) {
        appendInterpolation(Record.self)
    }

    /// Adds the columns that a type selects, with the name of its table, or another one.
    ///
    ///     // SELECT "player".* FROM "player"
    ///     let all: SQL = "SELECT \(columnsOf: Player.self) FROM \(Player.self)"
    ///
    ///     // SELECT "p".* FROM "player" AS p
    ///     let named: SQL = "SELECT \(columnsOf: Player.self, tableAlias: "p") FROM \(Player.self) AS p"
    public mutating func appendInterpolation<Record: TableRecord>(
        columnsOf table: Record.Type, tableAlias: String? = nil
    ) {
        literal.append(node: ColumnsOfTable(table: Record.self, alias: tableAlias))
    }
}

private struct ColumnsOfTable<Record: TableRecord>: SQLNode {
    let table: Record.Type
    let alias: String?

    var depth: Int { 0 }

    func write(to sql: inout SQLGenerationContext) throws {
        let name = Record.databaseTableName
        let table = SQLGenerationContext.Table(name: name, qualifier: alias ?? name)
        try sql.inTable(table) { sql in
            try sql.append(Record.databaseSelection, separator: ", ") { selection, sql in
                try selection.sqlSelection.write(to: &sql)
            }
        }
    }
}
