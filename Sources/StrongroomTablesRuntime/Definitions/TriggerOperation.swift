/// What fires a trigger, and what the trigger does: `.insert`, `.update` or `.delete`.
///
/// Closures are given the columns of the row as it was, `old`, and as it becomes, `new`.
public struct TriggerOperation<Target: Table>: Sendable {
    enum Event: Sendable {
        case insert, delete
        /// Of some columns; of any where there are none.
        case update([String])

        var word: String {
            switch self {
            case .insert: "insert"
            case .delete: "delete"
            case .update: "update"
            }
        }
    }
    let event: Event
    let steps: [TriggerStep]
    let conditions: [QueryFragment]
    /// Whether it changes the row itself, which must be there then.
    var isTouch = false

    private static func columns(_ name: String) -> Target.SideColumns {
        Target._sideColumns(
            TableReference(name, schema: nil, alias: nil, fragment: nil, type: Target.self))
    }
    static var old: Target.SideColumns { columns("old") }
    static var new: Target.SideColumns { columns("new") }
}

extension TriggerOperation {
    /// A row is inserted.
    ///
    ///     try Item.createTemporaryTrigger(after: .insert { new in
    ///         Log.insert { $0.text } values: { new.title }
    ///     }).execute(db)
    ///     try Item.insert { Item.Draft(title: "Tea") }.execute(db)
    ///     try Log.select(\.text).fetchAll(db)  // ["Tea"]
    public static func insert(
        @TriggerBuilder forEachRow body: (_ new: Target.SideColumns) -> [TriggerStep],
        @ConditionBuilder when condition: (Target.SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> TriggerOperation {
        TriggerOperation(event: .insert, steps: body(new), conditions: condition(new))
    }

    /// A row is deleted.
    ///
    ///     // A folder takes its items with it.
    ///     try Folder.createTemporaryTrigger(after: .delete { old in
    ///         Item.where { $0.folderID.eq(old.id) }.delete()
    ///     }).execute(db)
    ///     try Folder.find(1).delete().execute(db)
    ///     try Item.fetchCount(db)  // 2
    public static func delete(
        @TriggerBuilder forEachRow body: (_ old: Target.SideColumns) -> [TriggerStep],
        @ConditionBuilder when condition: (Target.SideColumns) -> [QueryFragment] = { _ in [] }
    ) -> TriggerOperation {
        TriggerOperation(event: .delete, steps: body(old), conditions: condition(old))
    }

    /// A row is changed.
    ///
    ///     try Item.createTemporaryTrigger(after: .update { old, new in
    ///         Log.insert { $0.text } values: { old.title + " is " + new.title }
    ///     } when: { old, new in
    ///         old.title.neq(new.title)
    ///     }).execute(db)
    ///     try Item.find(1).update { $0.title = "Oat milk" }.execute(db)
    ///     try Log.select(\.text).fetchAll(db)  // ["Milk is Oat milk"]
    public static func update(
        @TriggerBuilder forEachRow body: (
            _ old: Target.SideColumns, _ new: Target.SideColumns
        ) -> [TriggerStep],
        @ConditionBuilder when condition: (
            Target.SideColumns, Target.SideColumns
        ) -> [QueryFragment] = { _, _ in [] }
    ) -> TriggerOperation {
        TriggerOperation(
            event: .update([]), steps: body(old, new), conditions: condition(old, new))
    }

    /// A statement sets some columns of a row.
    public static func update(
        @ConflictTargetBuilder of names: (Target.SideColumns) -> [String],
        @TriggerBuilder forEachRow body: (
            _ old: Target.SideColumns, _ new: Target.SideColumns
        ) -> [TriggerStep],
        @ConditionBuilder when condition: (
            Target.SideColumns, Target.SideColumns
        ) -> [QueryFragment] = { _, _ in [] }
    ) -> TriggerOperation {
        TriggerOperation(
            event: .update(names(new)), steps: body(old, new), conditions: condition(old, new))
    }
}
