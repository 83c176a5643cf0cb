public import StrongroomCore
public import StrongroomSchema

extension PrimaryKeyedTable {
    /// The key as bytes that stay the same forever; ``KeyBytes`` says which.
    ///
    ///     let bytes = Item.primaryKeyBytes(1)  // [1, 128, 0, 0, 0, 0, 0, 0, 1]
    ///
    /// They depend on the key alone, as the property's type or representation stores it. A key that
    /// cannot be bound has the bytes of NULL.
    public static func primaryKeyBytes(_ key: PrimaryKey.Unwrapped.QueryOutput) -> [UInt8] {
        KeyBytes.encode(
            PrimaryKey.Unwrapped(queryOutput: key).encodedValues.map(\.binding.databaseValue))
    }

    /// The key of the row as bytes: see ``primaryKeyBytes(_:)``.
    public var primaryKeyBytes: [UInt8] {
        let values = zip(Self._layout.columns, encodedValues).filter {
            $0.0.options.contains(.primaryKey)
        }
        return KeyBytes.encode(values.map(\.1.binding.databaseValue))
    }
}

extension Database {
    /// The table of a type, as the database has it; nil where it is missing.
    ///
    ///     let items = try db.storedTable(of: Item.self)
    ///     items?.name  // "items"
    ///
    /// - Throws: `DatabaseError` when the schema cannot be read; `SQLITE_MISUSE` for a view or a
    ///   virtual table.
    public func storedTable(of type: any Table.Type) throws -> StoredTable? {
        try storedTable(type.schema)
    }
}

extension ChangingStatement {
    /// Runs the statement, and gives what takes it back.
    ///
    ///     let undo = try Item.where(\.isDone).delete().recordingUndo(db)
    ///     try undo.execute(db)
    ///     try Item.fetchCount(db)  // 4
    ///
    /// Recorded are also the rows of other tables that foreign keys change with it.
    ///
    /// - Throws: As ``execute(_:)``; `SQLITE_MISUSE` for a view or a virtual table.
    public func recordingUndo(_ db: Database) throws -> UndoStatement {
        guard let table = try db.storedTable(_table.name, in: _table.schema) else {
            throw DatabaseError(message: "no such table: \(_table.name)")
        }
        return try db.recordingUndo(of: [table]) { try execute(db) }
    }
}

extension Database {
    /// Runs a closure, and gives what takes back its changes of some tables.
    ///
    ///     let undo = try db.recordingUndo(of: [Item.self]) {
    ///         try Item.find(1).update { $0.title = "Tea" }.execute(db)
    ///         try Item.find(2).delete().execute(db)
    ///     }
    ///     try undo.execute(db)
    ///     let titles = try Item.order(by: \.title).select(\.title).fetchAll(db)
    ///     titles  // ["Bread", "Call Ada", "Milk", "Seeds"]
    ///
    /// Recorded are also the tables whose rows foreign keys change along with these, and changes
    /// that no typed statement makes. What triggers write into other tables is not: they fire again.
    ///
    /// - Throws: What the closure throws, and `DatabaseError`: what was written is then undone.
    public func recordingUndo(
        of types: [any Table.Type], _ body: () throws -> Void
    ) throws -> UndoStatement {
        try recordingUndo(of: types.map { $0.schema }, body)
    }
}
