/// An adapter that hides all columns, for rows that are looked at through their scopes only.
public struct EmptyRowAdapter: RowAdapter {
    /// Hides all columns.
    ///
    ///     let row = try Row.fetchOne(db, sql: "SELECT * FROM player", adapter: EmptyRowAdapter())
    public init() {}

    public var _adaptation: RowAdaptation {
        RowAdaptation { base throws(DatabaseError) in RowLayout(base, columns: [], names: []) }
    }
}
