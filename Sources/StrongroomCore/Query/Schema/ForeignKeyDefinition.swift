/// A foreign key that is being defined by the table that it refers to.
///
///     try db.create(table: "book") { t in
///         t.belongsTo("author").notNull()
///     }
public final class ForeignKeyDefinition {
    private let name: String
    private let table: String?
    private let onDelete: Database.ForeignKeyAction?
    private let onUpdate: Database.ForeignKeyAction?
    private let isDeferred: Bool
    private(set) var indexing: Indexing
    private var notNull: ColumnDefinition.Rule?

    enum Indexing {
        case none
        case index
        case uniqueIndex
    }

    /// What a foreign key becomes in its table.
    struct Resolved {
        let columns: [ColumnDefinition]
        let reference: ForeignKeyReference
    }

    init(
        name: String, table: String?, onDelete: Database.ForeignKeyAction?,
        onUpdate: Database.ForeignKeyAction?, isDeferred: Bool, isIndexed: Bool
    ) {
        self.name = name
        self.table = table
        self.onDelete = onDelete
        self.onUpdate = onUpdate
        self.isDeferred = isDeferred
        indexing = isIndexed ? .index : .none
    }

    /// Refuses rows that refer to nothing.
    @discardableResult
    public func notNull(
        onConflict conflictResolution: Database.ConflictResolution? = nil
    ) -> Self {
        notNull = ColumnDefinition.Rule(conflictResolution: conflictResolution)
        return self
    }

    /// Refuses rows that refer to what another row refers to.
    ///
    /// One column gets a `UNIQUE` constraint, several get a unique index.
    @discardableResult
    public func unique() -> Self {
        indexing = .uniqueIndex
        return self
    }

    /// Makes columns named after the association and the key that they refer to: `authorId`.
    func resolve(in definedTable: DefinedTable) throws -> Resolved {
        let table = try table ?? definedTable.destination(of: name)
        let key = try definedTable.primaryKey(of: table)
        let reference = ForeignKeyReference(
            table: table, columns: key.map(\.name), onDelete: onDelete, onUpdate: onUpdate,
            isDeferred: isDeferred)
        let columns = key.map { column in
            let definition = ColumnDefinition(
                name: name + column.name.capitalizedFirstLetter, type: column.type)
            if let notNull { definition.notNull(onConflict: notNull.conflictResolution) }
            return definition
        }
        if columns.count == 1 {
            columns[0].refer(reference)
            if indexing == .uniqueIndex { columns[0].unique() }
        }
        return Resolved(columns: columns, reference: reference)
    }
}

/// Where a foreign key points, and what happens when that changes.
///
/// <https://www.sqlite.org/syntax/foreign-key-clause.html>
struct ForeignKeyReference {
    let table: String
    /// The columns that are referred to; those of the primary key if nil.
    let columns: [String]?
    let onDelete: Database.ForeignKeyAction?
    let onUpdate: Database.ForeignKeyAction?
    let isDeferred: Bool

    func sql(in definedTable: DefinedTable) throws -> String {
        let columns = try columns ?? definedTable.primaryKey(of: table).map(\.name)
        var sql = "REFERENCES \(table.quotedDatabaseIdentifier)(\(columns.quotedList))"
        if let onDelete { sql += " ON DELETE \(onDelete.rawValue)" }
        if let onUpdate { sql += " ON UPDATE \(onUpdate.rawValue)" }
        if isDeferred { sql += " DEFERRABLE INITIALLY DEFERRED" }
        return sql
    }
}

extension Sequence<String> {
    /// Names between quotes, with commas between.
    var quotedList: String {
        map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    }
}
