/// An association to one of the rows that another leads to: `Chat.messages.order(\.date).last`.
public struct FirstOfManyAssociation<Origin, Destination>: AssociationToOne {
    public typealias OriginRowDecoder = Origin
    public typealias RowDecoder = Destination

    public var _query: SelectQuery
    public var _path: AssociationPath
}

extension AssociationToMany {
    /// The association to the first row, in the order of this one, under the name `firstBook`.
    ///
    ///     struct Chat: TableRecord {
    ///         static let messages = hasMany(Message.self).order(\.date)
    ///         static let latestMessage = messages.last.forKey("latestMessage")
    ///     }
    ///
    ///     // SELECT "chat".*, "message".* FROM "chat" LEFT JOIN "message" ON "message"."id" =
    ///     //     (SELECT "id" FROM "message" WHERE "chatId" = "chat"."id" ORDER BY "date" DESC LIMIT 1)
    ///     let request = Chat.including(optional: Chat.latestMessage)
    ///
    /// Filters before it choose among which rows it is the first; filters behind it ask something of
    /// that row: `Chat.messages.last.filter { !$0.isRead }` leads nowhere from a chat whose last
    /// message was read. Rows that are equal in the order come in that of their primary keys, and so
    /// do all when there is no order.
    public var first: FirstOfManyAssociation<OriginRowDecoder, RowDecoder> {
        one(named: "first") { _ in }
    }

    /// The association to the last row, in the order of this one, under the name `lastBook`.
    public var last: FirstOfManyAssociation<OriginRowDecoder, RowDecoder> {
        one(named: "last") { $0.reverseOrdering() }
    }

    private func one(
        named prefix: String, _ arrange: (inout SelectQuery) -> Void
    ) -> FirstOfManyAssociation<OriginRowDecoder, RowDecoder> {
        var candidates = joinedBack()
        candidates.query.stabilizeOrdering()
        arrange(&candidates.query)
        let key = prefix + _path.key.singular.capitalizedFirstLetter
        // Which row it is, the candidates say: here it has its columns, and what is joined to it.
        var query = _query
        query.filters = []
        query.removeOrdering()
        query.aliases = []
        query.groups = nil
        query.groupFilters = []
        query.isDistinct = false
        return FirstOfManyAssociation(
            _query: query,
            _path: AssociationPath(
                key: .one(key), condition: .first(FirstRow(candidates: candidates.limited)),
                isToOne: true
            ))
    }
}

/// The row that comes first among those that an association leads to.
struct FirstRow: Sendable {
    /// The rows, in their order.
    let candidates: SelectQuery.Join
    /// The depth of the query that finds the row.
    let depth: Int
    /// Tells it from others.
    private let identity = TableAlias<Void>()

    init(candidates: SelectQuery.Join) {
        self.candidates = candidates
        depth = candidates.depth
    }

    func isSame(as other: FirstRow) -> Bool { identity === other.identity }

    /// Whether a row is the first one of those that a row of another table leads to.
    func condition(from origin: AliasedTable, to destination: AliasedTable) -> SQLExpression {
        SQLExpression(
            FirstRowCheck(candidates: candidates, origin: origin, destination: destination))
    }

    /// Whether a row is the first one of those that a row leads to whose values are known.
    func condition(
        fromRowOf tableName: String,
        with values: @escaping @Sendable () throws -> [String: DatabaseValue]
    ) -> SelectQuery.Clause<SQLExpression> {
        let condition = candidates.condition(fromRowOf: tableName, with: values)
        let candidates = candidates
        return .whenConnected { db in
            let sql = SQLGenerationContext(connection: db)
            var query = candidates.query
            query.filters.append(.known(try condition.value(in: sql)))
            let key = try query.onlyKey(in: sql)
            return SQLExpression(
                BinaryOperation(
                    key.count == 1 ? key[0] : SQLExpression(ExpressionList(key)), "=",
                    SQLSubquery(query)))
        }
    }
}

extension JoinCondition {
    /// Whether two conditions under one key lead to the same rows, as far as can be told.
    func isSame(as other: JoinCondition) -> Bool {
        switch (self, other) {
        case (.first(let row), .first(let otherRow)): row.isSame(as: otherRow)
        case (.first, _), (_, .first): false
        default: true
        }
    }
}

extension SelectQuery {
    /// Selects the primary key of the first row only.
    fileprivate mutating func onlyKey(in sql: SQLGenerationContext) throws -> [SQLExpression] {
        let key = try primaryKey().value(in: sql)
        excludeJoinedColumns()
        selection = .known(key.map { SQLSelection($0) })
        isDistinct = false
        limit = Limit(count: 1)
        return key
    }
}

/// Whether a row of one table in view is the first of those to which one of another leads.
private struct FirstRowCheck: SQLNode {
    let candidates: SelectQuery.Join
    let origin: AliasedTable
    let destination: AliasedTable

    var depth: Int { 1 + candidates.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        var query = candidates.query
        try query.link(candidates, to: origin, sql)
        let key = try query.onlyKey(in: sql).map { destination.alias[$0] }
        let row = key.count == 1 ? key[0] : SQLExpression(ExpressionList(key))
        try row.write(to: &sql)
        sql.append(sql: " = ")
        try sql.parenthesize { try SQLSubquery(query).write(to: &$0) }
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.parenthesize { try write(to: &$0) }
    }

    var isRowByRow: Bool { true }
}
