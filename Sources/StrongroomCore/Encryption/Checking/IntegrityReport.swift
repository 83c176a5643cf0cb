/// The result of checking a database file.
public struct IntegrityReport: Sendable {
    /// One problem.
    public struct Problem: Sendable, Equatable {
        /// Which check found it.
        public enum Kind: String, Sendable {
            /// A page was not written with the key, or was changed since.
            case cipher
            /// The file is shorter than its database.
            case size
            /// Tables, indexes and free pages are inconsistent.
            case structure
            /// A row violates a `CHECK` or `NOT NULL` of its table; the file itself is intact.
            case constraint
            /// A row refers to a row that does not exist.
            case foreignKey
            /// A frame of the log is damaged, and SQLite ignores the commits after it.
            case log
        }

        /// Which check found it.
        public var kind: Kind
        /// The page with the problem, counted from 1, if it concerns one page.
        public var page: Int?
        /// What is wrong, without any value of the database.
        public var message: String
    }

    /// One of the checks.
    public enum Check: String, Sendable, CaseIterable {
        /// Every page is authentic with the key (encrypted files only, without the log).
        case cipherIntegrity
        /// The file has as many pages as its header says.
        case fileSize
        /// SQLite's `integrity_check`.
        case structure
        /// SQLite's `quick_check`: everything except comparing indexes with their tables.
        case quickStructure
        /// Every foreign key leads to a row.
        case foreignKeys
        /// No damaged frame of the log hides commits; listed only if one does.
        case log
    }

    /// What was found; empty if the database is sound.
    public internal(set) var problems: [Problem] = []
    /// The checks that ran; damage can prevent some of them.
    public internal(set) var checks: [Check] = []
    /// What was not checked, and why: virtual tables, and pages without an HMAC. This is no sign of
    /// damage. Modules run on a file only on request; the tables in which they store their content
    /// are checked like all others. SQLCipher 4.5.6 cannot check full-text indexes without writing
    /// to the file, and only an app knows its own tokenizer.
    public internal(set) var unexamined: [String] = []
    /// How many pages the database has.
    public internal(set) var pageCount = 0
    /// The page size in bytes.
    public internal(set) var pageSize = 0

    /// Whether no problem was found.
    public var isSound: Bool { problems.isEmpty }

    /// Whether the file itself or its log is damaged, rather than rows violating constraints.
    public var isDamaged: Bool {
        problems.contains { $0.kind != .constraint && $0.kind != .foreignKey }
    }

    mutating func add(_ kind: Problem.Kind, page: Int? = nil, _ message: String) {
        problems.append(Problem(kind: kind, page: page, message: message))
    }
}
