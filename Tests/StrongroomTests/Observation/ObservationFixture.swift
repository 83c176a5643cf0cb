import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

struct ObservedFailure: Error, Equatable {}

/// A database with players, to be observed.
struct ObservedDatabase: Sendable {
    let fixture: FixtureDatabase
    let writer: any DatabaseWriter
    /// Where values arrive.
    let queue = DispatchQueue(label: "observer")

    init(_ kind: WriterKind) throws {
        fixture = try FixtureDatabase()
        writer = try fixture.open(kind)
        try writer.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, score INTEGER);
                    CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT);
                    """)
        }
    }

    func run(_ sql: String) throws {
        try writer.write { try $0.execute(sql: sql) }
    }

    func addPlayer() throws {
        try run("INSERT INTO player(name, score) VALUES ('a', 0)")
    }

    @Sendable static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM player") ?? -1
    }
}

/// The values that an observer was given, for whom one can wait.
final class Values<Value: Sendable>: Sendable {
    private let state = Locked<(values: [Value], error: (any Error)?)>(([], nil))
    private let changed = DispatchSemaphore(value: 0)

    var all: [Value] { state.withLock { $0.values } }
    var error: (any Error)? { state.withLock { $0.error } }

    @Sendable func add(_ value: Value) {
        state.withLock { $0.values.append(value) }
        changed.signal()
    }

    @Sendable func fail(_ error: any Error) {
        state.withLock { $0.error = error }
        changed.signal()
    }

    /// Waits until a condition holds of the values; not for ever.
    func wait(
        until isRight: ([Value]) -> Bool, _ location: SourceLocation = #_sourceLocation
    ) {
        let deadline = DispatchTime.now() + 60
        while !isRight(all) {
            guard changed.wait(timeout: deadline) == .success else {
                Issue.record("waited in vain: \(all)", sourceLocation: location)
                return
            }
        }
    }

    func waitForError(_ location: SourceLocation = #_sourceLocation) {
        let deadline = DispatchTime.now() + 60
        while error == nil {
            guard changed.wait(timeout: deadline) == .success else {
                Issue.record("no error came", sourceLocation: location)
                return
            }
        }
    }
}

extension Values where Value: Equatable {
    func wait(for value: Value, _ location: SourceLocation = #_sourceLocation) {
        wait(until: { $0.last == value }, location)
    }
}

extension ValueObservation {
    /// Starts on the queue of a database.
    func start(
        in database: ObservedDatabase, _ values: Values<Reducer.Value>
    ) -> AnyDatabaseCancellable {
        start(
            in: database.writer, scheduling: .async(onQueue: database.queue),
            onError: values.fail, onChange: values.add)
    }
}

extension DatabaseWriter {
    /// Waits until the accesses have ended that are in progress, and those that these asked for.
    func settle() throws {
        for _ in 0..<3 {
            try barrierWriteWithoutTransaction { _ in }
            DispatchQueue.global().sync {}
        }
    }
}
