/// A value that reads itself straight from a statement, without a `DatabaseValue` between.
///
/// SQLite's own conversions then apply: text read as an integer is the number it begins with.
/// <https://www.sqlite.org/c3ref/column_blob.html>
public protocol StatementColumnConvertible {
    /// Reads a column, which is not NULL, of the current row; nil when its content is unsuitable.
    init?(sqliteStatement: SQLiteStatement, index: CInt)

    /// Reads a column of the current row; nil when it is NULL or its content is unsuitable.
    static func fromStatement(_ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt)
        -> Self?
}

extension StatementColumnConvertible {
    @inlinable
    public static func fromStatement(
        _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
    ) -> Self? {
        if BorrowedStatement(sqliteStatement).isNull(index) { return nil }
        return Self(sqliteStatement: sqliteStatement, index: index)
    }
}
