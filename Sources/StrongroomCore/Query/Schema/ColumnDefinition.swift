/// A column that is being defined, and its constraints.
///
///     try db.create(table: "player") { t in
///         t.column("name", .text).notNull().collate(.nocase)
///     }
///
/// <https://www.sqlite.org/syntax/column-constraint.html>
public final class ColumnDefinition {
    /// Whether a computed column is stored.
    public enum GeneratedColumnQualification: Sendable {
        /// It is computed when it is read.
        case virtual
        /// It is computed when its row is written, and takes space.
        case stored
    }

    let name: String
    let type: Database.ColumnType?
    private(set) var primaryKey: PrimaryKey?
    private var notNull: Rule?
    private(set) var uniqueness: Rule?
    private(set) var isIndexed = false
    private var checks: [Check] = []
    private var defaultValue: DefaultValue?
    private var collation: String?
    private var references: [ForeignKeyReference] = []
    private var generation: (expression: Check, qualification: GeneratedColumnQualification)?

    struct PrimaryKey {
        var rule: Rule
        var isAutoincremented: Bool
    }

    /// A constraint, and what happens to rows that break it.
    struct Rule {
        var conflictResolution: Database.ConflictResolution?

        var sql: String {
            conflictResolution.map { " ON CONFLICT \($0.rawValue)" } ?? ""
        }
    }

    /// A condition or other expression between parentheses.
    enum Check {
        case sql(String)
        case expression(any SQLExpressible)

        func sql(_ db: Database) throws -> String {
            switch self {
            case .sql(let sql): "(\(sql))"
            case .expression(let expression): "(\(try db.embeddingValues(expression)))"
            }
        }
    }

    private enum DefaultValue {
        case sql(String)
        case value(DatabaseValue)
    }

    init(name: String, type: Database.ColumnType?) {
        self.name = name
        self.type = type
    }

    /// Makes the column the primary key.
    ///
    /// - Parameters:
    ///   - conflictResolution: What happens to a row whose key is taken.
    ///   - autoincrement: Whether the numbers of deleted rows are never used again.
    ///     <https://www.sqlite.org/autoinc.html>
    @discardableResult
    public func primaryKey(
        onConflict conflictResolution: Database.ConflictResolution? = nil,
        autoincrement: Bool = false
    ) -> Self {
        primaryKey = PrimaryKey(
            rule: Rule(conflictResolution: conflictResolution), isAutoincremented: autoincrement)
        return self
    }

    /// Refuses NULL.
    ///
    ///     t.column("name", .text).notNull()
    @discardableResult
    public func notNull(
        onConflict conflictResolution: Database.ConflictResolution? = nil
    ) -> Self {
        notNull = Rule(conflictResolution: conflictResolution)
        return self
    }

    /// Refuses values that another row has.
    ///
    ///     t.column("email", .text).unique()
    @discardableResult
    public func unique(
        onConflict conflictResolution: Database.ConflictResolution? = nil
    ) -> Self {
        uniqueness = Rule(conflictResolution: conflictResolution)
        return self
    }

    /// Makes an index on the column, named `<table>_on_<column>`.
    ///
    /// A column that is unique has one already, and gets no other.
    ///
    ///     t.column("email", .text).indexed()
    @discardableResult
    public func indexed() -> Self {
        isIndexed = true
        return self
    }

    /// Refuses rows for which a condition on the column is false.
    ///
    ///     t.column("score", .integer).check { $0 >= 0 }
    @discardableResult
    public func check(_ condition: (Column) -> any SQLExpressible) -> Self {
        checks.append(.expression(condition(Column(name))))
        return self
    }

    /// Refuses rows for which a condition is false.
    @discardableResult
    public func check(sql: String) -> Self {
        checks.append(.sql(sql))
        return self
    }

    /// Gives rows a value when nothing else does.
    ///
    ///     t.column("score", .integer).notNull().defaults(to: 0)
    @discardableResult
    public func defaults(to value: some DatabaseValueConvertible) -> Self {
        defaultValue = .value(value.databaseValue)
        return self
    }

