public import StrongroomSchema

/// A table that devices share, and how its changes merge.
///
///     SyncedTable("player", merge: ["score": .counter, "best": .maximum])
///     SyncedTable("team", onConflictingDelete: .editWins, acyclic: "parentID")
///
/// A declaration is a value: nothing is read before `SyncSchema.check(_:_:)` compares it with a
/// database. Names are those of the file; letters A to Z count in either case.
public struct SyncedTable: Sendable, Hashable, Codable {
    /// The name of the table in the main database.
    public var name: String
    /// How concurrent changes of a column become one, by the name of the column.
    ///
    /// A column without a policy keeps the latest change.
    public var merge: [String: MergePolicy]
    /// What holds for rows of equal unique values, by the name of a unique index or of its column.
    ///
    /// An index without a policy has ``UniquePolicy/hold``.
    public var unique: [String: UniquePolicy]
    /// What holds when a row is deleted on one device and edited on another.
    public var onConflictingDelete: ConflictingDeletePolicy
    /// Columns that refer to rows of the same table and must make no loop.
    public var acyclic: [String]
    /// Whether concurrent edits of different columns of a row merge.
    public var row: RowPolicy
    /// Who makes keys that are row numbers.
    public var keys: KeyPolicy
    /// Groups of columns that travel, and win, as one value.
    ///
    /// Columns that one CHECK constraint names are such a group without being named here.
    public var groups: [[String]]
    /// The least and greatest value that is shown of a counter, by the name of the column.
    ///
    /// It allows a counter in a CHECK constraint. The sum itself has no bounds.
    public var clamp: [String: ClosedRange<Int64>]
    /// Expressions for columns that older versions of an app did not have, by the name of the column.
    ///
    /// They are SQL over the row, such as `price * 100`.
    public var absent: [String: String]
    /// The first name that the table had, if it was renamed.
    public var renamedFrom: String?
    /// The first names of renamed columns, by their present names.
    public var renamedColumns: [String: String]
    /// Whether statements are watched that give a row the hidden row number of another row.
    ///
    /// `INSERT OR REPLACE INTO player (rowid, …)` removes the row that had the number. SQLite reports
    /// it to no trigger, unless there is one more for each insertion, which costs as much as a fifth
    /// of the insertion. Tables with further unique indexes, WITHOUT ROWID, or with a key that is the
    /// row number need no such trigger.
    public var watchesRowNumbers = false
    /// Whether only the member's own devices are to have the table.
    public var isPrivate = false
    /// Columns that name the owner of a row. ``SyncSchema/check(_:_:)`` refuses them for now.
    public var owners: [String]

    /// Declares a table by its name.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - merge: Policies of columns.
    ///   - unique: Policies of unique indexes.
    ///   - onConflictingDelete: What holds when a row is deleted here and edited there.
    ///   - acyclic: A column that must make no loop.
    ///   - row: Whether edits of different columns merge.
    ///   - keys: Who makes keys that are row numbers.
    ///   - groups: Columns that travel as one value.
    ///   - clamp: Bounds for what is shown of counters.
    ///   - absent: Expressions for columns that older versions did not have.
    ///   - renamedFrom: The first name of the table.
    ///   - renamedColumns: The first names of columns, by their present names.
    public init(
        _ name: String, merge: [String: MergePolicy] = [:], unique: [String: UniquePolicy] = [:],
        onConflictingDelete: ConflictingDeletePolicy = .deleteWins, acyclic: String? = nil,
        row: RowPolicy = .cells, keys: KeyPolicy = .random, groups: [[String]] = [],
        clamp: [String: ClosedRange<Int64>] = [:], absent: [String: String] = [:],
        renamedFrom: String? = nil, renamedColumns: [String: String] = [:]
    ) {
        self.name = name
        self.merge = merge
        self.unique = unique
        self.onConflictingDelete = onConflictingDelete
        self.acyclic = acyclic.map { [$0] } ?? []
        self.row = row
        self.keys = keys
        self.groups = groups
        self.clamp = clamp
        self.absent = absent
        self.renamedFrom = renamedFrom
        self.renamedColumns = renamedColumns
        owners = []
    }

    var asPrivate: SyncedTable {
        var table = self
        table.isPrivate = true
        return table
    }

    /// Declares the table of a Swift type, with the policies of its declaration.
    ///
    ///     SyncedTable(Item.schema)
    ///
    /// What a Swift declaration cannot say is set afterwards, such as ``acyclic``.
    ///
    /// - Parameter schema: The schema of the type. The type must not be one of a view.
    public init(_ schema: TableSchema) {
        self.init(
            schema.name, onConflictingDelete: schema.policies.onConflictingDelete ?? .deleteWins,
            renamedFrom: schema.policies.renamedFrom)
        for column in schema.columns where !column.isGenerated {
            merge[column.name] = column.policies.merge
            renamedColumns[column.name] = column.policies.renamedFrom
            if column.policies.isOwner { owners.append(column.name) }
        }
    }
}
