extension Database {
    /// What happens to a row that breaks a constraint.
    ///
    /// <https://www.sqlite.org/lang_conflict.html>
    public enum ConflictResolution: String, Sendable {
        /// The transaction is rolled back.
        case rollback = "ROLLBACK"
        /// The statement is undone: what happens when nothing else is said.
        case abort = "ABORT"
        /// The statement stops, and what it has done stays.
        case fail = "FAIL"
        /// The row is left out, and the statement goes on.
        case ignore = "IGNORE"
        /// The rows that are in the way are deleted.
        case replace = "REPLACE"
    }
}
