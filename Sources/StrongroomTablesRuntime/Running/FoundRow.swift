internal import StrongroomCore

// A row that is found by its key, for which statements are kept.

extension SelectClauses {
    /// Whether the clauses find one row by its key, and do nothing else, also in the default scope.
    ///
    /// An app may compute its default scope: it is asked each time.
    var findOneRow: Bool {
        guard soleKey != nil || storage.fields.extent.isRow else { return false }
        return storage.fields.scope?().addsNothing ?? true
    }

    /// The values of the key, one for each of its columns; none where no row is found by a key.
    var rowKey: [QueryBinding] {
        if let soleKey { return [soleKey.binding] }
        if case .row(let key) = storage.fields.extent { return key }
        return []
    }

    var rowKeyCount: Int { soleKey == nil ? rowKey.count : 1 }

    /// Binds the key to the parameters from one on, counted from 0.
    func bindRowKey(to statement: BorrowedStatement, at index: Int, _ result: inout CInt) {
        if let soleKey {
            soleKey.binding.bind(to: statement, at: index, &result)
            return
        }
        for (offset, value) in rowKey.enumerated() {
            value.bind(to: statement, at: index + offset, &result)
        }
    }

    /// What is kept for the first table.
    var kept: KeptStatements { storage.fields.from.layouts[0].kept }
}
