// Records of a table: all of them, and those of keys.

extension FetchableRecord where Self: TableRecord {
    /// Fetches the records of all rows lazily.
    ///
    ///     let players = try Player.fetchCursor(db)
    ///     while let player = try players.next() { print(player.name) }
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchCursor(_ db: Database) throws -> RecordCursor<Self> {
        try all().fetchCursor(db)
    }

    /// Fetches the records of all rows.
    ///
    ///     let players = try Player.fetchAll(db)
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchAll(_ db: Database) throws -> [Self] {
        try all().fetchAll(db)
    }

    /// Fetches the record of the first row; nil when there is none.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchOne(_ db: Database) throws -> Self? {
        try all().fetchOne(db)
    }
}

extension FetchableRecord where Self: TableRecord & Hashable {
    /// Fetches the records of all rows, each distinct one once.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchSet(_ db: Database) throws -> Set<Self> {
        try all().fetchSet(db)
    }
}

// MARK: - One key

extension FetchableRecord where Self: TableRecord {
    /// Fetches the record of a primary key, which must be of one column; nil if there is none.
    ///
    ///     // SELECT * FROM "player" WHERE "id" = 1
    ///     let player = try Player.fetchOne(db, key: 1)
    ///
    /// - Throws: `DatabaseError`, `SQLITE_MISUSE` for a primary key of several columns;
    ///   `RowDecodingError`.
    public static func fetchOne(
        _ db: Database, key: some DatabaseValueConvertible
    ) throws -> Self? {
        let tablePlan = try TablePlan.of(Self.self, db)
        let key = try tablePlan.databaseValue(ofKey: key, of: Self.self, db)
        if key.isNull { return nil }
        let selection = try tablePlan.keySelection {
            let (sql, arguments, _) = try filter(key: key).makeSQL(db)
            return (sql, arguments)
        }
        var arguments = selection.arguments
        arguments.values.append(key)
        try db.announce(key: key, of: databaseTableName, in: selection.sql)
        return try fetchOne(db, sql: selection.sql, arguments: arguments)
    }

    /// Fetches the record of a primary key, which must be of one column.
    ///
    ///     let player = try Player.find(db, key: 1)
    ///
    /// - Throws: `RecordError.recordNotFound` if there is none; else as `fetchOne(_:key:)`.
    public static func find(_ db: Database, key: some DatabaseValueConvertible) throws -> Self {
        guard let record = try fetchOne(db, key: key) else { throw recordNotFound(db, key: key) }
        return record
    }

    /// Fetches the record whose columns have these values, among which is a unique key.
    ///
    ///     let player = try Player.fetchOne(db, key: ["email": "arthur@example.com"])
    ///
    /// - Throws: `SQLITE_MISUSE` when the columns have no primary key or unique index.
    public static func fetchOne(
        _ db: Database, key: [String: (any DatabaseValueConvertible)?]?
    ) throws -> Self? {
        try filter(key: key).fetchOne(db)
    }

    /// Fetches the record whose columns have these values, among which is a unique key.
    ///
    /// - Throws: `RecordError.recordNotFound` if there is none; `SQLITE_MISUSE` when the columns
    ///   have no primary key or unique index.
    public static func find(
        _ db: Database, key: [String: (any DatabaseValueConvertible)?]
    ) throws -> Self {
        guard let record = try fetchOne(db, key: key) else { throw recordNotFound(key: key) }
        return record
    }
}

extension FetchableRecord where Self: TableRecord & Identifiable, ID: DatabaseValueConvertible {
    /// Fetches the record of an id; nil if there is none.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchOne(_ db: Database, id: ID) throws -> Self? {
        try fetchOne(db, key: id)
    }

    /// Fetches the record of an id.
    ///
    /// - Throws: `RecordError.recordNotFound` if there is none.
    public static func find(_ db: Database, id: ID) throws -> Self {
        try find(db, key: id)
    }
}

// MARK: - Several keys

extension FetchableRecord where Self: TableRecord {
    /// Fetches the records of primary keys lazily, in no particular order.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchCursor(
        _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
    ) throws -> RecordCursor<Self> {
        try filter(keys: keys).fetchCursor(db)
    }

    /// Fetches the records of primary keys, in no particular order.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchAll(
        _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
    ) throws -> [Self] {
        try filter(keys: keys).fetchAll(db)
    }

    /// Fetches the records of unique keys lazily, in no particular order.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchCursor(
        _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
    ) throws -> RecordCursor<Self> {
        try filter(keys: keys).fetchCursor(db)
    }

    /// Fetches the records of unique keys, in no particular order.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchAll(
        _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
    ) throws -> [Self] {
        try filter(keys: keys).fetchAll(db)
    }
}

extension FetchableRecord where Self: TableRecord & Hashable {
    /// Fetches the records of primary keys.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchSet(
        _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
    ) throws -> Set<Self> {
        try filter(keys: keys).fetchSet(db)
    }

    /// Fetches the records of unique keys.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchSet(
        _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
    ) throws -> Set<Self> {
        try filter(keys: keys).fetchSet(db)
    }
}

extension FetchableRecord where Self: TableRecord & Identifiable, ID: DatabaseValueConvertible {
    /// Fetches the records of ids lazily, in no particular order.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchCursor(
        _ db: Database, ids: some Collection<ID>
    ) throws -> RecordCursor<Self> {
        try fetchCursor(db, keys: ids)
    }

    /// Fetches the records of ids, in no particular order.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchAll(_ db: Database, ids: some Collection<ID>) throws -> [Self] {
        try fetchAll(db, keys: ids)
    }
}

extension FetchableRecord
where Self: TableRecord & Hashable & Identifiable, ID: DatabaseValueConvertible {
    /// Fetches the records of ids.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a record throws.
    public static func fetchSet(_ db: Database, ids: some Collection<ID>) throws -> Set<Self> {
        try fetchSet(db, keys: ids)
    }
}
