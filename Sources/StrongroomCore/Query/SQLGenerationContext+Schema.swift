// What generation asks of the connection for which it generates.

extension SQLGenerationContext {
    private static let connection = Key<Database>()

    init(connection: Database) {
        // The other half is for what comes with its placeholders.
        let limit = connection.maximumStatementArgumentCount / 2
        self.init(connection, for: Self.connection, argumentLimit: limit)
    }

    /// The connection for which SQL is generated, which notes that it was asked for.
    var database: Database {
        get throws {
            guard let database = self[Self.connection] else {
                throw DatabaseError(
                    resultCode: .SQLITE_MISUSE,
                    message: "This SQL depends on the schema, and can be made for a database only.")
            }
            database.schemaCache.questionCount += 1
            return database
        }
    }

    /// The names of the columns of the table in view.
    func columnNames() throws -> [String] {
        guard let table else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "All columns but some: of which table? They are selected outside of any.")
        }
        return try database.columns(in: table.name).map(\.name)
    }
}
