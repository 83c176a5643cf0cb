/// A statement in the body of a trigger.
public struct TriggerStep: Sendable {
    let statements: [QueryFragment]

    init(_ statements: [QueryFragment]) { self.statements = statements.filter { !$0.isEmpty } }
}

/// The statements of a trigger, one on each line.
@resultBuilder
public enum TriggerBuilder {
    /// A statement that inserts rows.
    public static func buildExpression<Target>(_ insert: Insert<Target>) -> [TriggerStep] {
        let statements = insert._statements(variables: .max) + refusal(insert)
        let isDefault = insert.batches.contains { batch in
            if case .defaults = batch.source { true } else { false }
        }
        guard isDefault else { return [TriggerStep(statements)] }
        let message = "'insert' without values cannot stand in a trigger: SQLite refuses it"
        return [TriggerStep(statements + [QueryFragment(failure: message)])]
    }

    /// A statement that changes rows.
    public static func buildExpression<Target>(_ update: Update<Target>) -> [TriggerStep] {
        [TriggerStep([update.query] + refusal(update))]
    }

    /// A statement that deletes rows.
    public static func buildExpression<Target>(_ delete: Delete<Target>) -> [TriggerStep] {
        [TriggerStep([delete.query] + refusal(delete))]
    }

    /// A query, which calls functions: nobody sees its rows.
    public static func buildExpression(_ query: some ResultStatement) -> [TriggerStep] {
        [TriggerStep([query.query])]
    }

    /// A statement as it is written.
    public static func buildExpression(_ statement: SQLStatement) -> [TriggerStep] {
        [TriggerStep([statement.query])]
    }

    /// SQLite promises no `WITH` there.
    @available(*, unavailable, message: "a trigger has no 'With' but inside of an insert")
    public static func buildExpression<Shape>(_ query: With<Shape>) -> [TriggerStep] { [] }

    /// SQLite has no `RETURNING` there.
    @available(*, unavailable, message: "a statement of a trigger returns nothing")
    public static func buildExpression<Shape>(_ changes: Returning<Shape>) -> [TriggerStep] { [] }

    public static func buildBlock(_ parts: [TriggerStep]...) -> [TriggerStep] {
        parts.flatMap { $0 }
    }
    public static func buildOptional(_ part: [TriggerStep]?) -> [TriggerStep] { part ?? [] }
    public static func buildEither(first part: [TriggerStep]) -> [TriggerStep] { part }
    public static func buildEither(second part: [TriggerStep]) -> [TriggerStep] { part }
    public static func buildArray(_ parts: [[TriggerStep]]) -> [TriggerStep] {
        parts.flatMap { $0 }
    }
    public static func buildLimitedAvailability(_ part: [TriggerStep]) -> [TriggerStep] { part }

    /// Why SQLite would not take a statement in a trigger, in words that tell.
    private static func refusal(_ changes: some ChangingStatement) -> [QueryFragment] {
        guard let alias = changes._table.alias else { return [] }
        let message = "the alias \"\(alias)\" cannot stand in a statement of a trigger"
        return [QueryFragment(failure: message)]
    }
}
