/// What the last projection made of a row.
package struct RowStatus: Sendable, Hashable {
    /// How far a row came on its way to the app's table: each step is one that the rows before it did not pass.
    package enum Level: UInt8, Sendable, Comparable {
        /// Dead, or unknown.
        case absent
        /// A needed value is missing, or does not fit.
        case incomplete
        /// A parent is missing: dead, unknown, or not here either.
        case orphan
        /// An older row has the same unique value.
        case rival
        /// A parent is there, but held because of a unique value.
        case waiting
        /// Its edge is cut, and NULL cannot stand there.
        case loop
        /// A parent is there, but held because of a loop.
        case stranded
        /// Visible.
        case shown

        package static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    package var level: Level
    /// Whether the acyclic reference of the row is cut, because it closes a loop.
    package var isCut: Bool

    package init(_ level: Level = .absent, isCut: Bool = false) {
        self.level = level
        self.isCut = isCut
    }
}

/// What a projection says of a row.
package struct ProjectedRow: Sendable, Hashable {
    package var status: RowStatus
    /// The values to show, one for each of ``MergeTable/columns``; nil unless the row is visible.
    package var values: [CellValue]?

    package init(_ status: RowStatus, _ values: [CellValue]?) {
        self.status = status
        self.values = values
    }
}

/// A reference of a table.
package struct ReferenceID: Sendable, Hashable {
    package var table: Int
    package var index: Int

    package init(_ table: Int, _ index: Int) {
        self.table = table
        self.index = index
    }
}

/// Where a projection finds rows: in memory, or in SQLite.
///
/// A *merged value* is what a row would show if nothing were missing: the value of its cell, or what stands for an
/// absent one. Rows that are dead have none and are never found by value.
package protocol ProjectionSource {
    var schema: MergeSchema { get }

    /// The merged state as it is now.
    func state(of row: RowID) -> RowState?

    /// What the last projection made of the row, before the merge.
    func status(of row: RowID) -> RowStatus

    /// The living rows whose merged values name a row as their parent.
    func children(of parent: RowID, by reference: ReferenceID) -> [RowID]

    func hasChildren(of parent: RowID, by reference: ReferenceID) -> Bool

    /// The living rows that have these merged values in a unique index, as SQLite compares them.
    func rows(in table: Int, unique index: Int, equalTo values: [CellValue]) -> [RowID]

    /// The living rows of a table.
    func rows(in table: Int) -> [RowID]

    /// The rows that a foreign key names: several where a collation takes their keys for equal. One of them at most is
    /// visible.
    func parents(named values: [CellValue], in table: Int) -> [RowID]

    /// The value of a column that others did not have, by an expression over the row; nil if there is none.
    func absentValue(of column: Int, in table: Int, for values: [CellValue]) -> CellValue?

    /// Whether merged values fit into the table, as CHECK, NOT NULL and STRICT decide.
    func accepts(_ values: [CellValue], in table: Int) -> Bool
}

extension ProjectionSource {
    package func absentValue(
        of column: Int, in table: Int, for values: [CellValue]
    ) -> CellValue? { nil }

    /// A living row with these merged values; nil for one that is dead or lacks a needed value.
    func mergedRow(_ row: RowID, _ state: RowState?) -> MergedRow? {
        MergedRow(row, state, in: schema[row.table]) {
            absentValue(of: $0, in: row.table, for: $1)
        }
    }

    package func hasChildren(of parent: RowID, by reference: ReferenceID) -> Bool {
        !children(of: parent, by: reference).isEmpty
    }

    package func accepts(_ values: [CellValue], in table: Int) -> Bool { true }

    /// The references to a table.
    func references(to table: Int) -> [ReferenceID] {
        schema.tables.indices.flatMap { child in
            schema[child].references.indices.compactMap {
                schema[child].references[$0].parent == table ? ReferenceID(child, $0) : nil
            }
        }
    }
}
