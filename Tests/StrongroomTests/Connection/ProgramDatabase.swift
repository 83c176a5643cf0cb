import Strongroom
import StrongroomTestSupport
import Testing

/// A database on which programs run.
struct ProgramDatabase: Sendable {
    let fixture: FixtureDatabase
    let writer: any DatabaseWriter
    let observer = RandomObserver()
    let rival: Rival

    init(
        _ kind: WriterKind, _ change: (inout Configuration) -> Void = { _ in }
    ) throws {
        fixture = try FixtureDatabase()
        writer = try fixture.open(kind, change)
        try TransactionEnd.prepare(writer)
        try writer.write {
            try $0.execute(
                sql: """
                    CREATE TABLE t(a);
                    CREATE TABLE rival(a);
                    CREATE TABLE orphan(
                        a INTEGER REFERENCES account(id) DEFERRABLE INITIALLY DEFERRED);
                    """)
        }
        rival = try Rival(fixture)
        writer.add(transactionObserver: observer)
    }

    /// Runs a program for each seed.
    ///
    /// Each program waits some times, and its task would then be behind all other tests again.
    func run(
        seeds: Range<UInt64>,
        _ surprises: @escaping @Sendable (_ seed: UInt64) -> TransactionProgram.Surprises
    ) async throws {
        try await Task(priority: .high) {
            for seed in seeds { try await run(seed: seed, surprises(seed)) }
        }.value
    }

    /// Runs a program in one of the accesses, and compares what it leaves.
    private func run(seed: UInt64, _ surprises: TransactionProgram.Surprises) async throws {
        let writer = writer
        try await writer.writeWithoutTransaction {
            try $0.execute(sql: "DELETE FROM t WHERE a % 2")
        }
        var surprises = surprises
        // Only the closure of an awaited access runs in a task, and may so cancel it.
        if seed % 5 == 0 { surprises.insert(.cancellation) }
        // A migrator checks foreign keys by itself.
        if seed % 5 == 3 { surprises.remove(.orphans) }
        let program = TransactionProgram(
            seed: seed, rows: try await writer.read(Self.rows), surprises, observer, rival)
        switch seed % 5 {
        case 0: await Task { try? await writer.writeWithoutTransaction(program.run) }.value
        case 1: try runSynchronously { writer.writeWithoutTransaction(program.run) }
        case 2: try runSynchronously { program.run { body in try writer.write(body) } }
        case 3: try runSynchronously { program.run { try Self.migrate(writer, seed, $0) } }
        default: try runSynchronously { program.run { try Self.nest(writer, $0) } }
        }
        observer.refusesNextCommit = false
        #expect(try await writer.read(Self.rows) == program.model.committed, "seed \(seed)")
        let orphans = try await writer.read { try Int.fetchOne($0, sql: "SELECT a FROM orphan") }
        #expect(orphans == nil, "seed \(seed)")
    }

    private func runSynchronously(_ body: () throws -> Void) throws { try body() }

    @Sendable private static func rows(_ db: Database) throws -> [Int] {
        try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY rowid")
    }

    private static func migrate(
        _ writer: any DatabaseWriter, _ seed: UInt64,
        _ body: @escaping @Sendable (Database) throws -> Void
    ) throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("\(seed)", migrate: body)
        try migrator.migrate(writer)
    }

    private static func nest(
        _ writer: any DatabaseWriter, _ body: (Database) throws -> Void
    ) throws {
        try writer.writeWithoutTransaction { _ in
            try writer.unsafeReentrantWrite { db in
                try db.inTransaction {
                    try body(db)
                    return .commit
                }
            }
        }
    }
}
