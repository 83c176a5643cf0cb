internal import StrongroomCore
internal import StrongroomSchema

extension Insert {
    /// Runs inserts. Where the key is left to a database that has no default for it, the error says
    /// which SQL makes one.
    func explainingMissingKey(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw explainingMissingKey(of: error)
        }
    }

    func explainingMissingKey(of error: any Error) -> any Error {
        guard let error = error as? DatabaseError,
            error.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL
        else { return error }
        return explained(error)
    }

    private func explained(_ error: DatabaseError) -> DatabaseError {
        let written = batches.map { Set($0.names.map { $0.lowercased() }) }
        guard let type = Target.self as? any Table.Type, let message = error.message,
            let key = type.schema.columns.first(where: { $0.keyPosition != nil }),
            let sql = key.randomUUIDSQL,
            written.contains(where: { !$0.contains(key.name.lowercased()) }),
            message.lowercased().hasSuffix(".\(key.name.lowercased())")
        else { return error }
        return DatabaseError(
            code: error.extendedResultCode,
            message: "\(message) \u{2014} give the row a key, or its column DEFAULT (\(sql))",
            sql: error.sql)
    }
}
