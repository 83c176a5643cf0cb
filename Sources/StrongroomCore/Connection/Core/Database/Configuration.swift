public import Dispatch
internal import Synchronization

/// How connections to a database are opened and behave.
///
///     var config = Configuration()
///     config.prepareDatabase { db in
///         try db.usePassphrase(loadPassphrase())
///     }
///     let dbQueue = try DatabaseQueue(path: "/path/to/database.sqlite", configuration: config)
///
/// A configuration takes effect when a connection opens; changing it later changes nothing.
public struct Configuration: Sendable {
    /// Whether the database can only be read. A missing file is then not created.
    public var readonly = false

    /// Whether a file that is created can be read and written by its owner alone (mode 0600).
    ///
    /// By default SQLite creates it with the mode 0644, less the process's umask. Log and journal get the mode
    /// of the file. A database that exists keeps its mode.
    public var createsPrivateFiles = false

    /// Whether foreign keys are enforced. <https://www.sqlite.org/foreignkeys.html>
    public var foreignKeysEnabled = true

    /// Whether `"text"` that names no column is a string, as SQLite once allowed.
    ///
    /// <https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted>
    public var acceptsDoubleQuotedStringLiterals = false

    /// What happens when another connection holds a lock that is needed.
    public var busyMode: Database.BusyMode = .immediateError

    /// How the journal is kept.
    public var journalMode: JournalModeConfiguration = .default

    /// What tells the date of transactions, for `Database.transactionDate`.
    public var transactionClock: any TransactionClock = .default

    /// Whether databases heed `Database.suspendNotification` and `Database.resumeNotification`.
    ///
    /// Nothing suspends in a program that does not link the module `Strongroom`.
    public var observesSuspensionNotifications = false

    /// How many reads of a pool run at once, each on a connection of its own; others wait.
    public var maximumReaderCount = 5

    /// Whether releasing memory leaves a pool's read-only connections open.
    public var persistentReadOnlyConnections = false

    /// Whether the connections of a pool share the key that is derived from their passphrase.
    ///
    /// Deriving it is what takes time when an encrypted database is opened, about 0.1 s for each
    /// connection. The derived key is kept in locked memory as long as the pool, and is derived
    /// again after a change of the passphrase.
    public var sharesDerivedKey = true

    /// What was said of this configuration about files without a key, if anything.
    private var ownRequirement: Bool?

    private static let requirement = Atomic<Bool>(false)

    /// Whether a connection refuses files without a key; by default what the static property says.
    ///
    /// To create or open a file then takes a key that `prepareDatabase` gives: without one, opening
    /// throws `SQLITE_MISUSE`, and no statement of the preparation writes before the key is there.
    /// `ATTACH` and `VACUUM INTO` are refused for files that would be in plaintext. Databases in
    /// memory need no key, and `DatabaseFile` may read and write plaintext files: there the app has
    /// named them.
    ///
    ///     var configuration = Configuration()
    ///     configuration.requiresEncryption = false  // This file may be read by everybody.
    public var requiresEncryption: Bool {
        get { ownRequirement ?? Self.requiresEncryption }
        set { ownRequirement = newValue }
    }

    /// Whether all connections of the process refuse files without a key, also those of libraries.
    ///
    /// It is off by default; set it where the program starts. A queue or pool keeps what was in force
    /// when it was opened, for all its connections: a change concerns those that open later. It may
    /// be set on any thread.
    ///
    ///     Configuration.requiresEncryption = true
    public static var requiresEncryption: Bool {
        get { requirement.load(ordering: .acquiring) }
        set { requirement.store(newValue, ordering: .releasing) }
    }

    /// Whether cipher settings are sought where the usual ones do not open a database.
    ///
    /// They are those of SQLCipher 1 to 4, with all page sizes and HMACs, and plaintext headers. They
    /// are sought where the key and the settings of `prepareDatabase` do not open the file, and
    /// count only if its first page is authentic under them. Settings that `prepareDatabase` makes
    /// count more. A file whose pages have no HMAC is never found, because anybody could have changed
    /// it: `PRAGMA cipher_use_hmac = OFF` says that it is meant.
    ///
    /// Off by default, because a wrong passphrase costs a derivation for each number of iterations in
    /// use: opening then fails after about a second instead of 0.1 s, with the same `SQLITE_NOTADB`.
    /// So does the first connection to a file with other settings before it succeeds; the others of
    /// a pool are told. The key must be given by `usePassphrase`, or belong to a ``DatabaseFile``.
    public var findsCipherSettings = false

