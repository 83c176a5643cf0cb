public import StrongroomCore
internal import Synchronization

/// The database that code uses where it names none.
///
///     struct Inbox {
///         @DefaultDatabase var database
///
///         func clear() async throws {
///             try await database.write { db in try db.execute(sql: "DELETE FROM messages") }
///         }
///     }
///
/// It is looked up when the property is made, and kept from then on: first the innermost
/// `withDefaultDatabase` of the task, then the one of `prepareDefaultDatabase`. Where there is
/// neither, a warning says so once, and the database is an empty one in memory.
@propertyWrapper
public struct DefaultDatabase: Sendable {
    /// The database.
    public let wrappedValue: any DatabaseWriter

    /// Looks the database up.
    public init() { wrappedValue = Self.current }

    /// The database that is the default here and now.
    public static var current: any DatabaseWriter { DefaultDatabaseLookup.current() }

    /// Where the values of wrappers arrive that name no scheduler: on the main actor at first.
    ///
    /// A program whose main thread does not run the main queue sets it once: `DefaultDatabase.scheduler = .task`.
    public static var scheduler: any ValueObservationScheduler & Hashable {
        get { DefaultDatabaseLookup.scheduler.withLock { $0 } }
        set { DefaultDatabaseLookup.scheduler.withLock { $0 = newValue } }
    }
}

/// There is no default database: the wrapper fetches nothing.
public struct DefaultDatabaseMissing: Error, Sendable, Equatable, CustomStringConvertible {
    /// Makes the error.
    public init() {}

    /// What to do about it.
    public var description: String {
        """
        there is no default database: an app calls 'prepareDefaultDatabase { … }' first of all, a \
        preview 'DefaultDatabase.preview(migrator) { … }', a test has the trait \
        '.defaultDatabase { … }'
        """
    }
}

/// Makes a database the default of the whole process.
///
///     try prepareDefaultDatabase { try DatabasePool(path: "app.sqlite") }
///
/// It is called once, before anything asks for the default. A later call is a warning, and its
/// function is not called. In previews, which share a process, the last call counts.
///
/// - Parameter make: Opens the database, and brings its schema up to date.
/// - Throws: What `make` throws; the default is then not set.
public func prepareDefaultDatabase(_ make: () throws -> any DatabaseWriter) rethrows {
    try DefaultDatabaseLookup.prepare(make)
}

/// Makes a database the default within a function, and in the child tasks of it.
///
///     let database = try DatabaseQueue()
///     withDefaultDatabase(database) {
///         assert(DefaultDatabase.current === database)
///     }
///
/// Detached tasks and dispatch queues do not see it.
///
/// - Throws: What the function throws.
public func withDefaultDatabase<Result>(
    _ database: any DatabaseWriter, _ body: () throws -> Result
) rethrows -> Result {
    try DefaultDatabaseLookup.$scoped.withValue(database, operation: body)
}

/// Makes a database the default within a function, and in the child tasks of it.
///
/// - Throws: What the function throws.
public func withDefaultDatabase<Result>(
    _ database: any DatabaseWriter, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
) async rethrows -> Result {
    try await DefaultDatabaseLookup.$scoped.withValue(
        database, operation: body, isolation: isolation)
}

/// Where the default is kept.
///
/// Invariant: the function that opens a database is called by one thread, and not under the lock.
enum DefaultDatabaseLookup {
    private enum Default {
        case unset
        case preparing
        case set(any DatabaseWriter)
    }

    private struct State {
        var value = Default.unset
        var blank: DatabaseQueue?
    }

    @TaskLocal static var scoped: (any DatabaseWriter)?
    private static let state = Mutex(State())
    static let scheduler = Mutex<any ValueObservationScheduler & Hashable>(
        DelayedMainActorValueObservationScheduler())

    static func current() -> any DatabaseWriter {
        if let scoped { return scoped }
        let (database, isFirst) = state.withLock { state -> (any DatabaseWriter, Bool) in
            if case .set(let database) = state.value { return (database, false) }
            if let blank = state.blank { return (blank, false) }
            let blank = openBlank()
            state.blank = blank
            return (blank, true)
        }
        if isFirst { RuntimeWarning.post("\(DefaultDatabaseMissing())") }
        return database
    }

    /// Whether it is the database that stands for a missing one.
    static func isBlank(_ database: any DatabaseReader) -> Bool {
        state.withLock { $0.blank.map { $0 === database } ?? false }
    }

    private static func openBlank() -> DatabaseQueue {
        do {
            return try DatabaseQueue()
        } catch {
            preconditionFailure("a database in memory can't be opened: \(error)")
        }
    }

    static func prepare(_ make: () throws -> any DatabaseWriter) rethrows {
        let isWanted = state.withLock { state in
            if case .unset = state.value {
                state.value = .preparing
                return true
            }
            return RunningProgram.isPreview
        }
        guard isWanted else {
            return RuntimeWarning.post(
                "the default database is set already: 'prepareDefaultDatabase' is called once")
        }
        do {
            let database = try make()
            state.withLock { $0.value = .set(database) }
        } catch {
            state.withLock { state in
                if case .preparing = state.value { state.value = .unset }
            }
            throw error
        }
    }
}
