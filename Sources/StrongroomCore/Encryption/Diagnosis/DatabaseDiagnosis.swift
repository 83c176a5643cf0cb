/// What `DatabaseFile.diagnose()` has found out about a file.
public struct DatabaseDiagnosis: Sendable, Equatable {
    /// What a file is, or what is wrong with it; the gravest where there are several.
    public enum Verdict: String, Sendable, CaseIterable {
        /// Every page is what was written with the key, and none is missing.
        case sound
        /// It is encrypted, as far as can be told without a key.
        case keyNeeded
        /// No page was written with the key, under no settings that are known.
        case wrongKey
        /// The key is right, and the database needs other cipher settings than were given.
        case otherSettings
        /// It is a database that is not encrypted.
        case plaintext
        /// It is neither an encrypted database nor a plain one.
        case notADatabase
        /// It has no bytes at all.
        case empty
        /// Its end is missing.
        case truncated
        /// Pages are not what was written, or bytes were added.
        case damaged
        /// The salt at the beginning of the file is not the one that its pages were written with.
        case damagedSalt
        /// The log beside it is of another database or has another key, or is damaged.
        case foreignLog
        /// Some of its pages have one key, and some another.
        case twoKeys
    }

    /// The log beside the file, `-wal`, as far as it counts.
    public struct Log: Sendable, Equatable {
        /// How many frames there are, up to the last that ends a transaction.
        public var frameCount: Int
        /// How many transactions are in it.
        public var transactionCount: Int
        /// Whether a database of this file and these keys wrote it.
        public var isOfThisFile: Bool?
    }

    /// The file that it is about.
    public internal(set) var path: String
    /// What it is, or what is wrong.
    public internal(set) var verdict: Verdict
    /// The verdict in a sentence without a full stop.
    public internal(set) var summary = ""
    /// What to do next.
    public internal(set) var advice: String?
    /// What else was found, a sentence each.
    public internal(set) var notes: [String] = []
    /// The size of the file.
    public internal(set) var byteCount: Int64
    /// How many bytes a page has, once a key or the header tells.
    public internal(set) var pageSize: Int?
    /// How many whole pages the file has.
    public internal(set) var pageCount: Int?
    /// How many pages the database should have, where page 1 or the log could be read.
    public internal(set) var expectedPageCount: Int?
    /// Pages that are not what any of the keys wrote, counted from 1.
    public internal(set) var damagedPages: [ClosedRange<Int>] = []
    /// Pages that are missing at the end.
    public internal(set) var missingPages: [ClosedRange<Int>] = []
    /// How many pages each key has written: that of the file, then the others in their order.
    public internal(set) var pagesOfKeys: [Int] = []
    /// The statements that give the settings with which the key opens the file, if not the usual.
    public internal(set) var settings: [String] = []
    /// The same settings in the words of `--cipher-settings`, where they have to be named.
    package internal(set) var settingsWords = ""
    /// What a log or a journal holds that is not in the database as it was judged, a sentence each.
    package internal(set) var leftOut: [String] = []
    /// A transaction that was interrupted was undone in memory before the file was judged.
    package internal(set) var isUndone = false
    /// The file has a plaintext header, and no salt was given for it.
    package internal(set) var lacksSalt = false
    /// Whether pages have an HMAC: without one, nothing tells that a page was changed.
    public internal(set) var isAuthenticated = true
    /// The log beside the file, if there is one with anything in it.
    public internal(set) var log: Log?

    init(path: String, verdict: Verdict, byteCount: Int64) {
        self.path = path
        self.verdict = verdict
        self.byteCount = byteCount
    }

    /// How many pages are damaged.
    public var damagedPageCount: Int { damagedPages.reduce(0) { $0 + $1.count } }
}
