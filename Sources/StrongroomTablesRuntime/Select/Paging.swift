// The rows after a given one, by the columns of the order: pages stay right while rows come and go.

extension SelectStatement {
    /// Keeps the rows that come after one in the order, whose terms are columns of the first table.
    ///
    ///     // The page after the last row that the reader has seen, without OFFSET.
    ///     let first = try Item.order { ($0.title, $0.id) }.limit(2).fetchAll(db)
    ///     let next = Item.order { ($0.title, $0.id) }.after(first[1]).limit(2).select(\.title)
    ///     try next.fetchAll(db)  // ["Milk", "Seeds"]
    public func after<From: QuerySource>(_ row: From) -> Select<Shape, Tables>
    where Tables.First == From {
        let layout = From._layout
        let values = row.encodedValues
        return changed { clauses in
            let table = clauses.from.tables[0]
            let keys = clauses.resolved.orders.map { order -> PageKey? in
                guard case .column(table, let name)? = order.term.segments.first,
                    order.term.segments.count == 1,
                    let index = layout.columns.firstIndex(where: { $0.name == name })
                else { return nil }
                let column = layout.columns[index]
                return PageKey(
                    order: order, value: values[index].binding, isOptional: column.isOptional,
                    isKey: column.options.contains(.primaryKey))
            }
            clauses.conditions.append(keys.condition)
        }
    }

    /// Keeps the rows that come after these values of the terms of the order.
    public func after(
        _ value: any QueryBindable, _ others: any QueryBindable...
    ) -> Select<Shape, Tables> {
        changed { clauses in
            let orders = clauses.resolved.orders
            let values = [value] + others
            guard orders.count == values.count else {
                let message = "'after' needs a value for each of the \(orders.count) terms"
                return clauses.conditions.append(QueryFragment(failure: message))
            }
            let keys = zip(orders, values).map { order, value -> PageKey? in
                PageKey(
                    order: order, value: value.queryBinding, isOptional: false, isKey: true)
            }
            clauses.conditions.append(keys.condition)
        }
    }
}

/// A term of the order with its value in the last row of a page.
private struct PageKey {
    var order: OrderTerm
    var value: QueryBinding
    var isOptional: Bool
    var isKey: Bool

    private var isDescending: Bool { order.direction == .descending }
    private var nullsComeLast: Bool { order.nulls.map { $0 == .last } ?? isDescending }
    var infix: String { isDescending ? "<" : ">" }

    /// Whether the term comes later than in the last row.
    var isLater: [QueryFragment] {
        if value == .null {
            guard !nullsComeLast else { return [QueryFragment(text: "0", shape: .bare)] }
            return [isNull("IS NOT")]
        }
        let later = QueryFragment.comparison(order.term, infix, QueryFragment(value))
        return isOptional && nullsComeLast ? [later, isNull("IS")] : [later]
    }

    /// Whether the term is that of the last row.
    var isEqual: QueryFragment {
        .comparison(order.term, isOptional ? "IS" : "=", QueryFragment(value))
    }

    private func isNull(_ infix: String) -> QueryFragment {
        .comparison(order.term, infix, QueryFragment(text: "NULL", shape: .bare))
    }
}

extension [PageKey?] {
    fileprivate var condition: QueryFragment {
        let keys = compactMap { $0 }
        guard keys.count == count else {
            return QueryFragment(failure: "'after' needs an order by columns of the first table")
        }
        guard keys.last?.isKey == true else {
            return QueryFragment(failure: "'after' needs an order that ends in the key")
        }
        if keys.allSatisfy({ !$0.isOptional && $0.infix == keys[0].infix }) {
            if keys.count == 1 { return keys[0].isLater[0] }
            let row = keys.map(\.order.term).commaSeparated.parenthesized
            let values = keys.map { QueryFragment($0.value) }.commaSeparated.parenthesized
            return .comparison(row, keys[0].infix, values)
        }
        return Self.later(keys[...]).disjunction ?? QueryFragment()
    }

    private static func later(_ keys: ArraySlice<PageKey>) -> [QueryFragment] {
        guard let first = keys.first else { return [] }
        let rest = later(keys.dropFirst())
        guard let following = rest.disjunction else { return first.isLater }
        return first.isLater + [.and(first.isEqual, following)]
    }
}
