// The errors of records that are not there, for methods of one's own that throw the same.

extension TableRecord {
    /// The error for a primary key, which must be of one column, without a row.
    ///
    /// What prevents it from being made is returned instead.
    public static func recordNotFound(
        _ db: Database, key: some DatabaseValueConvertible
    ) -> any Error {
        do {
            let tablePlan = try TablePlan.of(Self.self, db)
            let columns = try tablePlan.primaryKey(db).columns
            let value = try tablePlan.databaseValue(ofKey: key, of: Self.self, db)
            return RecordError.recordNotFound(
                databaseTableName: databaseTableName, key: [columns[0]: value])
        } catch {
            return error
        }
    }

    /// The error for a key of named columns without a row.
    public static func recordNotFound(
        key: [String: (any DatabaseValueConvertible)?]
    ) -> RecordError {
        .recordNotFound(
            databaseTableName: databaseTableName,
            key: key.mapValues { $0?.databaseValue ?? .null })
    }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
    /// The error for an id without a row.
    public static func recordNotFound(_ db: Database, id: ID) -> any Error {
        recordNotFound(db, key: id)
    }
}

extension TableRecord where Self: EncodableRecord {
    /// The error for this record, when it has no row.
    public func recordNotFound(_ db: Database) -> any Error {
        do {
            let tablePlan = try TablePlan.of(type(of: self), db)
            let container = try PersistenceContainer(of: self)
            return try tablePlan.plan(for: container.names, db).notFound(container)
        } catch {
            return error
        }
    }
}
