public import StrongroomCore

/// A column in which two values of a row differ.
public struct ColumnChange<Row: Table>: Sendable, Hashable {
    /// The name in the file.
    public let name: String
    /// The path of the property: `place.shelf`.
    public let property: String
    /// The value before.
    public let old: DatabaseValue
    /// The value now.
    public let new: DatabaseValue
}

/// An update that found its row changed, or gone.
public struct RowChanged: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name of the table.
    public let table: String

    /// The error in words.
    public var description: String { "the row of \"\(table)\" has changed since it was read" }
}

/// The columns in which two values of a row differ, with what is written into each.
private struct Difference {
    let column: ColumnDescription
    let old: EncodedValue
    let new: EncodedValue
}

extension Table {
    fileprivate static func differences(_ row: Self, _ old: Self) -> [Difference] {
        zip(_layout.columns, zip(old.encodedValues, row.encodedValues))
            .map { Difference(column: $0, old: $1.0, new: $1.1) }
            .filter { $0.column.isWritable && $0.old != $0.new }
    }

    /// The columns in which a row differs from what it was.
    ///
    ///     var edited = item
    ///     edited.title = "Oat milk"
    ///     edited.changes(from: item).map(\.name)  // ["title"]
    public func changes(from old: Self) -> [ColumnChange<Self>] {
        Self.differences(self, old).map {
            ColumnChange(
                name: $0.column.name, property: $0.column.property,
                old: $0.old.binding.databaseValue, new: $0.new.binding.databaseValue)
        }
    }
}

extension PrimaryKeyedTable {
    /// Writes the columns in which a row differs from what it was; nothing where it is the same.
    ///
    ///     var edited = item
    ///     edited.stars = 5
    ///     Item.update(edited, from: item)
    ///     // UPDATE "items" SET "stars" = 5 WHERE "items"."id" = 1
    public static func update(
        or resolution: ConflictResolution? = nil, _ row: Self, from old: Self
    ) -> Update<Self> {
        Update(clauses(ofKeyOf: row), assignments(of: changed(row, old)), resolution)
    }

    /// Writes the columns in which a row differs from what it was, if they still hold that.
    ///
    ///     // Two people edit the same item: for the second one, this throws RowChanged.
    ///     var mine = try Item.find(db, key: 1)
    ///     let read = mine
    ///     mine.title = "Oat milk"
    ///     try Item.update(mine, ifUnchangedFrom: read).execute(db)
    public static func update(
        or resolution: ConflictResolution? = nil, _ row: Self, ifUnchangedFrom old: Self
    ) -> CheckedUpdate<Self> {
        let changes = changed(row, old)
        var clauses = clauses(ofKeyOf: row)
        let table = clauses.from.tables[0]
        clauses.conditions += changes.map { change in
            let column = QueryFragment([.column(table, change.column.name)], shape: .bare)
            return .comparison(column, "IS", change.old.fragment)
        }
        return CheckedUpdate(update: Update(clauses, assignments(of: changes), resolution))
    }

    private static func changed(_ row: Self, _ old: Self) -> [Difference] {
        differences(row, old).filter { !$0.column.options.contains(.primaryKey) }
    }

    private static func assignments(of changes: [Difference]) -> Assignments {
        var assignments = Assignments()
        for change in changes { assignments[change.column.name] = change.new.fragment }
        return assignments
    }
}

/// An update of one row that must find it as it was read.
public struct CheckedUpdate<Target: QuerySource>: ChangingStatement {
    public typealias Shape = NoRows
    public typealias Row = Void
    let update: Update<Target>
    public var _table: TableReference { update._table }
    public var query: QueryFragment { update.query }

    /// Writes the row.
    ///
    /// - Throws: ``RowChanged`` when no row was written; then another one may have changed it.
    public func execute(_ db: Database) throws {
        guard !query.isEmpty else { return }
        try update.execute(db)
        guard db.changesCount > 0 else { throw RowChanged(table: Target.tableName) }
    }
}

extension Table {
    /// Finds the row that is equal in some columns, or inserts it, in one statement.
    ///
    /// A row that is found counts as changed, and fires triggers of UPDATE.
    ///
    ///     let milk = try Item.findOrInsert(db) { $0.title } _: { Item.Draft(title: "Milk") }
    ///     milk.id  // 1
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when there is not one row; ``RowChanged``
    ///   when a trigger kept the row out.
    public static func findOrInsert(
        _ db: Database, @ConflictTargetBuilder by target: (SideColumns) -> [String],
        @InsertBuilder<Self> _ row: () -> InsertedRows<Self>
    ) throws -> Self {
        let rows = row().rows.flatMap(\.singleRows)
        guard rows.count == 1 else {
            throw QueryBuildingError("'findOrInsert' takes one row, not \(rows.count)")
        }
        var insert = Insert<Self>(rows: rows)
        let names = target(_sideColumns(_layout.table))
        let list = names.map(\.quotedIdentifier).joined(separator: ", ")
        let same = names.map { name in
            QueryFragment(text: name.quotedIdentifier + " = ")
                + QueryFragment([.column(_layout.table, name)], shape: .bare)
        }
        insert.conflict = .clauses(
            QueryFragment(text: " ON CONFLICT (\(list)) DO UPDATE SET ") + same.commaSeparated)
        let columns = _sideColumns(_layout.table)._resultColumns
        let found = Returning<Self>(changes: insert, columns: columns, table: _layout.table)
        guard let row = try found.fetchOne(db) else { throw RowChanged(table: tableName) }
        return row
    }
}
