/// A row that refers to a row that does not exist.
///
/// <https://www.sqlite.org/pragma.html#pragma_foreign_key_check>
public struct ForeignKeyViolation: Sendable {
    /// The table of the row.
    public var originTable: String

    /// The number of the row; nil in a table `WITHOUT ROWID`.
    public var originRowID: Int64?

    /// The referenced table.
    public var destinationTable: String

    /// Which of the table's foreign keys it is: the `id` of a `ForeignKeyInfo`.
    public var foreignKeyId: Int

    /// Reads a row of `PRAGMA foreign_key_check`; traps on another.
    public init(row: Row) {
        originTable = row[0]
        originRowID = row[1]
        destinationTable = row[2]
        foreignKeyId = row[3]
    }

    /// What is wrong, with the columns and the row as far as they are known.
    ///
    /// - Throws: `DatabaseError` if the schema or the row cannot be read.
    public func failureDescription(_ db: Database) throws -> String {
        let key = try db.foreignKeys(on: originTable).first { $0.id == foreignKeyId }
        guard let key else { return description }
        let origins = key.originColumns.joined(separator: ", ")
        let destinations = key.destinationColumns.joined(separator: ", ")
        let text = """
            FOREIGN KEY constraint violation - from \(originTable)(\(origins)) \
            to \(destinationTable)(\(destinations))
            """
        guard let originRowID else { return text }
        let row = try Row.fetchOne(
            db, sql: "SELECT * FROM \(originTable.quotedDatabaseIdentifier) WHERE rowid = ?",
            arguments: [originRowID])
        return row.map { "\(text), in \($0.description)" } ?? text
    }

    /// The error to throw for it, `SQLITE_CONSTRAINT_FOREIGNKEY`.
    public func databaseError(_ db: Database) -> DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY,
            message: (try? failureDescription(db)) ?? description)
    }
}

extension ForeignKeyViolation: CustomStringConvertible {
    public var description: String {
        let text = "FOREIGN KEY constraint violation - from \(originTable) to \(destinationTable)"
        return originRowID.map { "\(text), in rowid \($0)" } ?? text
    }
}

extension ForeignKeyViolation: RowDecodable {
    public static func _decode(_ row: Row) throws -> ForeignKeyViolation {
        ForeignKeyViolation(row: row)
    }
}

extension Database {
    /// The rows of all tables that refer to a row that does not exist.
    ///
    ///     let violations = try db.foreignKeyViolations()
    ///     while let violation = try violations.next() { print(violation) }
    ///
    /// - Throws: `DatabaseError` if the schema cannot be read; the cursor throws what reading
    ///   throws.
    public func foreignKeyViolations() throws -> DecodingCursor<RowReader<ForeignKeyViolation>> {
        try ForeignKeyViolation.fetchCursor(self, sql: "SELECT * FROM pragma_foreign_key_check")
    }

    /// The rows of a table that refer to a row that does not exist.
    ///
    /// - Parameters:
    ///   - tableName: The name of the table.
    ///   - schema: As for `tableExists(_:in:)`.
    /// - Throws: `DatabaseError` if there is no such table.
    public func foreignKeyViolations(
        in tableName: String, in schema: String? = nil
    ) throws -> DecodingCursor<RowReader<ForeignKeyViolation>> {
        let id = try table(tableName, in: schema).id
        return try ForeignKeyViolation.fetchCursor(
            self, sql: "SELECT * FROM pragma_foreign_key_check(?, ?)",
            arguments: [id.name, id.schemaID.name])
    }

    /// Throws if a row refers to a row that does not exist.
    ///
    ///     try db.checkForeignKeys()
    ///
    /// - Throws: `SQLITE_CONSTRAINT_FOREIGNKEY` with the first such row.
    public func checkForeignKeys() throws {
        try Self.check(foreignKeyViolations(), self)
    }

    /// Throws if a row of a table refers to a row that does not exist.
    ///
    /// - Throws: `SQLITE_CONSTRAINT_FOREIGNKEY` with the first such row.
    public func checkForeignKeys(in tableName: String, in schema: String? = nil) throws {
        try Self.check(foreignKeyViolations(in: tableName, in: schema), self)
    }

    private static func check(
        _ violations: DecodingCursor<RowReader<ForeignKeyViolation>>, _ db: Database
    ) throws {
        if let violation = try violations.next() { throw violation.databaseError(db) }
    }
}
