// Triggers that change the row which fired them.

extension TriggerOperation {
    /// The statement that changes the new row.
    private static func touching(
        _ event: Event, _ assignments: Assignments, _ conditions: [QueryFragment]
    ) -> TriggerOperation {
        var clauses = SelectClauses(unscoped: Target.self)
        clauses.conditions = [Target._layout.isSameRow(clauses.from.tables[0])]
        let update = Update<Target>(clauses, assignments, nil)
        return TriggerOperation(
            event: event, steps: [TriggerStep([update.query])], conditions: conditions,
            isTouch: true)
    }

    private static func assignments(
        _ touch: (inout Updates<Target.SideColumns>) -> Void
    ) -> Assignments {
        let table = SelectClauses(unscoped: Target.self).from.tables[0]
        var updates = Updates(_columns: Target._sideColumns(table))
        touch(&updates)
        return updates.assignments
    }

    private static func date<Value: QueryRepresentable>(
        _ path: KeyPath<Target.SideColumns, TableColumn<Value>>, _ date: QueryFragment?
    ) -> Assignments where Value.Unwrapped: _DateValue {
        let now = DateExpression<Value>(date: nil, modifier: DateTimeModifier())
        var assignments = Assignments()
        assignments[new[keyPath: path].name] = date ?? now.queryFragment
        return assignments
    }
}

extension TriggerOperation {
    /// Changes each row that is inserted.
    ///
    ///     try Item.createTemporaryTrigger(after: .insert(touch: { $0.stars = 3 })).execute(db)
    @_disfavoredOverload  // A closure without a label is a body.
    public static func insert(
        touch: (inout Updates<Target.SideColumns>) -> Void,
        @ConditionBuilder when condition: (Target.SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> TriggerOperation {
        touching(.insert, assignments(touch), condition(new))
    }

    /// Sets a column of each row that is inserted to the time.
    public static func insert<Value: QueryRepresentable>(
        touch path: KeyPath<Target.SideColumns, TableColumn<Value>>,
        @ConditionBuilder when condition: (Target.SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> TriggerOperation where Value.Unwrapped: _DateValue {
        touching(.insert, date(path, nil), condition(new))
    }

    /// Sets a column of each row that is inserted to a date.
    public static func insert<Value: QueryRepresentable, Moment: QueryExpression>(
        touch path: KeyPath<Target.SideColumns, TableColumn<Value>>, date moment: Moment,
        @ConditionBuilder when condition: (Target.SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> TriggerOperation
    where Value.Unwrapped: _DateValue, Moment.QueryValue.Unwrapped == Value.Unwrapped {
        touching(.insert, date(path, moment.queryFragment), condition(new))
    }

    /// Changes each row that is changed.
    ///
    /// With `PRAGMA recursive_triggers`, which is off by default, the trigger fires itself: limit it
    /// to other columns with `of`, or SQLite fails with "too many levels of trigger recursion".
    @_disfavoredOverload  // A closure without a label is a body.
    public static func update(
        @ConflictTargetBuilder of names: (Target.SideColumns) -> [String] = { _ in [] },
        touch: (inout Updates<Target.SideColumns>) -> Void,
        @ConditionBuilder when condition: (
            Target.SideColumns, Target.SideColumns
        ) -> [QueryFragment] = { _, _ in [] }
    ) -> TriggerOperation {
        touching(.update(names(new)), assignments(touch), condition(old, new))
    }

    /// Sets a column of each row that is changed to the time.
    ///
    /// With `PRAGMA recursive_triggers`, which is off by default, the trigger fires itself: limit it
    /// to other columns with `of`, or SQLite fails with "too many levels of trigger recursion".
    public static func update<Value: QueryRepresentable>(
        @ConflictTargetBuilder of names: (Target.SideColumns) -> [String] = { _ in [] },
        touch path: KeyPath<Target.SideColumns, TableColumn<Value>>,
        @ConditionBuilder when condition: (
            Target.SideColumns, Target.SideColumns
        ) -> [QueryFragment] = { _, _ in [] }
    ) -> TriggerOperation where Value.Unwrapped: _DateValue {
        touching(.update(names(new)), date(path, nil), condition(old, new))
    }

    /// Sets a column of each row that is changed to a date.
    public static func update<Value: QueryRepresentable, Moment: QueryExpression>(
        @ConflictTargetBuilder of names: (Target.SideColumns) -> [String] = { _ in [] },
        touch path: KeyPath<Target.SideColumns, TableColumn<Value>>, date moment: Moment,
        @ConditionBuilder when condition: (
            Target.SideColumns, Target.SideColumns
        ) -> [QueryFragment] = { _, _ in [] }
    ) -> TriggerOperation
    where Value.Unwrapped: _DateValue, Moment.QueryValue.Unwrapped == Value.Unwrapped {
        touching(.update(names(new)), date(path, moment.queryFragment), condition(old, new))
    }
}

extension TableLayout {
    /// Whether a row is the one that fired a trigger.
    fileprivate func isSameRow(_ table: TableReference) -> QueryFragment {
        let new = TableReference("new")
        guard kind != .table else {
            return .comparison(
                QueryFragment([.column(table, "rowid")], shape: .bare), "=",
                QueryFragment([.column(new, "rowid")], shape: .bare))
        }
        let keys = [keyFragments(table), keyFragments(new)]
        if keys[0].isEmpty { return QueryFragment(failure: "the table has neither rowid nor key") }
        let operands = keys.map { $0.count == 1 ? $0[0] : $0.commaSeparated.parenthesized }
        return .comparison(operands[0], "=", operands[1])
    }
}
