import Strongroom

/// On the main actor, as all is that says nothing in this module.
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
