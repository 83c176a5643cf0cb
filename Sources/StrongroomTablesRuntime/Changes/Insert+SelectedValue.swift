// Values of a query that may be in the table already.

extension Table {
    /// Inserts what a query gives, or changes those that are there already.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        onConflictDoUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(nil, { row, _ in change(&row) }, { row, _ in conditions(row) })
    }

    /// Inserts what a query gives, or changes those that are there already.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        onConflictDoUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(nil, { row, _ in change(&row) }, conditions)
    }

    /// Inserts what a query gives, or changes those that are there by the new ones.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        onConflictDoUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(nil, change, { row, _ in conditions(row) })
    }

    /// Inserts what a query gives, or changes those that are there by the new ones.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        onConflictDoUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(nil, change, conditions)
    }

    /// Inserts what a query gives, but those that are there already.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .ignoring(ConflictTarget(of: Self.self, target, filter))
    }

    /// Inserts what a query gives, or changes those that are equal in some columns.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(
                ConflictTarget(of: Self.self, target, { _ in [] }), { row, _ in change(&row) },
                { row, _ in conditions(row) })
    }

    /// Inserts what a query gives, or changes those that are equal in some columns.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(
                ConflictTarget(of: Self.self, target, { _ in [] }), { row, _ in change(&row) },
                conditions)
    }

    /// Inserts what a query gives, or changes those that are equal in some columns.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(
                ConflictTarget(of: Self.self, target, { _ in [] }), change,
                { row, _ in conditions(row) })
    }

    /// Inserts what a query gives, or changes those that are equal in some columns.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(ConflictTarget(of: Self.self, target, { _ in [] }), change, conditions)
    }

    /// Inserts what a query gives, or changes those that are equal in some columns.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(
                ConflictTarget(of: Self.self, target, filter), { row, _ in change(&row) },
                { row, _ in conditions(row) })
    }

    /// Inserts what a query gives, or changes those that are equal in some columns.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(
                ConflictTarget(of: Self.self, target, filter), { row, _ in change(&row) },
                conditions)
    }

    /// Inserts what a query gives, or changes those that are equal in some columns.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(
                ConflictTarget(of: Self.self, target, filter), change, { row, _ in conditions(row) }
            )
    }

    /// Inserts what a query gives, or changes those that are equal in some columns.
    public static func insert<Value, Query: Statement>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<WrittenValue<Value>>,
        select query: () -> Query,
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == Value.Unwrapped
    {
        insert(or: resolution, columns, select: query)
            .updating(ConflictTarget(of: Self.self, target, filter), change, conditions)
    }
}
