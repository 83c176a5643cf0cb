public import StrongroomCore

// A table that is a record is read and written by its columns, as typed statements do it. What the type
// itself implements wins, wherever it does: these are defaults of protocols.

extension TableRecord where Self: Table {
    /// The name of the table.
    public static var databaseTableName: String { tableName }
    /// The columns, in declared order.
    public static var databaseSelection: [any SQLSelectable] {
        _layout.columns.map { Column($0.name) }
    }
}

extension FetchableRecord where Self: Table {
    /// Reads the columns by their names.
    ///
    /// - Throws: When a column does not fit its property.
    public init(row: StrongroomCore.Row) throws { try self.init(_columnsOf: row) }
}

extension FetchableRecord where Self: Table & Decodable {
    /// Reads the columns by their names; a type with a coding of its own decodes itself.
    ///
    /// - Throws: When a column does not fit its property.
    public init(row: StrongroomCore.Row) throws {
        if Self._keepsRecordCoding {
            self = try FetchableRecordDecoder().decode(Self.self, from: row)
        } else {
            try self.init(_columnsOf: row)
        }
    }
}

extension EncodableRecord where Self: Table {
    /// Gives each written column its value.
    ///
    /// - Throws: `QueryBuildingError` when a value cannot be stored, or SQL puts a function
    ///   around it.
    public func encode(to container: inout PersistenceContainer) throws {
        try _encodeColumns(to: &container)
    }
}

extension EncodableRecord where Self: Table & Encodable {
    /// Gives each written column its value; a type with a coding of its own encodes itself.
    ///
    /// - Throws: `QueryBuildingError` when a value cannot be stored, or SQL puts a function
    ///   around it.
    public func encode(to container: inout PersistenceContainer) throws {
        if Self._keepsRecordCoding {
            try encodeCodingKeys(to: &container)
        } else {
            try _encodeColumns(to: &container)
        }
    }
}

extension Table {
    init(_columnsOf row: StrongroomCore.Row) throws {
        var decoder = RowDecoder(row, Self._layout)
        self = try Self(decoder: &decoder)
    }

    func _encodeColumns(to container: inout PersistenceContainer) throws {
        for (column, value) in zip(Self._layout.columns, encodedValues) where column.isWritable {
            if case .invalid(let error) = value.binding { throw error }
            guard value.function == nil else {
                throw QueryBuildingError(
                    "a record cannot write column \"\(column.name)\" of \(Self.self), which SQL "
                        + "puts a function around; use a typed statement")
            }
            container[column.name] = value.binding.databaseValue
        }
    }
}
