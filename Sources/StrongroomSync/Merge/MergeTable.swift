/// What merge and projection have to know of a table.
///
/// The merge itself asks for nothing but the numbers of fields: how a field merges is said by the change.
package struct MergeTable: Sendable {
    package let name: String
    /// The columns of the primary key, in its order.
    package let key: [MergeColumn]
    /// The fields by their numbers. Those that only others know come last.
    package private(set) var fields: [MergeField]
    /// Where each column's value stands: those of the key first, then those of the known fields.
    package let columns: [Place]
    package let references: [Reference]
    package let uniques: [UniqueSet]
    /// The reference, of this table to itself, that must not make loops.
    package let acyclic: Acyclic?
    /// Whether a row that was deleted and edited at the same time comes back.
    package let editWins: Bool
    /// Whether this device has the table.
    package let isKnown: Bool
    private var numbers: [String: Int]

    /// A column of the key, or of a field.
    package enum Place: Sendable, Hashable {
        case key(Int)
        case field(Int, column: Int)
    }

    /// A table that this device has.
    package init(
        _ name: String, key: [MergeColumn], fields: [MergeField], references: [Reference] = [],
        uniques: [UniqueSet] = [], acyclic: Acyclic? = nil, editWins: Bool = false
    ) {
        self.init(name, key, fields, references, uniques, acyclic, editWins, isKnown: true)
    }

    /// A table that only others have: its rows are merged and kept.
    package init(unknown name: String) {
        self.init(name, [], [], [], [], nil, false, isKnown: false)
    }

    private init(
        _ name: String, _ key: [MergeColumn], _ fields: [MergeField], _ references: [Reference],
        _ uniques: [UniqueSet], _ acyclic: Acyclic?, _ editWins: Bool, isKnown: Bool
    ) {
        self.name = name
        self.key = key
        self.fields = fields
        self.references = references
        self.uniques = uniques
        self.acyclic = acyclic
        self.editWins = editWins
        self.isKnown = isKnown
        columns =
            key.indices.map(Place.key)
            + fields.indices.flatMap { number in
                fields[number].columns.indices.map { Place.field(number, column: $0) }
            }
        numbers = [:]
        for (number, field) in fields.enumerated() { numbers[field.name] = number }
    }

    /// The number of a field by its name on the wire; one that is not known is noted, as one that others have.
    package mutating func field(noting name: String) -> Int {
        if let number = numbers[name], fields[number].name.hasSameBytes(as: name) { return number }
        if let number = fields.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
            return number
        }
        fields.append(MergeField(unknown: name))
        numbers[name] = fields.count - 1
        return fields.count - 1
    }

    /// The number of a column among ``columns``.
    package func column(named name: String) -> Int? {
        columns.firstIndex { column(at: $0).name.hasSameBytes(as: name) }
    }

    package func column(at place: Place) -> MergeColumn {
        switch place {
        case .key(let index): key[index]
        case .field(let field, let column): fields[field].columns[column]
        }
    }
}

/// What merges as one: a column, or a group of columns that win or lose together.
package struct MergeField: Sendable {
    /// How edits of the field become one.
    package enum Kind: Sendable, Hashable {
        /// The later edit holds.
        case latest
        /// Differences add up.
        case counter
        case maximum, minimum
    }

    /// The name on the wire: the column's, or the group's.
    package let name: String
    package let kind: Kind
    /// More than one only where the kind is ``Kind/latest``; in the order of the bytes of their names.
    package let columns: [MergeColumn]
    /// Whether the content is a group even with one column.
    package let isGroup: Bool

    package init(_ column: MergeColumn, _ kind: Kind = .latest) {
        name = column.name
        self.kind = kind
        columns = [column]
        isGroup = false
    }

    /// - Parameter name: The name on the wire, which no column has and which stays when columns are added.
    package init(group name: String, _ columns: [MergeColumn]) {
        self.name = name
        kind = .latest
        self.columns = columns.sorted { $0.name.precedesByBytes($1.name) }
        isGroup = true
    }

    /// A field that only others have.
    package init(unknown name: String) {
        self.name = name
        kind = .latest
        columns = []
        isGroup = false
    }
}

/// A column as the projection sees it.
package struct MergeColumn: Sendable, Hashable {
    package let name: String
    package let isNullable: Bool
    /// What a row shows that was inserted where the column did not exist; nil if there is nothing.
    package let absent: CellValue?
    /// Whether an expression over the row gives the value instead.
    package let isComputedIfAbsent: Bool
    /// Bounds for what is shown of a counter.
    package let clamp: ClosedRange<Int64>?

    package init(
        _ name: String, isNullable: Bool = true, absent: CellValue? = nil,
        isComputedIfAbsent: Bool = false, clamp: ClosedRange<Int64>? = nil
    ) {
        self.name = name
        self.isNullable = isNullable
        self.absent = absent ?? (isNullable && !isComputedIfAbsent ? .null : nil)
        self.isComputedIfAbsent = isComputedIfAbsent
        self.clamp = clamp
    }
}

/// A foreign key that refers to the primary key of a table.
package struct Reference: Sendable {
    /// What the schema says for the deletion of the parent.
    package enum Action: Sendable, Hashable {
        case cascade, setNull, restrict
        case setDefault([CellValue])
    }

    /// The child's columns, as numbers in ``MergeTable/columns``, in the order of the parent's key.
    package let columns: [Int]
    /// The number of the parent's table.
    package let parent: Int
    package let action: Action
    /// Whether a row without its parent is held instead of shown with something else.
    ///
    /// Of `cascade` and `restrict` (also NO ACTION) always. Of the others, where what would be shown cannot be:
    /// NULL in a NOT NULL column; a column that a CHECK, a partial index or an index on an expression names; with
    /// SET DEFAULT a column of any unique index.
    package let isNeeded: Bool

    package init(_ columns: [Int], parent: Int, _ action: Action, isNeeded: Bool = false) {
        self.columns = columns
        self.parent = parent
        self.action = action
        self.isNeeded = isNeeded || action == .cascade || action == .restrict
    }
}

/// A unique index: no two visible rows have equal values in it, unless one is NULL.
package struct UniqueSet: Sendable {
    /// Numbers in ``MergeTable/columns``. SQLite decides what is equal, and which rows a partial index has.
    package let columns: [Int]
    /// How many of the columns are in the index itself, so that NULL in one of them is equal to nothing. The others are
    /// those that its expressions and its condition name.
    package let plainCount: Int

    package init(_ columns: [Int], others: [Int] = []) {
        plainCount = columns.count
        self.columns = columns + others.filter { !columns.contains($0) }
    }
}

/// The reference that must not make loops.
package struct Acyclic: Sendable {
    /// The number among the references of the table, of which it is the parent.
    package let reference: Int
    /// Whether a row whose edge is cut is held, because NULL cannot stand there.
    package let cutHolds: Bool

    package init(reference: Int, cutHolds: Bool = false) {
        self.reference = reference
        self.cutHolds = cutHolds
    }
}

/// The tables of a space, those included that only others know.
package struct MergeSchema: Sendable {
    package private(set) var tables: [MergeTable]

    /// - Parameter tables: In the order of their numbers, by which references name them.
    package init(_ tables: [MergeTable]) {
        self.tables = tables
    }

    /// The number of a table by its name on the wire.
    package mutating func table(noting name: String) -> Int {
        if let number = tables.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
            return number
        }
        tables.append(MergeTable(unknown: name))
        return tables.count - 1
    }

    package mutating func field(noting name: String, in table: Int) -> Int {
        tables[table].field(noting: name)
    }

    package subscript(table: Int) -> MergeTable { tables[table] }
}
