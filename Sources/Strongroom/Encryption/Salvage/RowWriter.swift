/// Writes stored rows into a database, with one statement for each form that they have.
final class RowWriter {
    private let database: Database
    private let encoding: Int
    private var statements: [String: Statement] = [:]

    init(_ database: Database, encoding: Int) {
        self.database = database
        self.encoding = encoding
    }

    /// - Returns: False if the table does not take the row: it breaks a constraint, or is there
    ///   already.
    func insert(_ sql: String, _ values: [StoredValue]) throws -> Bool {
        let statement = try statement(sql)
        do {
            try RowTransfer.insert(
                statement.sqliteStatement, argumentCount: values.count
            ) { index in
                bind(values[Int(index) - 1], to: statement.sqliteStatement, index)
            }
            return true
        } catch let error where error.resultCode == .SQLITE_CONSTRAINT {
            return false
        }
    }

    private func statement(_ sql: String) throws -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try database.makeStatement(sql: sql)
        statements[sql] = statement
        return statement
    }

    private func bind(
        _ value: StoredValue, to statement: OpaquePointer, _ index: CInt
    ) -> CInt {
        switch value {
        case .null: StatementBindings.null(statement, index)
        case .integer(let number): StatementBindings.int64(statement, index, number)
        case .real(let number): StatementBindings.double(statement, index, number)
        case .text(let bytes):
            StatementBindings.storedText(statement, index, bytes, encoding: encoding)
        case .blob(let bytes):
            bytes.withUnsafeBytes { StatementBindings.blob(statement, index, $0) }
        }
    }
}
