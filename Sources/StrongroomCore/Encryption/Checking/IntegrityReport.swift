/// What an examination of a database file has found.
public struct IntegrityReport: Sendable {
    /// One thing that is not as it should be.
    public struct Problem: Sendable, Equatable {
        /// Which examination has found it.
        public enum Kind: String, Sendable {
            /// A page is not what was written with the key.
            case cipher
            /// The file is shorter than the database in it.
            case size
            /// Tables, indexes and free pages do not fit together.
            case structure
            /// A row breaks a `CHECK` or `NOT NULL` of its table; the file is what was written.
            case constraint
            /// A row refers to one that is not there.
            case foreignKey
        }

        /// Which examination has found it.
        public var kind: Kind
        /// The page that it is about, if it is about one, counted from 1.
        public var page: Int?
        /// What is wrong, without any value of the database.
        public var message: String
    }

    /// An examination.
    public enum Check: String, Sendable, CaseIterable {
        /// Every page is authentic under the key (encrypted files only; the log is left out).
        case cipherIntegrity
        /// The file has all the pages that it says it has.
        case fileSize
        /// SQLite's `integrity_check`.
        case structure
        /// SQLite's `quick_check`: all but the comparison of indexes with their tables.
        case quickStructure
        /// Every foreign key leads to a row.
        case foreignKeys
    }

    /// What was found; empty if the database is sound.
    public internal(set) var problems: [Problem] = []
    /// The examinations that were made; a damaged file may stand in the way of some.
    public internal(set) var checks: [Check] = []
    /// Virtual tables that were not examined here, and why: nothing is known against them. Also
    /// that pages have no HMAC, and so cannot be authenticated.
    /// Modules are not run on a file unless that is asked for; the tables in which they
    /// keep their content are examined like all others.
    /// SQLCipher 4.5.6 cannot examine full-text indexes without writing to the file, and an
    /// app's own tokenizer is known to that app alone.
    public internal(set) var unexamined: [String] = []
    /// How many pages the database has.
    public internal(set) var pageCount = 0
    /// How many bytes a page has.
    public internal(set) var pageSize = 0

    /// Whether nothing was found.
    public var isSound: Bool { problems.isEmpty }

    /// Whether the file itself is damaged, not only that rows break the rules of their tables.
    public var isDamaged: Bool {
        problems.contains { $0.kind != .constraint && $0.kind != .foreignKey }
    }

    mutating func add(_ kind: Problem.Kind, page: Int? = nil, _ message: String) {
        problems.append(Problem(kind: kind, page: page, message: message))
    }
}
