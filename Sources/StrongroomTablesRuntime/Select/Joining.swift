/// How two queries are joined.
enum JoinKind: String {
    case inner = " JOIN "
    case left = " LEFT JOIN "
    case right = " RIGHT JOIN "
    case full = " FULL JOIN "
    case cross = " CROSS JOIN "

    var makesOtherOuter: Bool { self == .left || self == .full }
    var makesBaseOuter: Bool { self == .right || self == .full }
}

/// A join whose conditions are still to come.
struct JoinInProgress {
    var clauses: SelectClauses
    var join: FromClause.Join
    /// Joins of the other query that follow: all of them are inner.
    var following: [FromClause.Join]
    /// Conditions that move into ON, after the join's own.
    var moved: [QueryFragment]

    func on(_ conditions: [QueryFragment]) -> SelectClauses {
        var result = clauses
        var join = join
        join.conditions.appendConditions(conditions + moved)
        result.from.joins.append(join)
        result.from.joins += following
        return result
    }
}

extension SelectStatement {
    func joining(_ kind: JoinKind, _ other: SelectClauses) -> JoinInProgress {
        var base = _clauses.resolved
        var other = other.resolved
        if base.isEmpty && !kind.makesBaseOuter || other.isEmpty && !kind.makesOtherOuter {
            base.isEmpty = true
        }
        base.preparedForFullJoin(kind)
        other.prepareAsOther(kind)
        var moved: [QueryFragment] = []
        if kind == .right {
            moved = base.conditions
            base.conditions = []
        }
        if kind == .left {
            moved = other.conditions
            other.conditions = []
        }
        let (source, following) = other.joinSource(kind, base)
        base.from.tables += other.from.tables
        base.from.layouts += other.from.layouts
        base.columns += other.columns
        base.add(other.conditions)
        base.groups += other.groups
        base.addHavings(other.havings)
        base.orders += other.orders
        let join = FromClause.Join(kind: kind.rawValue, source: source, conditions: [])
        return JoinInProgress(clauses: base, join: join, following: following, moved: moved)
    }
}

extension SelectClauses {
    /// Conditions of the base of a full join, which must not touch the rows of the other side.
    fileprivate mutating func preparedForFullJoin(_ kind: JoinKind) {
        guard kind == .full, !conditions.isEmpty, from.joins.isEmpty else { return }
        var inner = self
        inner.columns = []
        inner.orders = []
        inner.limit = nil
        inner.offset = nil
        from.first = inner.source(as: from.tables[0])
        conditions = []
    }

    /// Puts clauses that would mean something else after the join into a subquery.
    fileprivate mutating func prepareAsOther(_ kind: JoinKind) {
        let isOuter = kind.makesOtherOuter
        let needsSubquery =
            isDistinct || limit != nil || offset != nil
            || isOuter && (!groups.isEmpty || !havings.isEmpty)
            || kind == .full && !conditions.isEmpty || isEmpty
        guard needsSubquery, from.joins.isEmpty else { return }
        var inner = self
        inner.columns = []
        if isEmpty {
            inner.isEmpty = false
            inner.conditions = [QueryFragment(.int(0))]
        }
        isEmpty = false
        from.first = inner.source(as: from.tables[0])
        conditions = []
        groups = []
        havings = []
        orders = []
        limit = nil
        offset = nil
        isDistinct = false
    }

    /// What stands after JOIN, and the joins that follow it.
    fileprivate func joinSource(
        _ kind: JoinKind, _ base: SelectClauses
    ) -> (QueryFragment, [FromClause.Join]) {
        if from.joins.isEmpty { return (from.first, []) }
        let inner = JoinKind.inner.rawValue
        if kind == .inner, from.joins.allSatisfy({ $0.kind == inner }) {
            return (from.first, from.joins)
        }
        return (from.fragment.parenthesized, [])
    }
}
