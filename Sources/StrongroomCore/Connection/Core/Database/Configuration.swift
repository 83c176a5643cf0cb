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
/// A configuration takes effect when a connection opens; later changes have no effect.
public struct Configuration: Sendable {
    /// Whether the database is read-only. If so, a missing file is not created.
    public var readonly = false

    /// Whether only its owner can read and write a new file (mode 0600).
    ///
    /// By default, SQLite creates it with the mode 0644, less the process's umask. Log and journal
    /// get the mode of the file. An existing database keeps its mode.
    public var createsPrivateFiles = false

    /// Whether foreign keys are enforced. <https://www.sqlite.org/foreignkeys.html>
    public var foreignKeysEnabled = true

    /// Whether `"text"` is a string if no column has that name, as SQLite once allowed.
    ///
    /// <https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted>
    public var acceptsDoubleQuotedStringLiterals = false

    /// What happens if another connection holds a needed lock.
    public var busyMode: Database.BusyMode = .immediateError

    /// The journal mode.
    public var journalMode: JournalModeConfiguration = .default

    /// The clock for the date of transactions, `Database.transactionDate`.
    public var transactionClock: any TransactionClock = .default

    /// Whether databases observe `Database.suspendNotification` and `Database.resumeNotification`.
    ///
    /// This has no effect in a program that does not link the module `Strongroom`.
    public var observesSuspensionNotifications = false

    /// How many reads of a pool run at the same time, each on a separate connection; others wait.
    public var maximumReaderCount = 5

    /// Whether releasing memory leaves a pool's read-only connections open.
    public var persistentReadOnlyConnections = false

    /// Whether the connections of a pool share the key that is derived from their passphrase.
    ///
    /// Deriving it takes most of the time of opening an encrypted database, about 0.1 s for each
    /// connection. The pool keeps the derived key in locked memory as long as it exists, and
    /// derives it again after a change of the passphrase.
    public var sharesDerivedKey = true

    /// What was said of this configuration about files without a key, if anything.
    private var ownRequirement: Bool?

    private static let requirement = Atomic<Bool>(false)

    /// Whether a connection refuses files without a key; by default, the value of the static
    /// property.
    ///
    /// If so, `prepareDatabase` must give a key to create or open a file. Without one, opening
    /// throws `SQLITE_MISUSE`, and no statement of the preparation writes before the key is set.
    /// `ATTACH` and `VACUUM INTO` are refused for plaintext files. In-memory databases need no key,
    /// and `DatabaseFile` can read and write plaintext files, because the app names them
    /// explicitly.
    ///
    ///     var configuration = Configuration()
    ///     configuration.requiresEncryption = false  // This file is not secret.
    public var requiresEncryption: Bool {
        get { ownRequirement ?? Self.requiresEncryption }
        set { ownRequirement = newValue }
    }

    /// Whether all connections of the process refuse files without a key, including those of
    /// libraries.
    ///
    /// It is off by default; set it when the program starts, on any thread. A queue or pool keeps
    /// the setting that applied when it was opened, for all its connections.
    ///
    ///     Configuration.requiresEncryption = true
    public static var requiresEncryption: Bool {
        get { requirement.load(ordering: .acquiring) }
        set { requirement.store(newValue, ordering: .releasing) }
    }

    /// Whether to detect cipher settings if the given ones do not open a database.
    ///
    /// If the key and the settings of `prepareDatabase` do not open the file, it tries the settings
    /// of SQLCipher 1 to 4, with all page sizes and HMACs, and plaintext headers. It accepts them
    /// only if the first page is authentic with them. Settings in `prepareDatabase` take
    /// precedence. It never finds settings without an HMAC, because anyone could have changed such
    /// a file: use `PRAGMA cipher_use_hmac = OFF` to open one.
    ///
    /// It is off by default, because a wrong passphrase then costs a derivation for each number of
    /// iterations in use: opening fails after about a second instead of 0.1 s, with the same
    /// `SQLITE_NOTADB`. Also, the first connection to a file with other settings takes that long;
    /// it shares them with the other connections of a pool. `usePassphrase` must give the key, or
    /// it must belong to a ``DatabaseFile``.
    public var findsCipherSettings = false

    /// The source of the primary keys of views, which the schema does not contain.
    public var schemaSource: (any DatabaseSchemaSource)?

    /// A name for connections and dispatch queues, for debugging.
    public var label: String?

    /// Whether a transaction may stay open at the end of a database access.
    public var allowsUnsafeTransactions = false

    /// Whether values bound to statements may appear in errors and traces.
    ///
    /// They are often personal data: leave this off except for debugging.
    public var publicStatementArguments = false

    /// What a typed query does if a column's storage class does not match its Swift type.
    public enum TypedDecoding: Sendable {
        /// It throws: text in a column of an `Int` is never read as 0.
        case checked
        /// It reads the value as SQLite converts it: text without digits is 0.
        case coercing
    }

    /// What typed queries do if a column's storage class does not match its Swift type.
    public var typedDecoding = TypedDecoding.checked

    /// The quality of service of database accesses that have no target queue.
    public var qos: DispatchQoS = .userInitiated

    /// The target queue of database accesses.
    ///
    /// A `DatabasePool`, whose writer waits for readers, runs only its writes on a serial queue, or
    /// on a queue that is busy when the pool opens. To set a queue only for writes, use
    /// `writeTargetQueue`.
    public var targetQueue: DispatchQueue?

    /// The target queue of writes, instead of `targetQueue`.
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

    /// What is remembered of the keyring of the file.
    package var keyringMemory: KeyringMemory?

    /// The cipher settings that connections have found, if they seek any.
    package var foundSettings: FoundSettings?

    package var setups: [@Sendable (Database) throws -> Void] = []

    /// Temporary triggers of each connection that writes, which it makes after all setups.
    package var triggers: [ConnectionTriggers] = []

    /// Creates a configuration with default settings.
    ///
    ///     var configuration = Configuration()
    ///     configuration.prepareDatabase { db in try db.usePassphrase("secret") }
    ///     let queue = try DatabaseQueue(path: "app.db", configuration: configuration)
    public init() {}

    /// Adds a function that each new connection runs before it is used.
    ///
    /// Use it for passphrases, SQLCipher's settings, functions and pragmas. The functions run in
    /// the order in which you added them. If one throws, opening fails.
    ///
    /// Afterwards, SQLite refuses statements that would change the key, SQLCipher's settings or its
    /// logs, and writes to its own tables (`PRAGMA writable_schema` no longer has an effect).
    ///
    ///     var configuration = Configuration()
    ///     configuration.prepareDatabase { db in
    ///         try db.usePassphrase("secret")
    ///         try db.execute(sql: "PRAGMA cache_size = -8000")
    ///     }
    public mutating func prepareDatabase(_ setup: @escaping @Sendable (Database) throws -> Void) {
        setups.append(setup)
    }

    /// The journal mode of a database. <https://www.sqlite.org/pragma.html#pragma_journal_mode>
    public enum JournalModeConfiguration: Sendable {
        /// A queue keeps the file's journal mode; a pool that can write switches to `wal`.
        case `default`
        /// A write-ahead log, with `synchronous = NORMAL` unless `prepareDatabase` sets it.
        case wal
    }

    /// The quality of service of reads: that of their target queue when there is one.
    public var readQoS: DispatchQoS { targetQueue?.qos ?? qos }

    /// The quality of service of writes: that of their target queue when there is one.
    public var writeQoS: DispatchQoS { writeTargetQueue?.qos ?? targetQueue?.qos ?? qos }
}
