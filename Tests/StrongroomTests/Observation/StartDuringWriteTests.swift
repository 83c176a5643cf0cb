import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Observations that start, and fail, while a statement looks at what it may write.
@Suite("Writes beside starting observations") struct StartDuringWriteTests {
    @Test(
        "An observation may end while a write is being prepared", .proves("CMP-20"))
    func observationsEndDuringWrites() async {
        // What is broken here ends the process.
        await #expect(processExitsWith: .success) {
            for _ in 0..<10 { try Self.endObservationDuringWrite() }
        }
    }

    /// The observation's fetch is held until the write has begun, and then fails: what it had asked
    /// to be recorded is given up while the write asks the schema about its table.
    private static func endObservationDuringWrite() throws {
        let database = try ObservedDatabase(.pool)
        try database.addPlayer()
        let fetching = DispatchSemaphore(value: 0)
        let failing = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let observation = ValueObservation.trackingConstantRegion { db -> Int in
            _ = try ObservedDatabase.count(db)
            fetching.signal()
            failing.wait()
            throw ObservedFailure()
        }
        let cancellable = observation.start(
            in: database.writer, scheduling: .async(onQueue: database.queue),
            onError: { _ in ended.signal() }, onChange: { _ in })
        fetching.wait()
        try database.writer.writeWithoutTransaction { db in
            var isFirst = true
            db.trace { event in
                guard isFirst, !event.description.hasPrefix("UPDATE") else { return }
                isFirst = false
                failing.signal()
                ended.wait()
                Self.waitForReader(of: database.writer)
            }
            try db.execute(sql: "UPDATE player SET score = score + 1 WHERE id = 1")
            db.trace()
        }
        cancellable.cancel()
    }

    /// Waits until the access of the observation is over.
    private static func waitForReader(of writer: any DatabaseWriter) {
        let done = DispatchSemaphore(value: 0)
        writer.asyncRead { _ in done.signal() }
        done.wait()
    }

    /// Hears of every write, so that each is looked at before it runs.
    private final class Listener: TransactionObserver {
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) {}
        func databaseDidRollback(_ db: Database) {}
    }

    @Test(
        "An observation that starts while a write is being prepared sees it", .proves("CMP-20"))
    func observationStartsDuringWrite() throws {
        let database = try ObservedDatabase(.pool)
        try database.addPlayer()
        database.writer.add(transactionObserver: Listener(), extent: .databaseLifetime)
        let values = Values<Int>()
        let observation = ValueObservation.trackingConstantRegion { db in
            try Int.fetchOne(db, sql: "SELECT score FROM player") ?? -1
        }
        let cancellables = Locked<[AnyDatabaseCancellable]>([])
        try database.writer.writeWithoutTransaction { db in
            var isFirst = true
            db.trace { event in
                guard isFirst, !event.description.hasPrefix("UPDATE") else { return }
                isFirst = false
                let cancellable = observation.start(in: database, values)
                cancellables.withLock { $0.append(cancellable) }
                values.wait(for: 0)
            }
            try db.execute(sql: "UPDATE player SET score = score + 1 WHERE id = 1")
            db.trace()
        }
        values.wait(for: 1)
        cancellables.withLock { $0.removeAll() }
    }

    @Test("Writes beside observations that start are all observed", .proves("CMP-20"))
    func writesBesideStarts() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<10 { try Self.writeBesideStarts() }
        }
    }

    private static func writeBesideStarts() throws {
        let database = try ObservedDatabase(.pool)
        try database.addPlayer()
        let values = Values<Int>()
        let observation = ValueObservation.trackingConstantRegion { db in
            try Int.fetchOne(db, sql: "SELECT score FROM player") ?? -1
        }
        let cancellables = (0..<4).map { _ in
            observation.start(
                in: database.writer, scheduling: .async(onQueue: .global()),
                onError: values.fail, onChange: values.add)
        }
        try database.writer.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE player SET score = score + 1")
        }
        values.wait { $0.filter { $0 == 1 }.count >= cancellables.count }
        cancellables.forEach { $0.cancel() }
    }
}
