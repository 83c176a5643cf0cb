import Strongroom
// A scheduler that says of itself that it is late: such are those of live queries, whatever they do.
import StrongroomCore
import StrongroomTestSupport
import Testing

/// Several observations that one commit concerns: they read in one transaction.
@Suite(.timeLimit(.minutes(30))) struct SharedReadTests {
    /// Delivers on the thread that has the value: that of the commit.
    private struct AtOnce: LateScheduler {
        func immediateInitialValue() -> Bool { true }
        func schedule(_ action: @escaping @Sendable () -> Void) { action() }
    }

    private static let writers = [WriterKind.queue, .pool]
    private let count: @Sendable (Database) throws -> Int = { try ObservedDatabase.count($0) }

    private func observe(
        _ database: ObservedDatabase, _ values: Values<Int>,
        _ fetch: @escaping @Sendable (Database) throws -> Int,
        onChange: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> AnyDatabaseCancellable {
        ValueObservation.tracking(fetch).start(
            in: database.writer, scheduling: AtOnce(), onError: values.fail
        ) {
            onChange($0)
            values.add($0)
        }
    }

    @Test(.proves("OBS-001", "OBV-010"), arguments: writers)
    func `a commit begins one transaction for all of them`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let values = (0..<5).map { _ in Values<Int>() }
        let observations = values.map { observe(database, $0, count) }
        let statements = Locked([String]())
        database.writer.writeWithoutTransaction { db in
            db.trace(options: .statement) { event in
                statements.withLock { $0.append("\(event)") }
            }
        }
        try database.addPlayer()
        for value in values { value.wait(for: 1) }
        database.writer.writeWithoutTransaction { $0.trace(nil) }
        let lines = statements.withLock { $0 }
        let end = try #require(lines.firstIndex { $0.hasPrefix("COMMIT") })
        let read = lines[(end + 1)...]
        #expect(read.filter { $0.hasPrefix("BEGIN") }.count == 1, "\(lines)")
        #expect(read.filter { $0.hasPrefix("SELECT COUNT") }.count == 5)
        #expect(values.allSatisfy { $0.all == [0, 1] })
        observations.forEach { $0.cancel() }
    }

    @Test(arguments: writers)
    func `an error of one, or a transaction that one ends, does not concern the others`(
        kind: WriterKind
    ) throws {
        let database = try ObservedDatabase(kind)
        let values = (0..<7).map { _ in Values<Int>() }
        let observations = values.enumerated().map { index, values in
            observe(database, values) { db in
                let count = try ObservedDatabase.count(db)
                guard count > 0 else { return count }
                switch index {
                case 1: throw ObservedFailure()
                case 2: try db.execute(sql: "DELETE FROM player")
                case 3: try db.execute(sql: "COMMIT")
                case 5: _ = try Int.fetchOne(db, sql: "SELECT missing FROM player")
                default: break
                }
                return count
            }
        }
        try database.addPlayer()
        for index in [0, 4, 6] { values[index].wait(for: 1) }
        for index in [1, 2, 5] { values[index].waitForError() }
        #expect(values[1].error is ObservedFailure)
        #expect((values[2].error as? DatabaseError)?.resultCode == .SQLITE_READONLY)
        try database.addPlayer()
        for index in [0, 4, 6] { values[index].wait(for: 2) }
        #expect([0, 4, 6].allSatisfy { values[$0].all == [0, 1, 2] && values[$0].error == nil })
        #expect(try database.writer.read(ObservedDatabase.count) == 2)
        observations.forEach { $0.cancel() }
    }

    @Test
    func `observers are called when it has ended, and may write`() throws {
        let database = try ObservedDatabase(.queue)
        let writer = database.writer
        let values = (0..<4).map { _ in Values<Int>() }
        let isInside = Locked([Bool]())
        let observations = values.enumerated().map { index, values in
            observe(database, values, count) { value in
                guard value > 0 else { return }
                writer.unsafeReentrantWrite { db in
                    isInside.withLock { $0.append(db.isInsideTransaction) }
                    if index == 1, value == 1 {
                        #expect(throws: Never.self) {
                            try db.execute(sql: "INSERT INTO player(name) VALUES ('b')")
                        }
                    }
                }
            }
        }
        try database.addPlayer()
        for value in values { value.wait(for: 2) }
        #expect(values.allSatisfy { $0.all == [0, 1, 2] })
        #expect(isInside.withLock { $0 } == [Bool](repeating: false, count: 8))
        observations.forEach { $0.cancel() }
    }

    @Test(arguments: writers)
    func `one that is cancelled by another is told nothing`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let (first, second) = (Values<Int>(), Values<Int>())
        let other = Locked<AnyDatabaseCancellable?>(nil)
        let observation = observe(database, first, count) { value in
            if value == 1 { other.withLock { $0 }?.cancel() }
        }
        other.withLock { $0 = observe(database, second, count) }
        try database.addPlayer()
        first.wait(for: 1)
        try database.addPlayer()
        first.wait(for: 2)
        #expect(second.all == [0])
        observation.cancel()
    }
}
