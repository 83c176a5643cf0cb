// Rows as JSON objects, and columns and rows of a group as JSON arrays.

extension TableLayout {
    /// A row as a JSON object: `json_object('id', "items"."id", …)`.
    func jsonObject(_ table: TableReference) -> QueryFragment {
        object(Array(columns.indices), depth: 0, table)
    }

    /// The columns of which the paths agree up to a depth, as an object; of an enum, the one case
    /// that is set.
    private func object(
        _ indices: [Int], depth: Int, _ table: TableReference
    ) -> QueryFragment {
        let members = members(indices, depth: depth, table)
        guard columns[indices[0]].caseDepths.contains(depth) else {
            return .call("json_object", members.flatMap { [$0.name, $0.value] })
        }
        var result = QueryFragment(text: "CASE")
        for member in members {
            result.append(text: " WHEN ")
            result += presence(of: member.indices, table)
            result.append(text: " THEN ")
            result += .call("json_object", [member.name, member.value])
        }
        result.append(text: " END")
        result.shape = .bare
        return result
    }

    private func members(
        _ indices: [Int], depth: Int, _ table: TableReference
    ) -> [(name: QueryFragment, value: QueryFragment, indices: [Int])] {
        var result: [(name: QueryFragment, value: QueryFragment, indices: [Int])] = []
        var rest = indices[...]
        while let first = rest.first {
            let path = columns[first].property.split(separator: ".")
            let isGroup = path.count > depth + 1
            let isCase = columns[first].caseDepths.contains(depth)
            let own = rest.prefix {
                let other = columns[$0].property.split(separator: ".")
                return $0 == first
                    || isGroup && other.count > depth + 1 && other[depth] == path[depth]
            }
            rest = rest.dropFirst(own.count)
            let name = isGroup ? String(path[depth]) : columns[first].name
            let value =
                !isGroup
                ? columns[first].jsonFragment(table)
                : isCase
                    ? object(Array(own), depth: depth + 1, table)
                    : group(Array(own), depth: depth + 1, table)
            let key = QueryFragment(text: name.quotedText, shape: .bare)
            result.append((key, value, Array(own)))
        }
        return result
    }

    /// Whether one of the columns is set.
    private func presence(of indices: [Int], _ table: TableReference) -> QueryFragment {
        let row = indices.map { columns[$0].fragment(table) }
        let nulls = [String](repeating: "NULL", count: row.count).joined(separator: ", ")
        var result = row.count == 1 ? row[0] : row.commaSeparated.parenthesized
        result.append(text: row.count == 1 ? " IS NOT NULL" : " IS NOT (\(nulls))")
        result.shape = .comparison
        return result
    }

    /// A group as an object, NULL where all columns of an optional group are.
    private func group(_ indices: [Int], depth: Int, _ table: TableReference) -> QueryFragment {
        let inner = object(indices, depth: depth, table)
        let isEnum = columns[indices[0]].caseDepths.contains(depth)
        guard !isEnum, indices.allSatisfy({ columns[$0].isOptional }) else { return inner }
        var result = QueryFragment(text: "CASE WHEN ")
        result += presence(of: indices, table)
        result.append(text: " THEN ")
        result += inner
        result.append(text: " END")
        result.shape = .bare
        return result
    }

    /// What is NULL where an outer row is missing.
    func presence(_ table: TableReference) -> QueryFragment {
        let keys = keyFragments(table)
        let row = keys.isEmpty ? telling.map { columns[$0].fragment(table) } : keys
        let nulls = [String](repeating: "NULL", count: row.count).joined(separator: ", ")
        let operand = row.count == 1 ? row[0] : row.commaSeparated.parenthesized
        var result = operand
        result.append(text: row.count == 1 ? " IS NOT NULL" : " IS NOT (\(nulls))")
        result.shape = .comparison
        return result
    }
}

extension ColumnDescription {
    func fragment(_ table: TableReference) -> QueryFragment {
        QueryFragment([.column(table, name)], shape: .bare)
    }

    /// The column as it stands in a document.
    fileprivate func jsonFragment(_ table: TableReference) -> QueryFragment {
        let column = fragment(table)
        switch json {
        case .plain: return column
        case .hex: return .call("hex", [column])
        case .document: return .call("json", [column])
        case .bool: return column.jsonBool
        }
    }
}

extension QueryFragment {
    /// A truth value as `true` or `false` of JSON.
    var jsonBool: QueryFragment {
        var result = QueryFragment(text: "json(CASE WHEN ") + self
        result.append(text: " THEN 'true' WHEN NOT ")
        result += operand
        result.append(text: " THEN 'false' END)")
        result.shape = .bare
        return result
    }
}

/// The form of a column in JSON.
enum JSONForm: Sendable, Hashable {
    case plain, bool, document, hex

    init<Value: QueryBindable>(_ type: Value.Type) {
        self =
            if Value.self is any _JSONDocument.Type { .document } else if Value.self == Bool.self {
                .bool
            } else if Value._affinity == .blob { .hex } else { .plain }
    }
}

extension QueryExpression where QueryValue.Unwrapped: QueryBindable {
    private var jsonElement: QueryFragment {
        switch JSONForm(QueryValue.Unwrapped.self) {
        case .plain: queryFragment
        case .hex: .call("hex", [queryFragment])
        case .document: .call("json", [queryFragment])
        case .bool: queryFragment.jsonBool
        }
    }

    /// What tells whether there is a row, for a column on the outer side of a join.
    private var presence: QueryFragment? {
        guard queryFragment.segments.count == 1,
            case .column(let table, _) = queryFragment.segments[0], table.isOuter
        else { return nil }
        return table.type?._layout.presence(table)
    }

    /// The values of the group as an array; on the outer side of a join, those of rows that are there.
    public func jsonGroupArray(
        distinct: Bool = false, order: (any OrderingExpression)? = nil,
        filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<JSONOf<[QueryValue.QueryOutput]>> {
        AggregateExpression(
            "json_group_array", distinct: distinct, [jsonElement],
            order: order?._orderingTerms ?? [],
            filter: .and(presence, filter?.queryFragment))
    }
}

extension QueryFragment {
    /// Both conditions, or the one that there is.
    fileprivate static func and(
        _ first: QueryFragment?, _ second: QueryFragment?
    ) -> QueryFragment? {
        guard let first, let second else { return first ?? second }
        return .and(first, second) as QueryFragment
    }
}

extension TableColumnsProtocol {
    /// The row as an object, whose members have the names of the columns.
    public func jsonObject() -> SQLQueryExpression<JSONOf<QueryValue>> {
        SQLQueryExpression(QueryValue._layout.jsonObject(_table))
    }

    /// The rows of the group as an array of objects.
    public func jsonGroupArray(
        distinct: Bool = false, order: (any OrderingExpression)? = nil,
        filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<JSONOf<[QueryValue]>> {
        AggregateExpression(
            "json_group_array", distinct: distinct, [jsonObject().queryFragment],
            order: order?._orderingTerms ?? [], filter: filter?.queryFragment)
    }
}

extension OuterColumnsProtocol {
    /// The rows of the group that are there as an array of objects.
    public func jsonGroupArray(
        distinct: Bool = false, order: (any OrderingExpression)? = nil,
        filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<JSONOf<[Inner.QueryValue]>> {
        let layout = Inner.QueryValue._layout
        let present = layout.presence(_table)
        return AggregateExpression(
            "json_group_array", distinct: distinct,
            [layout.jsonObject(_table)],
            order: order?._orderingTerms ?? [],
            filter: filter.map { .and(present, $0.queryFragment) } ?? present)
    }
}
