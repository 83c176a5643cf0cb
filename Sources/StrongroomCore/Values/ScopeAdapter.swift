/// An adapter that keeps a row and adds scopes: other views of the same cells, by name.
///
///     // SELECT player.*, team.* FROM player JOIN team …
///     let adapter = ScopeAdapter(["team": SuffixRowAdapter(fromIndex: 3)])
///
/// A scope's adapter may itself add scopes. Every one sees all columns of the statement.
public struct ScopeAdapter: RowAdapter {
    private let base: (any RowAdapter)?
    private let scopes: [String: any RowAdapter]

    /// Keeps the columns as they are.
    ///
    ///     let row = try Row.fetchOne(
    ///         db, sql: "SELECT player.*, team.* FROM player JOIN team",
    ///         adapter: ScopeAdapter(["team": SuffixRowAdapter(fromIndex: 4)]))
    public init(_ scopes: [String: any RowAdapter]) {
        base = nil
        self.scopes = scopes
    }

    /// Lets another adapter decide about the row's own columns; its scopes are kept.
    public init(base: any RowAdapter, scopes: [String: any RowAdapter]) {
        self.base = base
        self.scopes = scopes
    }

    public var _adaptation: RowAdaptation {
        RowAdaptation { [base, scopes] layout throws(DatabaseError) in
            var adapted = layout
            var layouts: [String: RowLayout] = [:]
            if let base {
                adapted = try base._adaptation(layout)
                for scope in adapted.scopes { layouts[scope.name] = scope.layout }
            }
            for (name, adapter) in scopes {
                layouts[name] = try adapter._adaptation(layout)
            }
            return RowLayout(adapted, scopes: layouts)
        }
    }
}
