/// A value that can take the place of a statement's parameter.
public protocol StatementBinding {
    /// Binds the value to the parameter at `index`, counted from 1.
    ///
    /// - Returns: SQLite's result code, `SQLITE_OK` on success.
    func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt
}
