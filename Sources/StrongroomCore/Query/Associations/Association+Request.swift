extension Association {
    /// The request for what the association leads to from one row of its origin.
    ///
    /// - Parameter values: The values of the row's columns, by their names in lower case. Where one
    ///   is NULL or missing that should tell, the request fetches nothing.
    package func request(
        fromRowOf tableName: String,
        with values: @escaping @Sendable () throws -> [String: DatabaseValue]
    ) -> QueryInterfaceRequest<RowDecoder> {
        var join = SelectQuery.Join(
            key: _path.key, condition: _path.condition, kind: .all, isIncluded: true,
            query: _query)
        join.leadBack(over: _path.pivots)
        var query = join.query
        if case .first(let row) = join.condition {
            query.filters.insert(row.condition(fromRowOf: tableName, with: values), at: 0)
            return QueryInterfaceRequest(query: query)
        }
        query.filters.append(join.condition(fromRowOf: tableName, with: values))
        return QueryInterfaceRequest(query: query)
    }
}

extension SelectQuery.Join {
    /// Whether a row to fetch is one of those that a row of the origin leads to.
    func condition(
        fromRowOf tableName: String,
        with values: @escaping @Sendable () throws -> [String: DatabaseValue]
    ) -> SelectQuery.Clause<SQLExpression> {
        let join = self
        return
            .whenConnected { db in
                let values = try values()
                let pairs = try join.requirePairs(db, from: tableName)
                return pairs.map { pair in
                    guard let value = values[pair.origin.lowercased()], !value.isNull else {
                        return Constant.bool(false)
                    }
                    let column = Column(pair.destination)
                    return (join.pivot.map { $0[column] } ?? column.sqlExpression) == value
                }.joined(operator: .and)
            }
    }
}
