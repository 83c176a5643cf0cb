import Strongroom

/// Not isolated, and not `Sendable`.
final class Caller {
    let queue: DatabaseQueue
    let pool: DatabasePool
    var seen = 0

    init(queue: DatabaseQueue, pool: DatabasePool) {
        self.queue = queue
        self.pool = pool
    }

    static func make(queue: DatabaseQueue, pool: DatabasePool) async -> Caller {
        Caller(queue: queue, pool: pool)
    }
}
