internal import StrongroomEssentials

// Rows by their keys.

extension FilteredRequest where Self: TableRequest {
    /// Keeps the row of a primary key, which must be of one column; none if the key is nil.
    ///
    ///     // SELECT * FROM "player" WHERE "id" = 1
    ///     Player.all().filter(key: 1)
    ///
    /// Fetching throws `SQLITE_MISUSE` where the primary key has several columns.
    public func filter(key: some DatabaseValueConvertible) -> Self {
        filter(keys: CollectionOfOne(key))
    }

    /// Keeps the rows of primary keys, which must be of one column.
    public func filter(keys: some Sequence<some DatabaseValueConvertible>) -> Self {
        let values = keys.map(\.sendableKey)
        let record = (self as? any TypedRequest)?.keyEncoding
        return filterWhenConnected { [tableName = databaseTableName] db in
            try KeyCondition(tableName: tableName).of(values, record: record, db)
        }
    }

    /// Keeps the row whose columns have these values, among which is a unique key; none if nil.
    ///
    ///     // SELECT * FROM "player" WHERE "email" = 'arthur@example.com'
    ///     Player.all().filter(key: ["email": "arthur@example.com"])
    ///
    /// Fetching throws `SQLITE_MISUSE` where the columns have no primary key or unique index.
    public func filter(key: [String: (any DatabaseValueConvertible)?]?) -> Self {
        filter(keys: key.map { [$0] } ?? [])
    }

    /// Keeps the rows whose columns have these values, among which is a unique key.
    public func filter(keys: [[String: (any DatabaseValueConvertible)?]]) -> Self {
        let keys = keys.map { key in key.mapValues { $0?.databaseValue ?? .null } }
        return filterWhenConnected { [tableName = databaseTableName] db in
            try KeyCondition(tableName: tableName).of(keys, db)
        }
    }
}

extension FilteredRequest
where
    Self: TableRequest & TypedRequest, RowDecoder: Identifiable,
    RowDecoder.ID: DatabaseValueConvertible
{
    /// Keeps the row of a primary key, which must be of one column; none if the key is nil.
    public func filter(id: RowDecoder.ID) -> Self {
        filter(key: id)
    }

    /// Keeps the rows of primary keys, which must be of one column.
    public func filter(ids: some Collection<RowDecoder.ID>) -> Self {
        filter(keys: ids)
    }
}

/// The condition by which rows have certain keys.
struct KeyCondition {
    let tableName: String

    /// Whether the primary key is one of these values, stored as a record type says.
    func of(
        _ values: [any DatabaseValueConvertible & Sendable], record: (any _KeyEncoding.Type)?,
        _ db: Database
    ) throws -> SQLExpression {
        let columns = try db.primaryKey(tableName).columns
        guard columns.count == 1 else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "The primary key of table \(tableName) has several columns: "
                    + "\(columns.joined(separator: ", ")). Give the key as a dictionary.")
        }
        let values = try values.map {
            try record?._databaseValue(ofKey: $0, in: columns[0]) ?? $0.databaseValue
        }
        // NULL is no key, even where SQLite would let it be one.
        return Membership.of(
            Column(columns[0]), in: values.filter { !$0.isNull }.map(\.sqlExpression))
    }

    /// Whether the columns of a unique key have the values of one of these dictionaries.
    func of(_ keys: [[String: DatabaseValue]], _ db: Database) throws -> SQLExpression {
        guard !keys.isEmpty else { return Constant.bool(false) }
        return try keys.map { try condition(for: $0, db) }.joined(operator: .or)
    }

    private func condition(
        for key: [String: DatabaseValue], _ db: Database
    ) throws -> SQLExpression {
        let columns = key.keys.sorted()
        guard try db.table(tableName, hasUniqueKey: columns) else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "table \(tableName) has no unique key on column(s) "
                    + columns.joined(separator: ", "))
        }
        return columns.map { Column($0) == key[$0] }.joined(operator: .and)
    }
}

extension TypedRequest {
    fileprivate var keyEncoding: (any _KeyEncoding.Type)? {
        RowDecoder.self as? any _KeyEncoding.Type
    }
}

extension DatabaseValueConvertible {
    /// The value as a key that any thread may have, and of which record types can choose the form.
    var sendableKey: any DatabaseValueConvertible & Sendable {
        switch type(of: self) {
        case is Date.Type, is Date?.Type: self as? Date ?? databaseValue
        case is UUID.Type, is UUID?.Type: self as? UUID ?? databaseValue
        case is Data.Type, is Data?.Type: self as? Data ?? databaseValue
        default: databaseValue
        }
    }
}
