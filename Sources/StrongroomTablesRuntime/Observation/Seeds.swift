public import StrongroomCore

/// Rows and drafts of any tables, as the statements that insert them.
///
///     let seeds = Seeds {
///         Folder(id: 1, title: "home")
///         for title in ["tea", "rice"] { Item.Draft(title: title, folderID: 1) }
///     }
///     try dbQueue.write { db in for statement in seeds { try statement.execute(db) } }
///
/// Consecutive rows of one table make one statement.
public struct Seeds: Sequence, Sendable {
    private let statements: [any ChangingStatement]

    /// Collects the rows.
    ///
    ///     let seeds = Seeds { for year in 2020...2022 { Item.Draft(title: "wine \(year)") } }
    ///     for statement in seeds { try statement.execute(db) }
    ///     try Item.where { $0.title.hasPrefix("wine") }.fetchCount(db)  // 3
    public init(@SeedsBuilder _ rows: () -> [SeededRow]) {
        self.init(rows())
    }

    init(_ rows: [SeededRow]) {
        var groups: [[SeededRow]] = []
        for row in rows {
            if groups.last?[0].table == row.table {
                groups[groups.count - 1].append(row)
            } else {
                groups.append([row])
            }
        }
        statements = groups.map { $0[0].insert($0) }
    }

    public func makeIterator() -> IndexingIterator<[any ChangingStatement]> {
        statements.makeIterator()
    }
}

/// A row of any table, to be inserted.
public struct SeededRow: Sendable {
    let table: ObjectIdentifier
    /// The table in the database.
    let name: TableReference
    let values: [QueryFragment?]
    /// Makes one statement of rows of this table.
    let insert: @Sendable ([SeededRow]) -> any ChangingStatement

    init<Target: Table>(_ row: some Table, into target: Target.Type) {
        table = ObjectIdentifier(target)
        name = Target._layout.table
        values = InsertedRow(eachOf: row).values
        insert = { rows in Insert<Target>(rows: rows.map { InsertedRow(values: $0.values) }) }
    }
}

/// Rows and drafts of any tables, on lines, in arrays and loops.
@resultBuilder
public enum SeedsBuilder {
    /// A row.
    public static func buildExpression<Row: Table>(_ row: Row) -> [SeededRow] {
        [SeededRow(row, into: Row.self)]
    }
    /// A draft.
    public static func buildExpression<Draft: TableDraft>(_ row: Draft) -> [SeededRow] {
        [SeededRow(row, into: Draft.DraftedTable.self)]
    }
    /// Rows.
    public static func buildExpression<Row: Table>(_ rows: [Row]) -> [SeededRow] {
        rows.map { SeededRow($0, into: Row.self) }
    }
    /// Drafts.
    public static func buildExpression<Draft: TableDraft>(_ rows: [Draft]) -> [SeededRow] {
        rows.map { SeededRow($0, into: Draft.DraftedTable.self) }
    }
    public static func buildBlock(_ parts: [SeededRow]...) -> [SeededRow] {
        parts.flatMap { $0 }
    }
    public static func buildOptional(_ part: [SeededRow]?) -> [SeededRow] { part ?? [] }
    public static func buildEither(first part: [SeededRow]) -> [SeededRow] { part }
    public static func buildEither(second part: [SeededRow]) -> [SeededRow] { part }
    public static func buildArray(_ parts: [[SeededRow]]) -> [SeededRow] {
        parts.flatMap { $0 }
    }
    public static func buildLimitedAvailability(_ part: [SeededRow]) -> [SeededRow] { part }
}

extension Database {
    /// Inserts rows and drafts of any tables, in their order, or none of them.
    ///
    ///     try dbQueue.write { db in
    ///         try db.seed {
    ///             Item.Draft(title: "tea", folderID: 1)
    ///             Folder(id: 1, title: "home")
    ///         }
    ///     }
    ///
    /// Foreign keys are checked at the end, so that a row may come before the one that it refers to.
    ///
    /// - Throws: A `DatabaseError`; the database is then as it was.
    public func seed(@SeedsBuilder _ rows: () throws -> [SeededRow]) throws {
        let rows = try rows()
        try inSavepoint {
            let isDeferred = try Bool.fetchOne(self, sql: "PRAGMA defer_foreign_keys") ?? false
            let isChecked = try Bool.fetchOne(self, sql: "PRAGMA foreign_keys") ?? false
            try execute(sql: "PRAGMA defer_foreign_keys = ON")
            for statement in Seeds(rows) { try statement.execute(self) }
            if isChecked {
                let tables = Dictionary(rows.map { ($0.table, $0.name) }) { first, _ in first }
                for table in tables.values {
                    try checkForeignKeys(in: table.name, in: table.schema)
                }
            }
            if !isDeferred { try execute(sql: "PRAGMA defer_foreign_keys = OFF") }
            return .commit
        }
    }
}

extension DefaultDatabase {
    /// Makes a database in memory with a schema and rows the default, for a preview.
    ///
    ///     try DefaultDatabase.preview(migrator) { Folder(id: 1, title: "home") }
    ///
    /// - Throws: A `DatabaseError`.
    @discardableResult
    public static func preview(
        _ migrator: DatabaseMigrator, configuration: Configuration = Configuration(),
        @SeedsBuilder _ rows: () throws -> [SeededRow] = { [] }
    ) throws -> any DatabaseWriter {
        let database = try DatabaseQueue(configuration: configuration)
        try migrator.migrate(database)
        try database.write { try $0.seed(rows) }
        prepareDefaultDatabase { database }
        return database
    }
}
