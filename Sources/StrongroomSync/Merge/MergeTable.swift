/// What merge and projection have to know of a table.
///
/// The merge itself asks for nothing but the numbers of fields: how a field merges is said by the change. What it has
/// is behind one reference, because it is asked for with each row: each copy of it would count all its lists.
package struct MergeTable: Sendable {
    private var content: Content

    package var name: String { content.name }
    /// The columns of the primary key, in its order.
    package var key: [MergeColumn] { content.key }
    /// The fields by their numbers. Those that only others know come last.
    package var fields: [MergeField] { content.fields }
    /// Where each column's value stands: those of the key first, then those of the known fields.
    package var columns: [Place] { content.columns }
    package var references: [Reference] { content.references }
    package var uniques: [UniqueSet] { content.uniques }
    /// The reference, of this table to itself, that must not make loops.
    package var acyclic: Acyclic? { content.acyclic }
    /// Whether a row that was deleted and edited at the same time comes back.
    package var editWins: Bool { content.editWins }
    /// Whether this device has the table.
    package var isKnown: Bool { content.isKnown }
    /// For each field its name as the canonical form has it, and its place in the order of the names.
    var wireFields: [WireField] { content.wireFields }

    /// The place of a field's first column; nil for a field that only others know.
    func firstColumn(of field: Int) -> Int? { content.firstColumns[field] }

    /// A column of the key, or of a field.
    package enum Place: Sendable, Hashable {
        case key(Int)
        case field(Int, column: Int)
    }

    /// A field in the canonical form of a row.
    struct WireField: Sendable {
        /// The name, with the number of its bytes before it.
        let name: [UInt8]
        /// How many fields come before it, by the bytes of their names.
        fileprivate(set) var rank: Int

        fileprivate init(_ field: MergeField, rank: Int) {
            var name: [UInt8] = []
            name.append(counted: field.name.utf8)
            self.name = name
            self.rank = rank
        }
    }

    private final class Content: Sendable {
        let name: String
        let key: [MergeColumn]
        let fields: [MergeField]
        let columns: [Place]
        let references: [Reference]
        let uniques: [UniqueSet]
        let acyclic: Acyclic?
        let editWins: Bool
        let isKnown: Bool
        let numbers: [String: Int]
        let wireFields: [WireField]
        /// For each field the place of its first column; nil for those that only others know.
        let firstColumns: [Int?]

        init(
            _ name: String, _ key: [MergeColumn], _ fields: [MergeField], _ columns: [Place],
            _ references: [Reference], _ uniques: [UniqueSet], _ acyclic: Acyclic?,
            _ editWins: Bool, isKnown: Bool, _ wireFields: [WireField]
        ) {
            self.name = name
            self.key = key
            self.fields = fields
            self.columns = columns
            self.references = references
            self.uniques = uniques
            self.acyclic = acyclic
            self.editWins = editWins
            self.isKnown = isKnown
            numbers = Dictionary(zip(fields.map(\.name), fields.indices)) { $1 }
            self.wireFields = wireFields
            var next = key.count
            firstColumns = fields.map { field in
                defer { next += field.columns.count }
                return field.columns.isEmpty ? nil : next
            }
        }

        /// With one more field, which only others have.
        convenience init(_ other: Content, _ field: MergeField) {
            var wireFields = other.wireFields
            var rank = 0
            for (index, known) in other.fields.enumerated() {
                if known.name.precedesByBytes(field.name) {
                    rank += 1
                } else {
                    wireFields[index].rank += 1
                }
            }
            self.init(
                other.name, other.key, other.fields + [field], other.columns, other.references,
                other.uniques, other.acyclic, other.editWins, isKnown: other.isKnown,
                wireFields + [WireField(field, rank: rank)])
        }
    }

    /// A table that this device has.
    package init(
        _ name: String, key: [MergeColumn], fields: [MergeField], references: [Reference] = [],
        uniques: [UniqueSet] = [], acyclic: Acyclic? = nil, editWins: Bool = false
    ) {
        let places = fields.indices.flatMap { number in
            fields[number].columns.indices.map { Place.field(number, column: $0) }
        }
        content = Content(
            name, key, fields, key.indices.map(Place.key) + places, references, uniques, acyclic,
            editWins, isKnown: true, Self.wireFields(fields))
    }

    private static func wireFields(_ fields: [MergeField]) -> [WireField] {
        var ranks = [Int](repeating: 0, count: fields.count)
        let order = fields.indices.sorted { fields[$0].name.precedesByBytes(fields[$1].name) }
        for (rank, number) in order.enumerated() { ranks[number] = rank }
        return zip(fields, ranks).map { WireField($0, rank: $1) }
    }

    /// A table that only others have: its rows are merged and kept.
    package init(unknown name: String) {
        content = Content(name, [], [], [], [], [], nil, false, isKnown: false, [])
    }

    /// The number of a field by its name on the wire; one that is not known is noted, as one that others have.
    package mutating func field(noting name: String) -> Int {
        if let number = content.numbers[name], fields[number].name.hasSameBytes(as: name) {
            return number
        }
        if let number = fields.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
            return number
        }
        content = Content(content, MergeField(unknown: name))
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
