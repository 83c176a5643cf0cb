/// Presents the columns of a row in another way: hidden, renamed, or in scopes beside the row.
///
///     // SELECT player.*, team.* FROM player JOIN team …
///     let adapter = ScopeAdapter(["team": SuffixRowAdapter(fromIndex: 3)])
///     let row = try Row.fetchOne(db, sql: sql, adapter: adapter)
///     row?.scopes["team"]
///
/// Nothing is copied: an adapted row reads the same cells. Use the adapters of this library: apps
/// do not adopt the protocol.
public protocol RowAdapter: Sendable {
    /// What the adapter does to the columns of a statement.
    var _adaptation: RowAdaptation { get }
}

/// What an adapter does to the columns of a statement. Only this library looks inside.
public struct RowAdaptation: Sendable {
    private let layout: @Sendable (RowLayout) throws(DatabaseError) -> RowLayout

    init(_ layout: @escaping @Sendable (RowLayout) throws(DatabaseError) -> RowLayout) {
        self.layout = layout
    }

    /// The layout that the adapter makes of another one.
    ///
    /// - Throws: `SQLITE_MISUSE` when the adapter needs a column that the layout does not have.
    func callAsFunction(_ base: RowLayout) throws(DatabaseError) -> RowLayout {
        try layout(base)
    }
}

extension RowAdapter {
    /// The same adapter with scopes beside the row; they see all columns of the statement.
    ///
    /// A scope replaces one of the same name that the adapter already has.
    public func addingScopes(_ scopes: [String: any RowAdapter]) -> any RowAdapter {
        scopes.isEmpty ? self : ScopeAdapter(base: self, scopes: scopes)
    }
}

/// Adapters that split a row into consecutive parts, the last one with the remaining columns.
///
///     // Three adapters: columns 0 and 1, columns 2 to 4, and column 5 with those after it.
///     let adapters = splittingRowAdapters(columnCounts: [2, 3])
///
/// - Parameter columnCounts: How many columns each part has, but for the last.
public func splittingRowAdapters(columnCounts: [Int]) -> [any RowAdapter] {
    var adapters: [any RowAdapter] = []
    var start = 0
    for count in columnCounts {
        adapters.append(RangeRowAdapter(start..<(start + count)))
        start += count
    }
    return adapters + [SuffixRowAdapter(fromIndex: start)]
}
