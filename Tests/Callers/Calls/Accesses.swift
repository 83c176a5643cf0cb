import Foundation
import Strongroom

// Accesses, from wherever the caller is. Closures that run at once use the caller's properties.

extension Caller {
    func accessQueue() throws {
        try queue.inDatabase { db in seen += try Team.fetchCount(db) }
        try queue.inTransaction { db in
            try Team(id: 10, name: "queue").insert(db)
            return .commit
        }
        seen += try queue.read { db in try Team.fetchCount(db) }
        try queue.write { db in
            seen += 1
            try Team(id: 11, name: "written").insert(db)
        }
        try queue.writeWithoutTransaction { db in
            try db.inTransaction(.exclusive) {
                seen += 1
                try db.inSavepoint { .commit }
                try db.withOrigin("sync") { try db.inSavepoint { .commit } }
                return .rollback
            }
        }
        try queue.barrierWriteWithoutTransaction { db in
            _ = try db.readOnly { try Team.fetchCount(db) }
        }
        try queue.unsafeRead { db in seen += try Int.fetchOne(db, sql: "SELECT 1") ?? 0 }
        try queue.unsafeReentrantWrite { db in
            try queue.unsafeReentrantRead { seen += try Team.fetchCount($0) }
            try db.execute(sql: "DELETE FROM team")
        }
    }

    func accessPool() throws {
        try pool.write { try Team(id: 1, name: "Red").insert($0) }
        try pool.writeInTransaction { db in
            seen += 1
            return .commit
        }
        seen += try pool.read { try Team.fetchCount($0) }
        try pool.unsafeRead { seen += try Team.fetchCount($0) }
        try pool.unsafeReentrantRead { seen += try Team.fetchCount($0) }
        try pool.barrierWriteWithoutTransaction { seen += try Team.fetchCount($0) }
        try pool.writeWithoutTransaction { db in
            let pool = pool
            pool.spawnConcurrentRead { result in _ = try? Team.fetchCount(result.get()) }
            seen += try Team.fetchCount(db)
        }
        let snapshot = try pool.makeSnapshot()
        seen += try snapshot.read { try Team.fetchCount($0) }
        // Not every SQLCipher has it.
        if let snapshots = try? pool.makeSnapshotPool() {
            seen += try snapshots.read { try Team.fetchCount($0) }
        }
        try snapshot.reentrantRead { seen += try Team.fetchCount($0) }
    }

    func accessThroughProtocols() throws {
        let writer: any DatabaseWriter = pool
        try writer.write { seen += try Team.fetchCount($0) }
        try AnyDatabaseReader(pool).read { seen += try Team.fetchCount($0) }
        try AnyDatabaseWriter(queue).writeWithoutTransaction { seen += try Team.fetchCount($0) }
        try writer.backup(to: queue) { progress in self.seen += progress.totalPageCount }
        let watch = try writer.observeExternalChanges { error in print(error) }
        watch.cancel()
    }

    /// Closures that run later: they have what is `Sendable`, or are without the caller.
    func accessLater() {
        let group = DispatchGroup()
        for _ in 0..<9 { group.enter() }
        pool.asyncRead { result in
            _ = try? Team.fetchCount(result.get())
            group.leave()
        }
        pool.asyncUnsafeRead { _ in group.leave() }
        pool.asyncWrite({ try Team.fetchCount($0) }, completion: { _, _ in group.leave() })
        pool.asyncWriteWithoutTransaction { _ in group.leave() }
        pool.asyncBarrierWriteWithoutTransaction { _ in group.leave() }
        queue.asyncRead { _ in group.leave() }
        queue.asyncWriteWithoutTransaction { _ in group.leave() }
        makeMigrator().asyncMigrate(queue) { _ in group.leave() }
        pool.writeWithoutTransaction { _ in pool.asyncConcurrentRead { _ in group.leave() } }
        group.wait()
    }

    /// Closures that other executors run.
    func accessAwaiting() async throws {
        let name = "awaited"
        try await pool.write { db in try Team(id: 2, name: name).insert(db) }
        seen += try await pool.read { try Team.fetchCount($0) }
        seen += try await pool.unsafeRead { try Team.fetchCount($0) }
        seen += try await pool.writeWithoutTransaction { try Team.fetchCount($0) }
        seen += try await pool.barrierWriteWithoutTransaction { try Team.fetchCount($0) }
        seen += try await queue.read { try Team.fetchCount($0) }
        try await queue.writeWithoutTransaction { db in
            try db.inTransaction { .commit }
        }
        let teams: [Team] = try await pool.read { try Team.fetchAll($0) }
        try expect(teams.map(\.name).contains(name), "\(teams)")
        seen += try await pool.makeSnapshot().read { try Team.fetchCount($0) }
        try await pool.vacuum()
        try await pool.vacuum(into: pool.path + ".copy")
        try await queue.erase()
        try makeMigrator().migrate(queue)
        try await rotateAwaiting()
    }

    /// The form that blocks compiles in an async function, next to the one that is awaited.
    private func rotateAwaiting() async throws {
        try queue.rotateKey(to: .generated())
        let rotation = queue.startRotation(to: try .generated())
        for await step in rotation.progress { seen += step.fractionCompleted == nil ? 1 : 0 }
        let report = try await rotation.value
        try expect(report.pageCount > 0, "\(report)")
    }
}
