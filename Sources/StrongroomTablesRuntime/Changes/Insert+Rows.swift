// Rows that may be in the table already.

extension Table {
    /// Inserts rows, or changes those that are there already.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        onConflictDoUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(nil, { row, _ in change(&row) }, { row, _ in conditions(row) })
    }

    /// Inserts rows, or changes those that are there already.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        onConflictDoUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(nil, { row, _ in change(&row) }, conditions)
    }

    /// Inserts rows, or changes those that are there by the new ones.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        onConflictDoUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(nil, change, { row, _ in conditions(row) })
    }

    /// Inserts rows, or changes those that are there by the new ones.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        onConflictDoUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(nil, change, conditions)
    }

    /// Inserts rows, but those that are there already.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .ignoring(ConflictTarget(of: Self.self, target, filter))
    }

    /// Inserts rows, or changes those that are equal in some columns.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(
                ConflictTarget(of: Self.self, target, { _ in [] }), { row, _ in change(&row) },
                { row, _ in conditions(row) })
    }

    /// Inserts rows, or changes those that are equal in some columns.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(
                ConflictTarget(of: Self.self, target, { _ in [] }), { row, _ in change(&row) },
                conditions)
    }

    /// Inserts rows, or changes those that are equal in some columns.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(
                ConflictTarget(of: Self.self, target, { _ in [] }), change,
                { row, _ in conditions(row) })
    }

    /// Inserts rows, or changes those that are equal in some columns.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(ConflictTarget(of: Self.self, target, { _ in [] }), change, conditions)
    }

    /// Inserts rows, or changes those that are equal in some columns.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(
                ConflictTarget(of: Self.self, target, filter), { row, _ in change(&row) },
                { row, _ in conditions(row) })
    }

    /// Inserts rows, or changes those that are equal in some columns.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(
                ConflictTarget(of: Self.self, target, filter), { row, _ in change(&row) },
                conditions)
    }

    /// Inserts rows, or changes those that are equal in some columns.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(
                ConflictTarget(of: Self.self, target, filter), change, { row, _ in conditions(row) }
            )
    }

    /// Inserts rows, or changes those that are equal in some columns.
    public static func insert(
        or resolution: ConflictResolution? = nil,
        @InsertBuilder<Self> _ rows: () -> InsertedRows<Self>,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, rows)
            .updating(ConflictTarget(of: Self.self, target, filter), change, conditions)
    }
}
