extension TablePlan {
    /// The plan for a record type.
    static func of(_ type: any TableRecord.Type, _ db: Database) throws -> TablePlan {
        let generation = try db.schemaGeneration
        return db.schemaCache.plans.plan(
            of: ObjectIdentifier(type), in: type.databaseTableName, generation: generation)
    }

    /// What is stored for a primary key of one column.
    func databaseValue(
        ofKey key: some DatabaseValueConvertible, of type: (some TableRecord).Type, _ db: Database
    ) throws -> DatabaseValue {
        let columns = try primaryKey(db).columns
        let key = key.sendableKey
        // The request that is made of the key says what is wrong with several columns. Of most keys no
        // record type has a form of its own: whether it could have takes long to find out.
        if columns.count == 1, !(key is DatabaseValue), let type = type as? any _KeyEncoding.Type {
            return try type._databaseValue(ofKey: key, in: columns[0])
        }
        return key.databaseValue
    }
}

extension ColumnPlan {
    /// The error for a record without a row.
    func notFound(_ container: PersistenceContainer) -> RecordError {
        let values = keyPositions.map { $0.map { container.values[$0] } ?? .null }
        return .recordNotFound(
            databaseTableName: tableName,
            key: Dictionary(uniqueKeysWithValues: zip(keyNames, values)))
    }
}
