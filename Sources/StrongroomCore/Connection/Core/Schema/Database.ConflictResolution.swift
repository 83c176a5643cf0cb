extension Database {
    /// What happens to a row that violates a constraint.
    ///
    /// <https://www.sqlite.org/lang_conflict.html>
    public enum ConflictResolution: String, Sendable {
        /// The transaction is rolled back.
        case rollback = "ROLLBACK"
        /// The statement is undone: the default.
        case abort = "ABORT"
        /// The statement stops, and its earlier changes stay.
        case fail = "FAIL"
        /// The row is skipped, and the statement continues.
        case ignore = "IGNORE"
        /// The conflicting rows are deleted.
        case replace = "REPLACE"
    }
}
