extension Database {
    /// What happens to rows whose foreign key loses the row that it refers to.
    ///
    /// <https://www.sqlite.org/foreignkeys.html#fk_actions>
    public enum ForeignKeyAction: String, Sendable {
        /// They are deleted, or follow the new key.
        case cascade = "CASCADE"
        /// The change is refused at once.
        case restrict = "RESTRICT"
        /// They refer to nothing.
        case setNull = "SET NULL"
        /// They refer to what their columns have as default.
        case setDefault = "SET DEFAULT"
    }
}
