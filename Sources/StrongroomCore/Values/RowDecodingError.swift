/// A row whose content does not suit the type that it was read as.
public struct RowDecodingError: Error, CustomStringConvertible, Sendable {
    /// What went wrong, with the column, the row and the statement.
    public let description: String

    /// The value of a column is unsuitable.
    @usableFromInline
    init<Value>(_ type: Value.Type, columnIndex: Int, row: Row) {
        self.init(
            "could not decode \(type) from database value \(row.databaseValue(at: columnIndex))",
            column: row.layout.names[columnIndex], columnIndex: columnIndex, row: row)
    }

    @usableFromInline
    init(_ reason: String, column: String?, columnIndex: Int?, row: Row) {
        var text = reason
        var separator = " - "
        func append(_ part: String) {
            text += separator + part
            separator = ", "
        }
        if let column { append("column: \(String(reflecting: column))") }
        if let columnIndex { append("column index: \(columnIndex)") }
        append("row: \(row)")
        if let sql = row.layout.sql { append("sql: `\(sql.redactingKeys())`") }
        if let arguments = row.layout.shownArguments, !arguments.isEmpty {
            append("arguments: \(arguments)")
        }
        description = text
    }
}
