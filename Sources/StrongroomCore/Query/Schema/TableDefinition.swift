/// A table that is being defined: its columns and constraints.
///
///     try db.create(table: "player") { t in
///         t.autoIncrementedPrimaryKey("id")
///         t.column("name", .text).notNull()
///         t.belongsTo("team", onDelete: .cascade)
///     }
///
/// <https://www.sqlite.org/lang_createtable.html>
public final class TableDefinition {
    private(set) var elements: [Element] = []
    private(set) var constraints: [Constraint] = []
    /// What is defined inside `primaryKey { }`; nil outside of it.
    private var keyElements: [Element]?

    /// What stands where columns do.
    enum Element {
        case column(ColumnDefinition)
        case foreignKey(ForeignKeyDefinition)
        case literal(SQL)
    }

    /// What stands after the columns.
    enum Constraint {
        case primaryKey(KeyMembers, ColumnDefinition.Rule)
        case uniqueKey([String], ColumnDefinition.Rule)
        case foreignKey([String], ForeignKeyReference)
        /// The constraint of a foreign key, if it has several columns.
        case association(ForeignKeyDefinition)
        case check(ColumnDefinition.Check)
        case literal(SQL)
    }

    /// The columns of a primary key.
    enum KeyMembers {
        case names([String])
        case elements([Element])
    }

    init() {}

    private func append(_ element: Element) {
        elements.append(element)
        keyElements?.append(element)
    }

    private func append(_ column: ColumnDefinition) -> ColumnDefinition {
        if keyElements != nil { column.notNull() }
        append(.column(column))
        return column
    }

    /// Adds a column.
    ///
    ///     t.column("name", .text).notNull()
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - type: Without type, values are stored as they are.
    @discardableResult
    public func column(_ name: String, _ type: Database.ColumnType? = nil) -> ColumnDefinition {
        append(ColumnDefinition(name: name, type: type))
    }

    /// Adds a column that is defined in SQL: `name TEXT NOT NULL`.
    public func column(sql: String) {
        append(.literal(SQL(sql: sql)))
    }

    /// Adds a column that is defined in SQL with values: `name TEXT DEFAULT \(defaultName)`.
    public func column(literal: SQL) {
        append(.literal(literal))
    }

    /// Adds columns that refer to the primary key of another table, with an index on them.
    ///
    /// They are named after the association and the key: `team` gives `teamId`, `teamID` or
    /// `teamUuid`.
    ///
    ///     try db.create(table: "player") { t in
    ///         t.autoIncrementedPrimaryKey("id")
    ///         t.belongsTo("team", onDelete: .cascade).notNull()
    ///     }
    ///
    /// - Parameters:
    ///   - name: The name of the association; the columns are named after it.
    ///   - table: If nil, the table is named as the association, in singular or in plural.
    ///   - onDelete: What happens to the row when the row that it refers to is deleted.
    ///   - onUpdate: What happens to the row when the key that it refers to changes.
    ///   - isDeferred: Whether the reference is checked when the transaction commits, not before.
    ///   - indexed: Whether the columns get an index.
    @discardableResult
    public func belongsTo(
        _ name: String, inTable table: String? = nil, onDelete: Database.ForeignKeyAction? = nil,
        onUpdate: Database.ForeignKeyAction? = nil, deferred isDeferred: Bool = false,
        indexed: Bool = true
    ) -> ForeignKeyDefinition {
        let key = ForeignKeyDefinition(
            name: name, table: table, onDelete: onDelete, onUpdate: onUpdate,
            isDeferred: isDeferred, isIndexed: indexed)
        if keyElements != nil { key.notNull() }
        append(.foreignKey(key))
        constraints.append(.association(key))
        return key
    }

    /// Adds a constraint on several columns, in SQL.
    ///
    ///     t.constraint(sql: "CHECK (score >= 0)")
    public func constraint(sql: String) {
        constraints.append(.literal(SQL(sql: sql)))
    }

    /// Adds a constraint on several columns, in SQL with values: `CHECK (a + b < \(limit))`.
    public func constraint(literal: SQL) {
        constraints.append(.literal(literal))
    }

