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
    private struct State {
        var values: [Value] = []
        var error: (any Error)?
        var waiting: [Waiting] = []
    }

    private struct Waiting {
        let isOver: (State) -> Bool
        let resume: () -> Void
    }

    private let state = Locked(State())

    var all: [Value] { state.withLock { $0.values } }
    var error: (any Error)? { state.withLock { $0.error } }

    @Sendable func add(_ value: Value) {
        change { $0.values.append(value) }
    }

    @Sendable func fail(_ error: any Error) {
        change { $0.error = error }
    }

    private func change(_ change: (inout State) -> Void) {
        let over = state.withLock { state in
            change(&state)
            let now = state
            state.waiting.removeAll { $0.isOver(now) }
            return now.waiting.filter { $0.isOver(now) }
        }
        over.forEach { $0.resume() }
    }

    /// Calls a function when a condition holds.
    private func wait(_ isOver: @escaping (State) -> Bool, _ resume: @escaping () -> Void) {
        let isOver = state.withLock { state in
            if isOver(state) { return true }
            state.waiting.append(Waiting(isOver: isOver, resume: resume))
            return false
        }
        if isOver { resume() }
    }

    private func wait(_ isOver: @escaping (State) -> Bool, _ location: SourceLocation) {
        let semaphore = DispatchSemaphore(value: 0)
        wait(isOver) { semaphore.signal() }
        guard semaphore.wait(timeout: .now() + 60) == .timedOut else { return }
        Issue.record("waited in vain: \(all)", sourceLocation: location)
    }

    /// Waits until a condition holds of the values; not for ever.
    func wait(
        until isRight: @escaping ([Value]) -> Bool, _ location: SourceLocation = #_sourceLocation
    ) {
        wait({ isRight($0.values) }, location)
    }

    func waitForError(_ location: SourceLocation = #_sourceLocation) {
        wait({ $0.error != nil }, location)
    }

    /// Waits without holding up a thread that tasks need.
    func reached(_ isRight: @escaping ([Value]) -> Bool) async {
        await withCheckedContinuation { continuation in
            wait({ isRight($0.values) }) { continuation.resume() }
        }
    }

    func failed() async {
        await withCheckedContinuation { continuation in
            wait({ $0.error != nil }) { continuation.resume() }
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
