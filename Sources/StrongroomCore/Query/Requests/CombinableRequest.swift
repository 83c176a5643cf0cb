/// A request whose rows can be put together with those of another: see `union(_:)`.
public protocol CombinableRequest<RowDecoder>: FetchRequest, Sendable {
    /// The request as a part of another. Not for apps.
    var _operand: CompoundOperand { get }
}

extension CombinableRequest {
    /// The rows of this request and those of another, equal ones once: `UNION`.
    ///
    ///     // SELECT * FROM "player" WHERE "score" > 1000
    ///     // UNION SELECT * FROM "player" WHERE "team" = 'red' ORDER BY "name"
    ///     let request = Player.filter { $0.score > 1000 }
    ///         .union(Player.filter { $0.team == "red" })
    ///         .order(Column("name"))
    ///
    /// Both must select as many columns; the names are those of the first.
    ///
    /// <https://www.sqlite.org/lang_select.html#compound_select_statements>
    public func union(
        _ other: some CombinableRequest<RowDecoder>
    ) -> CompoundRequest<RowDecoder> {
        CompoundRequest(self, .union, other)
    }

    /// The rows of this request and those of another, all of them: `UNION ALL`.
    public func unionAll(
        _ other: some CombinableRequest<RowDecoder>
    ) -> CompoundRequest<RowDecoder> {
        CompoundRequest(self, .unionAll, other)
    }

    /// The rows that this request and another give both, each once: `INTERSECT`.
    public func intersect(
        _ other: some CombinableRequest<RowDecoder>
    ) -> CompoundRequest<RowDecoder> {
        CompoundRequest(self, .intersect, other)
    }

    /// The rows of this request that another does not give, each once: `EXCEPT`.
    ///
    ///     let rest = Player.all().except(Player.filter(Column("score") == 0))
    public func except(
        _ other: some CombinableRequest<RowDecoder>
    ) -> CompoundRequest<RowDecoder> {
        CompoundRequest(self, .except, other)
    }
}

extension QueryInterfaceRequest: CombinableRequest {
    public var _operand: CompoundOperand { CompoundOperand(content: .select(_query)) }
}

extension CompoundRequest: CombinableRequest {
    public var _operand: CompoundOperand { CompoundOperand(content: .compound(query)) }
}

/// A request that is a part of another: opaque.
public struct CompoundOperand: Sendable {
    let content: Content

    indirect enum Content: Sendable {
        case select(SelectQuery)
        case compound(CompoundQuery)
        /// Stands for what is nested too deep.
        case tooDeep
    }

    package var depth: Int {
        switch content {
        case .select(let query): query.depth
        case .compound(let query): query.depth
        case .tooDeep: NestedNode.depthLimit
        }
    }

    /// The query of the columns, which also says how rows present them.
    var firstSelect: SelectQuery? {
        var content = content
        while case .compound(let query) = content { content = query.first.content }
        guard case .select(let query) = content else { return nil }
        return query
    }
}

extension CompoundOperand: SQLNode {
    /// Writes the query so that an operator may follow it, or stand before it.
    package func write(to sql: inout SQLGenerationContext) throws {
        switch content {
        case .select(let query):
            try query.requireNoPrefetch()
            let isPlain =
                query.definitions.isEmpty && query.ordering == nil && query.limit == nil
                && !query.hasOrderedTables
            try Self.write(query, isPlain: isPlain, to: &sql)
        case .compound(let query):
            try Self.write(query, isPlain: false, to: &sql)
        case .tooDeep: throw DatabaseError.tooDeep
        }
    }

    /// Writes the query as the first one, behind which others can follow.
    func writeFirst(to sql: inout SQLGenerationContext) throws {
        guard isFlatAsFirst, case .compound(let query) = content else {
            return try write(to: &sql)
        }
        try query.write(to: &sql)
    }

    /// Whether it is no query inside another where it is the first one.
    var isFlatAsFirst: Bool {
        guard case .compound(let query) = content else { return false }
        return query.ordering == nil && query.limit == nil
    }

    private static func write(
        _ query: some SQLNode, isPlain: Bool, to sql: inout SQLGenerationContext
    ) throws {
        if isPlain { return try query.write(to: &sql) }
        // What has an order, a limit or definitions of its own is no operand, but its rows are.
        sql.append(sql: "SELECT * FROM ")
        try sql.parenthesize { try query.write(to: &$0) }
    }
}

extension SelectQuery {
    /// Whether a joined table adds to the ordering.
    fileprivate var hasOrderedTables: Bool {
        joins.contains {
            !$0.isPrefetched && ($0.query.ordering != nil || $0.query.hasOrderedTables)
        }
    }

    fileprivate func requireNoPrefetch() throws {
        for join in joins {
            guard join.isPrefetched else {
                try join.query.requireNoPrefetch()
                continue
            }
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "The rows of association \(join.name) are fetched after those of a "
                    + "request, which then can't be part of a UNION, INTERSECT or EXCEPT: leave "
                    + "including(all:) out.")
        }
    }
}