    /// Refuses rows for which a condition is false.
    ///
    ///     try db.create(table: "player") { t in
    ///         t.column("score", .integer)
    ///         t.check(Column("score") >= 0)
    ///     }
    public func check(_ condition: some SQLSpecificExpressible) {
        constraints.append(.check(.expression(condition)))
    }

    /// Refuses all rows, or none: a value is the same for each.
    @available(*, deprecated, message: "Give an expression of columns, or check(sql:).")
    @_disfavoredOverload
    public func check(_ condition: some SQLExpressible) {
        constraints.append(.check(.expression(condition)))
    }

    /// Refuses rows for which a condition is false.
    public func check(sql: String) {
        constraints.append(.check(.sql(sql)))
    }
}

// MARK: - Keys

extension TableDefinition {
    /// Adds a primary key that numbers the rows, and uses no number twice.
    ///
    ///     try db.create(table: "team") { t in
    ///         t.autoIncrementedPrimaryKey("id")
    ///     }
    ///
    /// - Parameters:
    ///   - name: The name of the key.
    ///   - conflictResolution: What happens to a row whose number is taken.
    @discardableResult
    public func autoIncrementedPrimaryKey(
        _ name: String, onConflict conflictResolution: Database.ConflictResolution? = nil
    ) -> ColumnDefinition {
        column(name, .integer).primaryKey(onConflict: conflictResolution, autoincrement: true)
    }

    /// Adds a primary key of one column, which is never NULL.
    @discardableResult
    public func primaryKey(
        _ name: String, _ type: Database.ColumnType,
        onConflict conflictResolution: Database.ConflictResolution? = nil
    ) -> ColumnDefinition {
        let key = column(name, type).primaryKey(onConflict: conflictResolution)
        // The number of a row is given when it is NULL.
        return type.rawValue.asciiLowercased == "integer" ? key : key.notNull()
    }

    /// Makes the columns that a closure adds the primary key. They are never NULL.
    ///
    ///     t.primaryKey {
    ///         t.belongsTo("country")
    ///         t.belongsTo("citizen")
    ///     }
    public func primaryKey(
        onConflict conflictResolution: Database.ConflictResolution? = nil,
        body: () throws -> Void
    ) rethrows {
        let outerElements = keyElements
        keyElements = []
        defer { keyElements = outerElements }
        try body()
        constraints.append(
            .primaryKey(
                .elements(keyElements ?? []), .init(conflictResolution: conflictResolution)))
    }

    /// Makes columns that were added before the primary key.
    public func primaryKey(
        _ columns: [String], onConflict conflictResolution: Database.ConflictResolution? = nil
    ) {
        constraints.append(
            .primaryKey(.names(columns), .init(conflictResolution: conflictResolution)))
    }

    /// Refuses rows that have the same values in columns as another.
    ///
    ///     t.uniqueKey(["teamId", "name"])
    public func uniqueKey(
        _ columns: [String], onConflict conflictResolution: Database.ConflictResolution? = nil
    ) {
        constraints.append(.uniqueKey(columns, .init(conflictResolution: conflictResolution)))
    }

    /// Makes columns that were added before refer to a row of another table.
    ///
    ///     t.foreignKey(["teamId"], references: "team", onDelete: .cascade)
    ///
    /// - Parameters:
    ///   - columns: The columns of this table that refer to the other.
    ///   - table: The table that the columns refer to.
    ///   - destinationColumns: If nil, the primary key of the other table, which must exist.
    ///   - onDelete: What happens to the row when the row that it refers to is deleted.
    ///   - onUpdate: What happens to the row when the key that it refers to changes.
    ///   - isDeferred: Whether the reference is checked when the transaction commits, not before.
    public func foreignKey(
        _ columns: [String], references table: String, columns destinationColumns: [String]? = nil,
        onDelete: Database.ForeignKeyAction? = nil, onUpdate: Database.ForeignKeyAction? = nil,
        deferred isDeferred: Bool = false
    ) {
        let reference = ForeignKeyReference(
            table: table, columns: destinationColumns, onDelete: onDelete, onUpdate: onUpdate,
            isDeferred: isDeferred)
        constraints.append(.foreignKey(columns, reference))
    }
}
