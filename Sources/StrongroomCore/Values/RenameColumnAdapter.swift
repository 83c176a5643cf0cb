/// An adapter that gives every column the name that a function makes of its own.
///
///     let adapter = RenameColumnAdapter { name in "old_" + name }
public struct RenameColumnAdapter: RowAdapter {
    private let transform: @Sendable (String) -> String

    /// Renames columns; the function is called once for each, and not for each row.
    ///
    ///     let row = try Row.fetchOne(
    ///         db, sql: "SELECT * FROM player", adapter: RenameColumnAdapter { "player_" + $0 })
    public init(_ transform: @escaping @Sendable (String) -> String) {
        self.transform = transform
    }

    public var _adaptation: RowAdaptation {
        RowAdaptation { [transform] base throws(DatabaseError) in
            RowLayout(base, columns: Array(base.names.indices), names: base.names.map(transform))
        }
    }
}
