extension Select {
    func changed(_ change: (inout SelectClauses) -> Void) -> Self {
        var copy = self
        change(&copy._clauses)
        return copy
    }

    var arguments: Tables.Arguments { Tables._arguments(_clauses.from.tables) }

    /// Keeps the rows that fulfil conditions.
    public func `where`(
        @ConditionBuilder _ conditions: (Tables.Arguments) -> [QueryFragment]
    ) -> Self {
        changed { $0.add(conditions(arguments)) }
    }
}

extension Where {
    func changed(_ change: (inout SelectClauses) -> Void) -> Self {
        var copy = self
        change(&copy._clauses)
        return copy
    }

    /// Keeps the rows that fulfil conditions.
    public func `where`(
        @ConditionBuilder _ conditions: (From.SideColumns) -> [QueryFragment]
    ) -> Self {
        changed { $0.add(conditions(From._sideColumns(_clauses.from.tables[0]))) }
    }
}

extension QuerySource {
    /// Keeps the rows that fulfil conditions.
    public static func `where`(
        @ConditionBuilder _ conditions: (SideColumns) -> [QueryFragment]
    ) -> Where<Self> {
        Where().where(conditions)
    }
}
