/// Rows that write the same columns.
struct InsertBatch: Sendable {
    enum Source: Sendable {
        case defaults
        case rows([QueryFragment])
        /// Rows of valid values alone, one after the other, and whether some are dates or UUIDs.
        case values([QueryBinding], hasMoments: Bool)
        case query(QueryFragment, endsWithTable: Bool)
    }
    var names: [String]
    var source: Source

    /// What follows the name of the table: in several parts where a connection does not take so many
    /// variables in one statement.
    func parts(variables: Int) -> [QueryFragment] {
        let list = " (\(names.map(\.quotedIdentifier).joined(separator: ", "))) "
        switch source {
        case .defaults: return [QueryFragment(text: " DEFAULT VALUES")]
        case .query(let query, _): return [QueryFragment(text: list) + query]
        case .values(let values, let hasMoments):
            let width = names.count
            let count = max(variables / width, 1) * width
            return stride(from: 0, to: values.count, by: count).map { start in
                let part = Array(values[start..<min(start + count, values.count)])
                return QueryFragment([
                    .text(list + "VALUES "), .tuples(part, width: width, hasMoments: hasMoments),
                ])
            }
        case .rows(let rows):
            let head = QueryFragment(text: list + "VALUES ")
            let most = rows.lazy.map(\.variableCount).max() ?? 0
            let size = most == 0 ? rows.count : max(variables / most, 1)
            guard size < rows.count else { return [head + rows.commaSeparated] }
            return stride(from: 0, to: rows.count, by: size).map { start in
                head + rows[start..<min(start + size, rows.count)].commaSeparated
            }
        }
    }

    /// Whether SQLite would take ON CONFLICT for the condition of a join.
    var needsCondition: Bool {
        if case .query(_, endsWithTable: true) = source { true } else { false }
    }
}

extension QueryFragment {
    /// The number of values outside of subqueries.
    var variableCount: Int {
        segments.lazy.map { segment in
            switch segment {
            case .binding, .moment: 1
            case .tuples(let values, _, _): values.count
            case .subquery(let inner): QueryFragment(inner).variableCount
            default: 0
            }
        }.reduce(0, +)
    }
}
