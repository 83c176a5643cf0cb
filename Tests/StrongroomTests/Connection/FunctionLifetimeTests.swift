import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Nothing of a function, an aggregate or a collation outlives its use.
@Suite struct FunctionLifetimeTests {
    /// Something that a closure holds, to see when the closure goes.
    private final class Token: Sendable {}

    private struct Watch {
        weak var token: Token?
    }

    private func function(_ name: String = "f") -> (DatabaseFunction, Watch) {
        let token = Token()
        let function = DatabaseFunction(name, argumentCount: 0) { _ in
            withExtendedLifetime(token) { 1 }
        }
        return (function, Watch(token: token))
    }

    private func collation() -> (DatabaseCollation, Watch) {
        let token = Token()
        let collation = DatabaseCollation("c") { left, right in
            withExtendedLifetime(token) {
                left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
            }
        }
        return (collation, Watch(token: token))
    }

    @Test func `A connection keeps a function until it is replaced, removed, or closed`() throws {
        try expectLifetimes("SELECT f()", add: add) { db in
            db.remove(function: DatabaseFunction("F", argumentCount: 0) { _ in nil })
        }
    }

    @Test func `A connection keeps a collation until it is replaced, removed, or closed`() throws {
        try expectLifetimes("SELECT 'a' < 'b' COLLATE c") { db in
            let (collation, watch) = collation()
            db.add(collation: collation)
            return watch
        } remove: { db in
            db.remove(collation: DatabaseCollation("C") { _, _ in .orderedSame })
        }
    }

    /// Adds something three times, once after it was removed and once in the place of another.
    private func expectLifetimes(
        _ sql: String, add: (Database) -> Watch, remove: (Database) -> Void
    ) throws {
        let queue = try DatabaseQueue()
        let (removed, replaced, closed) = try queue.inDatabase { db throws in
            let first = add(db)
            #expect(try Int.fetchOne(db, sql: sql) == 1)
            #expect(first.token != nil)
            remove(db)
            let second = add(db)
            #expect(try Int.fetchOne(db, sql: sql) == 1)
            let third = add(db)
            #expect(try Int.fetchOne(db, sql: sql) == 1)
            return (first, second, third)
        }
        #expect(removed.token == nil)
        #expect(replaced.token == nil)
        #expect(closed.token != nil)
        try queue.close()
        #expect(closed.token == nil)
    }

    private func add(to db: Database) -> Watch {
        let (function, watch) = function()
        db.add(function: function)
        return watch
    }

    private struct Refused: Error {}

    private func failToOpen() -> Watch {
        let (function, watch) = function()
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            db.add(function: function)
            throw Refused()
        }
        #expect(throws: Refused.self) { try DatabaseQueue(configuration: configuration) }
        #expect(watch.token != nil)
        return watch
    }

    @Test func `What a failed opening has added goes`() {
        #expect(failToOpen().token == nil)
    }

    /// An aggregate with an object in each instance, which counts those alive.
    private struct Tracked: DatabaseAggregate {
        static let alive = Locked(0)

        private final class Instance {
            init() { Tracked.alive.withLock { $0 += 1 } }
            deinit { Tracked.alive.withLock { $0 -= 1 } }
        }

        private let instance = Instance()
        private var count = 0

        mutating func step(_ dbValues: [DatabaseValue]) throws {
            count += 1
            if dbValues[0] == "fail".databaseValue { throw DatabaseError(message: "failed") }
        }

        func finalize() -> (any DatabaseValueConvertible)? { count }
    }

    @Test func `An aggregate goes with its group, also when the statement fails or is left`() throws
    {
        let queue = try DatabaseQueue()
        try queue.write { db throws in
            db.add(function: DatabaseFunction("tracked", argumentCount: 1, aggregate: Tracked.self))
            func alive() -> Int { Tracked.alive.withLock { $0 } }
            let numbers = "WITH n(i) AS (VALUES (1), (2), (3), (4))"
            let sums = "\(numbers) SELECT tracked(i) FROM n GROUP BY i % 2"
            #expect(try Int.fetchAll(db, sql: sums) == [2, 2])
            #expect(alive() == 0)
            #expect(try Int.fetchOne(db, sql: "\(numbers) SELECT tracked(i) FROM n WHERE 0") == 0)
            #expect(alive() == 0)
            // The row that fails is in the middle of a group.
            let failing = "\(numbers) SELECT tracked(iif(i = 2, 'fail', i)) FROM n"
            #expect(throws: DatabaseError.self) { try Int.fetchAll(db, sql: failing) }
            #expect(alive() == 0)
            // Another function makes the statement fail while a group is open.
            let other = DatabaseFunction("refuse", argumentCount: 1) { dbValues in
                if dbValues[0] == 3.databaseValue { throw DatabaseError(message: "three") }
                return dbValues[0]
            }
            db.add(function: other)
            #expect(throws: DatabaseError.self) {
                try Int.fetchAll(db, sql: "\(numbers) SELECT tracked(refuse(i)) FROM n")
            }
            #expect(alive() == 0)
            // A cursor that is left after its first group.
            do {
                let cursor = try Int.fetchCursor(db, sql: sums)
                #expect(try cursor.next() == 2)
            }
            #expect(alive() == 0)
        }
        try queue.close()
        #expect(Tracked.alive.withLock { $0 } == 0)
    }
}
