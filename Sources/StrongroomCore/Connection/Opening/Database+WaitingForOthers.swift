internal import LibC

extension Database {
    /// Tries again as the busy mode says, where SQLite itself does not ask for it.
    ///
    /// A lock that is raised from one that is held already, as for a change of the journal, fails at
    /// once when another connection holds it: two of these would wait for each other. Nothing is
    /// held between two tries.
    func waitingForOthers<Value>(
        _ action: () throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        let start = ContinuousClock.now
        var tries = 0
        while true {
            do throws(DatabaseError) {
                return try action()
            } catch {
                guard error.resultCode == .SQLITE_BUSY, waits(tries, since: start) else {
                    throw error
                }
                tries += 1
            }
        }
    }

    private func waits(_ tries: Int, since start: ContinuousClock.Instant) -> Bool {
        switch configuration.busyMode {
        case .immediateError:
            return false
        case .timeout(let seconds):
            let limit = Duration.seconds(min(max(0, seconds), 2_000_000))
            guard start.duration(to: .now) < limit else { return false }
            usleep(UInt32(min(tries + 1, 50)) * 1000)
            return true
        case .callback(let callback):
            return callback(tries)
        }
    }
}
