/// What `DatabaseFile.salvage(to:)` recovered, and what is lost.
public struct SalvageReport: Sendable, Equatable {
    /// How the new file was written.
    public enum Method: String, Sendable {
        /// Page by page: nothing is lost.
        case pages
        /// Row by row, from every intact page.
        case rows
    }

    /// The result for one table.
    public struct Table: Sendable, Equatable {
        /// The name of the table.
        public var name: String
        /// How many of its rows are in the new file.
        public var rowCount: Int
        /// Parts of it that could not be read; empty if all rows were recovered.
        public var losses: [Loss] = []
        /// Rows that the table refused, because they violate a constraint or exist twice.
        public var refusedRowCount = 0
    }

    /// A part of a table that could not be read.
    public struct Loss: Sendable, Equatable {
        /// The damaged page, counted from 1.
        public var page: Int
        /// The numbers that the lost rows may have had; nil for a table `WITHOUT ROWID`.
        public var rowIDs: ClosedRange<Int64>?
    }

    /// How the new file was written.
    public internal(set) var method: Method
    /// The tables of the new file; empty if all pages were recovered.
    public internal(set) var tables: [Table] = []
    /// How many rows of an unknown table there are; ``strayTable`` contains them.
    public internal(set) var strayRowCount = 0
    /// The table that contains the rows of unknown tables.
    public internal(set) var strayTable: String?
    /// Full-text tables whose index did not match the recovered rows, and was rebuilt from them.
    public internal(set) var rebuiltIndexes: [String] = []
    /// Schema objects that could not be recreated, skipped logs and journals, and other notes on
    /// losses.
    public internal(set) var notes: [String] = []
    /// Pages of the old file that no key wrote, or that are missing.
    public internal(set) var lostPages: [ClosedRange<Int>] = []
    /// Whether an interrupted transaction was rolled back in the new file, from its journal.
    public internal(set) var undidTransaction = false
    /// How many pages the new file has.
    public internal(set) var pageCount = 0
    /// The page size in bytes.
    public internal(set) var pageSize = 0

    /// The rows of all tables that were recovered row by row.
    public var rowCount: Int { tables.reduce(strayRowCount) { $0 + $1.rowCount } }

    /// Whether the new file has everything that the old one had.
    public var isComplete: Bool {
        notes.isEmpty && strayRowCount == 0
            && tables.allSatisfy { $0.losses.isEmpty && $0.refusedRowCount == 0 }
    }
}