    /// Gives rows the value of an expression when nothing else does: `CURRENT_TIMESTAMP`.
    ///
    /// All but literals and such names must be between parentheses.
    @discardableResult
    public func defaults(sql: String) -> Self {
        defaultValue = .sql(sql)
        return self
    }

    /// Compares and sorts the column's texts by a collation.
    ///
    ///     t.column("email", .text).collate(.nocase)
    @discardableResult
    public func collate(_ collation: Database.CollationName) -> Self {
        self.collation = collation.rawValue
        return self
    }

    /// Compares and sorts the column's texts by a collation.
    @discardableResult
    public func collate(_ collation: DatabaseCollation) -> Self {
        self.collation = collation.name
        return self
    }

    /// Computes the column from others.
    @discardableResult
    public func generatedAs(
        sql: String, _ qualification: GeneratedColumnQualification = .virtual
    ) -> Self {
        generation = (.sql(sql), qualification)
        return self
    }

    /// Computes the column from others.
    ///
    ///     t.column("total", .integer).generatedAs(Column("score") + Column("bonus"))
    @discardableResult
    public func generatedAs(
        _ expression: some SQLExpressible, _ qualification: GeneratedColumnQualification = .virtual
    ) -> Self {
        generation = (.expression(expression), qualification)
        return self
    }

    /// Refers to a row of another table, or of the same. Called twice, it makes two references.
    ///
    ///     t.column("teamId", .integer).references("team", onDelete: .cascade)
    ///
    /// - Parameters:
    ///   - table: The table that the column refers to.
    ///   - column: If nil, the primary key of the table, which must exist.
    ///   - onDelete: What happens to the row when the row that it refers to is deleted.
    ///   - onUpdate: What happens to the row when the key that it refers to changes.
    ///   - isDeferred: Whether the reference is checked when the transaction commits, not before.
    @discardableResult
    public func references(
        _ table: String, column: String? = nil, onDelete: Database.ForeignKeyAction? = nil,
        onUpdate: Database.ForeignKeyAction? = nil, deferred isDeferred: Bool = false
    ) -> Self {
        refer(
            ForeignKeyReference(
                table: table, columns: column.map { [$0] }, onDelete: onDelete, onUpdate: onUpdate,
                isDeferred: isDeferred))
        return self
    }

    func refer(_ reference: ForeignKeyReference) {
        references.append(reference)
    }
}

// MARK: - SQL

extension ColumnDefinition {
    /// The definition as SQL.
    func sql(in table: DefinedTable) throws -> String {
        let db = table.db
        var words = [name.quotedDatabaseIdentifier]
        if let type { words.append(type.rawValue) }
        if let primaryKey {
            let increment = primaryKey.isAutoincremented ? " AUTOINCREMENT" : ""
            words.append("PRIMARY KEY" + primaryKey.rule.sql + increment)
        }
        if let notNull { words.append("NOT NULL" + notNull.sql) }
        if let uniqueness { words.append("UNIQUE" + uniqueness.sql) }
        words += try checks.map { "CHECK " + (try $0.sql(db)) }
        if let defaultValue { words.append("DEFAULT " + (try Self.sql(defaultValue, db))) }
        if let collation { words.append("COLLATE " + collation.plainOrQuotedName) }
        words += try references.map { try $0.sql(in: table) }
        if let (expression, qualification) = generation {
            let storage = qualification == .stored ? "STORED" : "VIRTUAL"
            words.append("GENERATED ALWAYS AS \(try expression.sql(db)) \(storage)")
        }
        return words.joined(separator: " ")
    }

    private static func sql(_ value: DefaultValue, _ db: Database) throws -> String {
        switch value {
        case .sql(let sql): return sql
        case .value(let value):
            let literal = try db.literal(value)
            // What is no literal is an expression, and has parentheses.
            return literal.hasPrefix("CAST") ? "(\(literal))" : literal
        }
    }

    /// Whether the column alone tells rows apart.
    var isUnique: Bool { uniqueness != nil || primaryKey != nil }

    /// Refuses NULL, as the columns of primary keys do.
    func becomePartOfPrimaryKey() {
        if notNull == nil { notNull = Rule() }
    }
}
