// Values that may be in the table already.

extension Table {
    /// Inserts values into columns, or changes those that are there already.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        onConflictDoUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(nil, { row, _ in change(&row) }, { row, _ in conditions(row) })
    }

    /// Inserts values into columns, or changes those that are there already.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        onConflictDoUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(nil, { row, _ in change(&row) }, conditions)
    }

    /// Inserts values into columns, or changes those that are there by the new ones.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        onConflictDoUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(nil, change, { row, _ in conditions(row) })
    }

    /// Inserts values into columns, or changes those that are there by the new ones.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        onConflictDoUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(nil, change, conditions)
    }

    /// Inserts values into columns, but those that are there already.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .ignoring(ConflictTarget(of: Self.self, target, filter))
    }

    /// Inserts values into columns, or changes those that are equal in some columns.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(
                ConflictTarget(of: Self.self, target, { _ in [] }), { row, _ in change(&row) },
                { row, _ in conditions(row) })
    }

    /// Inserts values into columns, or changes those that are equal in some columns.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(
                ConflictTarget(of: Self.self, target, { _ in [] }), { row, _ in change(&row) },
                conditions)
    }

    /// Inserts values into columns, or changes those that are equal in some columns.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(
                ConflictTarget(of: Self.self, target, { _ in [] }), change,
                { row, _ in conditions(row) })
    }

    /// Inserts values into columns, or changes those that are equal in some columns.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(ConflictTarget(of: Self.self, target, { _ in [] }), change, conditions)
    }

    /// Inserts values into columns, or changes those that are equal in some columns.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(
                ConflictTarget(of: Self.self, target, filter), { row, _ in change(&row) },
                { row, _ in conditions(row) })
    }

    /// Inserts values into columns, or changes those that are equal in some columns.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(
                ConflictTarget(of: Self.self, target, filter), { row, _ in change(&row) },
                conditions)
    }

    /// Inserts values into columns, or changes those that are equal in some columns.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(
                ConflictTarget(of: Self.self, target, filter), change, { row, _ in conditions(row) }
            )
    }

    /// Inserts values into columns, or changes those that are equal in some columns.
    public static func insert<Shape>(
        or resolution: ConflictResolution? = nil,
        @WrittenColumnsBuilder _ columns: (SideColumns) -> WrittenColumns<Shape>,
        @WrittenRowsBuilder<Shape> values: () -> [[QueryFragment]],
        @ConflictTargetBuilder onConflict target: (SideColumns) -> [String],
        @ConditionBuilder where filter: (SideColumns) -> [QueryFragment],
        doUpdate change: (inout Updates<SideColumns>, SideColumns) -> Void,
        @ConditionBuilder where conditions: (SideColumns, SideColumns) -> [QueryFragment]
    ) -> Insert<Self> {
        insert(or: resolution, columns, values: values)
            .updating(ConflictTarget(of: Self.self, target, filter), change, conditions)
    }
}
