/// SQL under construction, with the values for its placeholders, and what names mean in it.
package struct SQLGenerationContext {
    /// The text so far.
    package private(set) var sql = ""

    /// The values for the placeholders so far.
    package private(set) var arguments = StatementArguments()

    /// The table or alias to which columns belong that name none; nil where they need none.
    private var tableName: String?

    package init() {}

    /// Writes text as it is.
    package mutating func append(sql text: String) {
        sql += text
    }

    /// Writes text as it is, and gives values to its placeholders.
    ///
    /// Traps when a named value is there already: one of the two would get the other's value.
    package mutating func append(sql text: String, arguments: StatementArguments) {
        sql += text
        if !arguments.isEmpty { self.arguments += arguments }
    }

    /// Writes a name between quotes.
    package mutating func append(identifier: String) {
        sql += identifier.quotedDatabaseIdentifier
    }

    /// Writes the name of a column, qualified where several tables are in view.
    package mutating func append(column: String) {
        if let tableName {
            append(identifier: tableName)
            sql += "."
        }
        append(identifier: column)
    }

    /// Writes all columns, of one table where several are in view.
    package mutating func appendAllColumns() {
        if let tableName {
            append(identifier: tableName)
            sql += "."
        }
        sql += "*"
    }

    /// Writes a placeholder for a value; NULL stands in the text, so that it can be seen.
    package mutating func append(value: DatabaseValue) {
        if value.isNull {
            sql += "NULL"
        } else {
            sql += "?"
            arguments.values.append(value)
        }
    }

    /// Writes columns that name no table as those of a table or alias.
    package mutating func qualifyingColumns(
        with tableName: String?, _ body: (inout SQLGenerationContext) throws -> Void
    ) rethrows {
        let outerName = self.tableName
        self.tableName = tableName
        defer { self.tableName = outerName }
        try body(&self)
    }

    /// Writes pieces with a separator between.
    package mutating func append<Pieces: Sequence>(
        _ pieces: Pieces, separator: String,
        _ write: (Pieces.Element, inout SQLGenerationContext) throws -> Void
    ) rethrows {
        var isFirst = true
        for piece in pieces {
            if !isFirst { sql += separator }
            isFirst = false
            try write(piece, &self)
        }
    }
}
