// Triggers of a table or of a view: temporary ones, which one connection has, and permanent ones.

extension Table {
    /// A trigger of one connection that fires after each row.
    ///
    ///     try Item.createTemporaryTrigger(after: .update(touch: \.changedAt)).execute(db)
    ///
    /// Without a name it gets one of the place where it is written.
    public static func createTemporaryTrigger(
        _ name: String? = nil, ifNotExists: Bool = false,
        after operation: TriggerOperation<Self>,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
    ) -> CreateTrigger {
        CreateTrigger(
            name, .after, operation, isTemporary: true, ifNotExists: ifNotExists,
            at: CreateTrigger.Place(file: "\(fileID)", line: line, column: column))
    }

    /// A trigger of one connection that fires before each row.
    public static func createTemporaryTrigger(
        _ name: String? = nil, ifNotExists: Bool = false,
        before operation: TriggerOperation<Self>,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
    ) -> CreateTrigger {
        CreateTrigger(
            name, .before, operation, isTemporary: true, ifNotExists: ifNotExists,
            at: CreateTrigger.Place(file: "\(fileID)", line: line, column: column))
    }

    /// A trigger of one connection that fires in place of a change of a view.
    ///
    /// It makes the view writable. RETURNING gives the values as they were sent.
    public static func createTemporaryTrigger(
        _ name: String? = nil, ifNotExists: Bool = false,
        insteadOf operation: TriggerOperation<Self>,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
    ) -> CreateTrigger {
        CreateTrigger(
            name, .insteadOf, operation, isTemporary: true, ifNotExists: ifNotExists,
            at: CreateTrigger.Place(file: "\(fileID)", line: line, column: column))
    }
}

extension Table {
    /// A trigger of the file that fires after each row.
    ///
    /// All programs that write to the file must have the functions it calls. In a migration, write
    /// its SQL: a typed statement changes when its type does.
    ///
    ///     try Item.createTrigger("log", after: .insert { new in
    ///         Log.insert { $0.text } values: { new.title }
    ///     }).execute(db)
    public static func createTrigger(
        _ name: String? = nil, ifNotExists: Bool = false,
        after operation: TriggerOperation<Self>,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
    ) -> CreateTrigger {
        CreateTrigger(
            name, .after, operation, isTemporary: false, ifNotExists: ifNotExists,
            at: CreateTrigger.Place(file: "\(fileID)", line: line, column: column))
    }

    /// A trigger of the file that fires before each row.
    public static func createTrigger(
        _ name: String? = nil, ifNotExists: Bool = false,
        before operation: TriggerOperation<Self>,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
    ) -> CreateTrigger {
        CreateTrigger(
            name, .before, operation, isTemporary: false, ifNotExists: ifNotExists,
            at: CreateTrigger.Place(file: "\(fileID)", line: line, column: column))
    }

    /// A trigger of the file that fires in place of a change of a view.
    public static func createTrigger(
        _ name: String? = nil, ifNotExists: Bool = false,
        insteadOf operation: TriggerOperation<Self>,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column
    ) -> CreateTrigger {
        CreateTrigger(
            name, .insteadOf, operation, isTemporary: false, ifNotExists: ifNotExists,
            at: CreateTrigger.Place(file: "\(fileID)", line: line, column: column))
    }
}
