/// What `DatabaseFile.salvage(to:)` has saved, and what is lost.
public struct SalvageReport: Sendable, Equatable {
    /// How the new file was made.
    public enum Method: String, Sendable {
        /// Page by page: nothing is lost, and everything is as it was.
        case pages
        /// Row by row, from every page that is whole.
        case rows
    }

    /// What became of a table.
    public struct Table: Sendable, Equatable {
        /// The name of the table.
        public var name: String
        /// How many of its rows are in the new file.
        public var rowCount: Int
        /// Parts of it that could not be read; empty if all rows were saved.
        public var losses: [Loss] = []
        /// Rows that the table did not take, because they break a constraint or are there twice.
        public var refusedRowCount = 0
    }

    /// A part of a table that could not be read.
    public struct Loss: Sendable, Equatable {
        /// The page that is damaged, counted from 1.
        public var page: Int
        /// The numbers that the lost rows may have had; nil for a table `WITHOUT ROWID`.
        public var rowIDs: ClosedRange<Int64>?
    }

    /// How the new file was made.
    public internal(set) var method: Method
    /// The tables of the new file; empty where all pages were saved.
    public internal(set) var tables: [Table] = []
    /// Rows whose table is not known any more; they are in a table of their own.
    public internal(set) var strayRowCount = 0
    /// The table with the rows whose table is not known any more.
    public internal(set) var strayTable: String?
    /// Full-text tables whose index was built again from the rows that were saved.
    ///
    /// It did not agree with them.
    public internal(set) var rebuiltIndexes: [String] = []
    /// Definitions that could not be carried out again, and what else there is to know of losses.
    ///
    /// Logs and journals that were left out are among them.
    public internal(set) var notes: [String] = []
    /// Pages of the old file that no key has written, or that are missing.
    public internal(set) var lostPages: [ClosedRange<Int>] = []
    /// Whether a transaction that a crash interrupted was undone in the new file, from its journal.
    public internal(set) var undidTransaction = false
    /// How many pages the new file has.
    public internal(set) var pageCount = 0
    /// How many bytes a page has.
    public internal(set) var pageSize = 0

    /// The rows of all tables that were saved row by row.
    public var rowCount: Int { tables.reduce(strayRowCount) { $0 + $1.rowCount } }

    /// Whether the new file has everything that the old one had.
    public var isComplete: Bool {
        notes.isEmpty && strayRowCount == 0
            && tables.allSatisfy { $0.losses.isEmpty && $0.refusedRowCount == 0 }
    }
}
