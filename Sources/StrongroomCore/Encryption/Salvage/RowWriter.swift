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
        let statement = try statement(sql).borrowed
        var code: CInt = 0
        for (index, value) in values.enumerated() where code == 0 {
            code = bind(value, to: statement, CInt(index + 1))
        }
        do throws(DatabaseError) {
            try statement.insert(boundWith: code)
        } catch {
            if error.resultCode == .SQLITE_CONSTRAINT { return false }
            throw error
        }
        return true
    }

    private func statement(_ sql: String) throws -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try database.makeStatement(sql: sql)
        statements[sql] = statement
        return statement
    }

    private func bind(
        _ value: StoredValue, to statement: BorrowedStatement, _ index: CInt
    ) -> CInt {
        switch value {
        case .null: statement.bindNull(index)
        case .integer(let number): statement.bindInt64(index, number)
        case .real(let number): statement.bindDouble(index, number)
        case .text(let bytes):
            statement.bindStoredText(index, bytes, encoding: encoding)
        case .blob(let bytes):
            bytes.withUnsafeBytes { statement.bindBlob(index, $0) }
        }
    }
}
