extension Row {
    /// The scopes that row adapters have added beside the columns.
    public var scopes: ScopesView { ScopesView(row: self) }

    /// The scopes of the row and, below them, those of its scopes.
    public var scopesTree: ScopesTreeView { ScopesTreeView(row: self) }

    /// The row that the statement gave, whatever adapters have made of it.
    public var unadapted: Row {
        withoutPrefetchedRows(layout.unadapted)
    }

    /// The same columns without scopes and prefetched rows.
    public var unscoped: Row {
        withoutPrefetchedRows(layout.unscoped)
    }

    /// The rows that were fetched together with this one, by the key of their association.
    public var prefetchedRows: PrefetchedRowsView { PrefetchedRowsView(row: self) }

    /// The rows prefetched for this very row, and not for one of its scopes.
    var ownPrefetchedRows: [String: [Row]] {
        storage.prefetchedRows.rows(of: layout)
    }

    private func withoutPrefetchedRows(_ layout: RowLayout) -> Row {
        guard !storage.prefetchedRows.isEmpty else { return Row(storage: storage, layout: layout) }
        return Row(storage: storage.copy(withPrefetchedRows: false), layout: layout)
    }

    /// Adds rows that were fetched together with this one, to it or to a scope of its scopes.
    ///
    /// - Parameter path: Names of scopes that exist, each inside the one before it.
    package mutating func setPrefetchedRows(
        _ rows: [Row], forKey key: String, inScope path: [String] = []
    ) {
        var layout = layout
        for name in path {
            guard let scope = layout.scope(named: name) else {
                preconditionFailure("scope not found: \(String(reflecting: name))")
            }
            layout = scope
        }
        if storage.statement != nil || !isKnownUniquelyReferenced(&storage) {
            storage = storage.copy(withPrefetchedRows: true)
        }
        storage.setPrefetchedRows(rows, forKey: key, of: layout)
    }
}
