// Several ON CONFLICT clauses, in order.

extension Insert {
    /// Leaves rows as they are that are equal in some columns.
    ///
    ///     // The title is taken: nothing is inserted.
    ///     let insert = Item.insert { Item.Draft(title: "Milk") }.onConflict { $0.title }
    ///     try insert.returning(\.id).fetchAll(db)  // []
    public func onConflict(
        @ConflictTargetBuilder _ target: (Target.SideColumns) -> [String],
        @ConditionBuilder where filter: (Target.SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert {
        ignoring(ConflictTarget(of: Target.self, target, filter))
    }

    /// Changes rows that are equal in some columns.
    ///
    ///     let insert = Item.insert { Item.Draft(title: "Milk", stars: 1) }
    ///     let update = insert.onConflict { $0.title } doUpdate: { $0.stars += $1.stars }
    ///     try update.returning(\.stars).fetchAll(db)  // [4]
    public func onConflict(
        @ConflictTargetBuilder _ target: (Target.SideColumns) -> [String],
        doUpdate change: (inout Updates<Target.SideColumns>) -> Void,
        @ConditionBuilder where conditions: (Target.SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert {
        updating(
            ConflictTarget(of: Target.self, target, { _ in [] }), { row, _ in change(&row) },
            { row, _ in conditions(row) })
    }

    /// Changes rows that are equal in some columns.
    public func onConflict(
        @ConflictTargetBuilder _ target: (Target.SideColumns) -> [String],
        doUpdate change: (inout Updates<Target.SideColumns>) -> Void,
        @ConditionBuilder where conditions: (
            Target.SideColumns, Target.SideColumns
        ) -> [QueryFragment]
    ) -> Insert {
        updating(
            ConflictTarget(of: Target.self, target, { _ in [] }), { row, _ in change(&row) },
            conditions)
    }

    /// Changes rows that are equal in some columns.
    public func onConflict(
        @ConflictTargetBuilder _ target: (Target.SideColumns) -> [String],
        doUpdate change: (inout Updates<Target.SideColumns>, Target.SideColumns) -> Void,
        @ConditionBuilder where conditions: (Target.SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert {
        updating(
            ConflictTarget(of: Target.self, target, { _ in [] }), change,
            { row, _ in conditions(row) })
    }

    /// Changes rows that are equal in some columns.
    public func onConflict(
        @ConflictTargetBuilder _ target: (Target.SideColumns) -> [String],
        doUpdate change: (inout Updates<Target.SideColumns>, Target.SideColumns) -> Void,
        @ConditionBuilder where conditions: (
            Target.SideColumns, Target.SideColumns
        ) -> [QueryFragment]
    ) -> Insert {
        updating(ConflictTarget(of: Target.self, target, { _ in [] }), change, conditions)
    }

    /// Changes rows that are equal in some columns.
    public func onConflict(
        @ConflictTargetBuilder _ target: (Target.SideColumns) -> [String],
        @ConditionBuilder where filter: (Target.SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<Target.SideColumns>) -> Void,
        @ConditionBuilder where conditions: (Target.SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert {
        updating(
            ConflictTarget(of: Target.self, target, filter), { row, _ in change(&row) },
            { row, _ in conditions(row) })
    }

    /// Changes rows that are equal in some columns.
    public func onConflict(
        @ConflictTargetBuilder _ target: (Target.SideColumns) -> [String],
        @ConditionBuilder where filter: (Target.SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<Target.SideColumns>) -> Void,
        @ConditionBuilder where conditions: (
            Target.SideColumns, Target.SideColumns
        ) -> [QueryFragment]
    ) -> Insert {
        updating(
            ConflictTarget(of: Target.self, target, filter), { row, _ in change(&row) }, conditions)
    }

    /// Changes rows that are equal in some columns.
    public func onConflict(
        @ConflictTargetBuilder _ target: (Target.SideColumns) -> [String],
        @ConditionBuilder where filter: (Target.SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<Target.SideColumns>, Target.SideColumns) -> Void,
        @ConditionBuilder where conditions: (Target.SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert {
        updating(
            ConflictTarget(of: Target.self, target, filter), change, { row, _ in conditions(row) })
    }

    /// Changes rows that are equal in some columns.
    public func onConflict(
        @ConflictTargetBuilder _ target: (Target.SideColumns) -> [String],
        @ConditionBuilder where filter: (Target.SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<Target.SideColumns>, Target.SideColumns) -> Void,
        @ConditionBuilder where conditions: (
            Target.SideColumns, Target.SideColumns
        ) -> [QueryFragment]
    ) -> Insert {
        updating(ConflictTarget(of: Target.self, target, filter), change, conditions)
    }
}
