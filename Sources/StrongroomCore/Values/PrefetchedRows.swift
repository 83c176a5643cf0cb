/// The rows that were fetched with one row, by the scope that they belong to and by key.
///
/// There are few keys, mostly one, for each of many rows: a list is made and searched faster than a
/// dictionary of dictionaries.
struct PrefetchedRows {
    /// Scopes are told apart by their layouts.
    private var entries: [(scope: ObjectIdentifier, key: String, rows: [Row])] = []

    var isEmpty: Bool { entries.isEmpty }

    func rows(forKey key: String, of layout: RowLayout) -> [Row]? {
        let scope = ObjectIdentifier(layout)
        for entry in entries where entry.scope == scope && entry.key == key { return entry.rows }
        return nil
    }

    func rows(of layout: RowLayout) -> [String: [Row]] {
        let scope = ObjectIdentifier(layout)
        return entries.reduce(into: [:]) { rows, entry in
            if entry.scope == scope { rows[entry.key] = entry.rows }
        }
    }

    mutating func set(_ rows: [Row], forKey key: String, of layout: RowLayout) {
        let scope = ObjectIdentifier(layout)
        entries.removeAll { $0.scope == scope && $0.key == key }
        entries.append((scope, key, rows))
    }
}
