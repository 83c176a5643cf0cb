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
        query.filters.append(
            .whenConnected { [join] db in
                let values = try values()
                let pairs = try join.requirePairs(db, from: tableName)
                return pairs.map { pair in
                    guard let value = values[pair.origin.lowercased()], !value.isNull else {
                        return Constant.bool(false)
                    }
                    let column = Column(pair.destination)
                    return (join.pivot.map { $0[column] } ?? column.sqlExpression) == value
                }.joined(operator: .and)
            })
        return QueryInterfaceRequest(query: query)
    }
}