    /// What tells the primary keys of views, which their schema can't.
    public var schemaSource: (any DatabaseSchemaSource)?

    /// A name for connections and dispatch queues, for debugging.
    public var label: String?

    /// Whether a transaction may stay open at the end of a database access.
    public var allowsUnsafeTransactions = false

    /// Whether values bound to statements may appear in errors and traces.
    ///
    /// They are personal data more often than not: leave it off but for debugging.
    public var publicStatementArguments = false

    /// What a typed query does with a column of another storage class than its Swift type has.
    public enum TypedDecoding: Sendable {
        /// It throws: text in a column of an `Int` is never read as 0.
        case checked
        /// It reads the value as SQLite converts it: text without digits is 0.
        case coercing
    }

    /// What typed queries do with a column of another storage class than its Swift type has.
    public var typedDecoding = TypedDecoding.checked

    /// The quality of service of database accesses that have no target queue.
    public var qos: DispatchQoS = .userInitiated

    /// The queue on which database accesses run, in the end.
    ///
    /// A serial queue cannot take the accesses of a `DatabasePool`, whose writer waits for readers: only
    /// writes then run on it. So it is with a queue that is busy when the pool opens. To name a queue for
    /// writes alone, set `writeTargetQueue`.
    public var targetQueue: DispatchQueue?

    /// The queue on which writes run, in the end, instead of `targetQueue`.
    public var writeTargetQueue: DispatchQueue?

    /// How many statements a connection keeps prepared for their next use.
    package var statementCacheCapacity = 128

    /// How long a lock is waited for although `busyMode` is `.immediateError`.
    ///
    /// The connections of a pool take locks from each other for a moment: one that reads, and meets
    /// the index of the log while the writer changes it, takes the writer's lock to look again.
    package var poolLockMilliseconds: CInt = 0

    /// Whether another connection of the same pool has authenticated the log that lies there.
    var trustsCompanions = false

    /// Whether connections refuse all writes, those to temporary tables too.
    package var isQueryOnly = false

    /// Whether the file may be anybody's, and its schema is not trusted, nor what is asked of it.
    ///
    /// Functions that the app adds are then out of reach for triggers, views and index expressions.
    package var distrustsFile = false

    /// Whether virtual tables can be opened.
    package var runsModules = true

    /// What a rotation of the key has put in place of the key that the setups give.
    package var keyInForce: KeyInForce?

    /// The cipher settings that connections have found, if they seek any.
    package var foundSettings: FoundSettings?

    package var setups: [@Sendable (Database) throws -> Void] = []

    /// Temporary triggers of each connection that writes, which it makes after all setups.
    package var triggers: [ConnectionTriggers] = []

    /// The default settings.
    ///
    ///     var configuration = Configuration()
    ///     configuration.prepareDatabase { db in try db.usePassphrase("secret") }
    ///     let queue = try DatabaseQueue(path: "app.db", configuration: configuration)
    public init() {}

    /// Adds a function that each new connection runs before it is used.
    ///
    /// It is the place for passphrases, SQLCipher's settings, functions and pragmas. Functions run
    /// in the order in which they were added; one that throws makes the opening fail.
    ///
    /// Later, SQLite refuses statements that would change the key, SQLCipher's settings or its logs,
    /// and writes to its own tables (`PRAGMA writable_schema` has no effect any more).
    ///
    ///     var configuration = Configuration()
    ///     configuration.prepareDatabase { db in
    ///         try db.usePassphrase("secret")
    ///         try db.execute(sql: "PRAGMA cache_size = -8000")
    ///     }
    public mutating func prepareDatabase(_ setup: @escaping @Sendable (Database) throws -> Void) {
        setups.append(setup)
    }

    /// How the journal of a database is kept.
    /// <https://www.sqlite.org/pragma.html#pragma_journal_mode>
    public enum JournalModeConfiguration: Sendable {
        /// A queue leaves the file's journal as it is, a pool that can write turns to `wal`.
        case `default`
        /// A write-ahead log, with `synchronous = NORMAL` unless `prepareDatabase` sets it.
        case wal
    }

    /// The quality of service of reads: that of their target queue when there is one.
    public var readQoS: DispatchQoS { targetQueue?.qos ?? qos }

    /// The quality of service of writes: that of their target queue when there is one.
    public var writeQoS: DispatchQoS { writeTargetQueue?.qos ?? targetQueue?.qos ?? qos }
}
