/// What `DatabaseFile.diagnose()` found out about a file.
public struct DatabaseDiagnosis: Sendable, Equatable {
    /// What a file is, or what is wrong with it; the most serious problem if there are several.
    public enum Verdict: String, Sendable, CaseIterable {
        /// Every page was written with the key, and none is missing.
        case sound
        /// It looks encrypted, and no key was given.
        case keyNeeded
        /// The key opens no page with any known settings.
        case wrongKey
        /// The key is right, but the database needs different cipher settings.
        case otherSettings
        /// It is a database that is not encrypted.
        case plaintext
        /// It is neither an encrypted nor a plaintext database.
        case notADatabase
        /// It is empty.
        case empty
        /// Its end is missing.
        case truncated
        /// Pages were changed, or bytes were added.
        case damaged
        /// The salt at the beginning of the file is not the salt of its pages.
        case damagedSalt
        /// The log next to it belongs to another database, has another key, or is damaged.
        case foreignLog
        /// Some of its pages have one key, others another.
        case twoKeys
    }

    /// The log next to the file (`-wal`), up to its last commit.
    public struct Log: Sendable, Equatable {
        /// How many frames it has, up to the last one that ends a transaction.
        public var frameCount: Int
        /// How many transactions it has.
        public var transactionCount: Int
        /// Whether a database of this file and these keys wrote it.
        public var isOfThisFile: Bool?
    }

    /// What lies next to the file, as far as the advice depends on it.
    package enum Companion: Sendable {
        /// A journal that does not belong to the file.
        case foreignJournal
        /// A journal of the file of which a part is missing or changed.
        case damagedJournal
        /// A log of the file with commits that SQLite does not read, behind a damaged frame.
        case damagedLog
        /// A journal with which the next connection undoes a transaction.
        case hotJournal
        /// The log has the database as it is after a rotation, under a key that was not given.
        case logUnderUnknownKey
    }

    /// The path of the file.
    public internal(set) var path: String
    /// What the file is, or what is wrong with it.
    public internal(set) var verdict: Verdict
    /// The verdict in a sentence without a full stop.
    public internal(set) var summary = ""
    /// What to do next.
    public internal(set) var advice: String?
    /// Further findings, one sentence each.
    public internal(set) var notes: [String] = []
    /// The size of the file.
    public internal(set) var byteCount: Int64
    /// The page size in bytes, if the key or the header shows it.
    public internal(set) var pageSize: Int?
    /// How many whole pages the file has.
    public internal(set) var pageCount: Int?
    /// How many pages the database should have, if page 1 or the log is readable.
    public internal(set) var expectedPageCount: Int?
    /// Pages that none of the keys wrote, counted from 1.
    public internal(set) var damagedPages: [ClosedRange<Int>] = []
    /// Pages that are missing at the end.
    public internal(set) var missingPages: [ClosedRange<Int>] = []
    /// How many pages each key wrote: the file's key first, then the others in order.
    public internal(set) var pagesOfKeys: [Int] = []
    /// The statements for the settings with which the key opens the file; empty for the default.
    public internal(set) var settings: [String] = []
    /// The same settings in the words of `--cipher-settings`, where they have to be named.
    package internal(set) var settingsWords = ""
    /// What a log or a journal holds that is not in the database as it was judged, a sentence each.
    package internal(set) var leftOut: [String] = []
    /// A transaction that was interrupted was undone in memory before the file was judged.
    package internal(set) var isUndone = false
    /// What lies next to the file, as far as the advice depends on it.
    package internal(set) var companions: Set<Companion> = []
    /// The file has a plaintext header, and no salt was given for it.
    package internal(set) var lacksSalt = false
    /// Whether pages have an HMAC: without one, a changed page goes undetected.
    public internal(set) var isAuthenticated = true
    /// The log next to the file, if it is not empty.
    public internal(set) var log: Log?

    init(path: String, verdict: Verdict, byteCount: Int64) {
        self.path = path
        self.verdict = verdict
        self.byteCount = byteCount
    }

    /// How many pages are damaged.
    public var damagedPageCount: Int { damagedPages.reduce(0) { $0 + $1.count } }
}
