// From the start to the first value, and from a commit to the next.

extension ObservationRun {
    /// Fetches the first value, and has later commits fetch others.
    func start(in reader: any DatabaseReader) {
        observation.events.willStart?()
        let isImmediate = schedulerWantsImmediateValue
        switch reader._observability.content {
        case .constant(let reader):
            startConstant(reader, isImmediate)
        case .serialized(let writer):
            startOnWriter(writer, isImmediate)
        case .concurrent(let writer, let commits):
            if observation.requiresWriteAccess {
                startOnWriter(writer, isImmediate)
            } else {
                startConcurrently(writer, commits, isImmediate)
            }
        }
    }

    /// Fetches, and tells the region that was read; that which is known if it never changes.
    private func fetchTracking(
        _ db: Database, known region: DatabaseRegion?
    ) throws -> (Reducer.Fetched, DatabaseRegion) {
        if let region, observation.tracking.isConstant { return (try fetch(db), region) }
        let result: (Reducer.Fetched, DatabaseRegion)
        switch observation.tracking {
        case .everyFetch, .firstFetch:
            result = try db.recordingRegion { try fetch(db) }
        case .regions(let regions):
            let region = try regions.reduce(into: DatabaseRegion()) { region, other in
                region.formUnion(try other.databaseRegion(db))
            }
            result = (try fetch(db), region)
        }
        if result.1 != region { observation.events.willTrackRegion?(result.1) }
        return result
    }

    // MARK: What never changes

    private func startConstant(_ reader: any DatabaseReader, _ isImmediate: Bool) {
        onEnd { _ = reader }
        if isImmediate {
            let result = Result {
                try reader.unsafeReentrantRead { try fetchTracking($0, known: nil).0 }
            }
            if accept(result) { reduceAll(isImmediate: true) }
        } else {
            reader.asyncUnsafeRead { [self] db in
                if hasEnded { return }
                receive(Result { try fetchTracking(db.get(), known: nil).0 })
            }
        }
    }

    // MARK: On the connection that writes

    private func startOnWriter(_ writer: any DatabaseWriter, _ isImmediate: Bool) {
        if isImmediate {
            let isFirst = writer.unsafeReentrantWrite { accept(fetchFirst($0, writer)) }
            if isFirst { reduceAll(isImmediate: true) }
        } else {
            writer.asyncWriteWithoutTransaction { [self] db in
                if hasEnded { return }
                receive(fetchFirst(db, writer))
            }
        }
    }

    private func fetchFirst(
        _ db: Database, _ writer: any DatabaseWriter
    ) -> Result<Reducer.Fetched, any Error> {
        Result {
            let seesUncommitted = db.isInsideTransaction && db.readOnlyDepth == 0
            let (fetched, region) = try fetchTracking(db, known: nil)
            let watch = addWatch(of: region, to: db, writer)
            if seesUncommitted {
                // However the transaction ends, its observer must learn of it.
                db.afterNextTransaction { db in
                    self.fetchOnWriter(db, watch)
                } onRollback: { db in
                    self.fetchOnWriter(db, watch)
                }
            }
            return fetched
        }
    }

    /// From now on, commits that touch the region fetch values.
    private func addWatch(
        of region: DatabaseRegion, to db: Database, _ writer: any DatabaseWriter
    ) -> ObservedWatch {
        let isConcurrent: Bool
        if case .concurrent = writer._observability.content {
            isConcurrent =
                observation.tracking.isConstant && !observation.requiresWriteAccess
        } else {
            isConcurrent = false
        }
        let watch = ObservedWatch()
        let regionWatch = RegionWatch(region: region) { [self, unowned watch] db in
            observation.events.databaseDidChange?()
            if isConcurrent {
                if beginFetch() { fetchConcurrently(writer) }
            } else {
                fetchOnWriter(db, watch)
            }
        }
        watch.watch = regionWatch
        db.add(regionWatch)
        _ = endFetch()
        onEnd { writer.asyncWriteWithoutTransaction { $0.remove(watch) } }
        return watch
    }

    private func fetchOnWriter(_ db: Database, _ observed: ObservedWatch) {
        guard let watch = observed.watch, beginFetch() else { return }
        repeat {
            watch.isMuted = true
            let result = Result { try fetchTracking(db, known: watch.region) }
            watch.isMuted = false
            if let region = try? result.get().1 { db.update(watch, to: region) }
            receive(result.map(\.0))
        } while endFetch()
    }

    // MARK: Beside the connection that writes

    private func startConcurrently(
        _ pool: any DatabaseWriter, _ commits: CommitCount, _ isImmediate: Bool
    ) {
        let recording = commits.record()
        if isImmediate {
            let result = Result {
                try pool.unsafeReentrantRead { try fetchFirst($0, commits) }
            }
            let isFirst = accept(result.map(\.fetched))
            if let first = try? result.get() { watch(after: first, pool, recording) }
            if isFirst { reduceAll(isImmediate: true) }
        } else {
            pool.asyncUnsafeRead { [self] db in
                if hasEnded { return }
                let result = Result { try fetchFirst(db.get(), commits) }
                let isFirst = accept(result.map(\.fetched))
                // Before the value is told: what is written by whom it was told is then watched.
                if let first = try? result.get() { watch(after: first, pool, recording) }
                if isFirst { reduceSoon() }
            }
        }
    }

    private typealias First = (fetched: Reducer.Fetched, region: DatabaseRegion, commits: Int?)

    /// - Returns: With how many commits the state was read, if that is known: all of them are in it.
    private func fetchFirst(_ db: Database, _ commits: CommitCount) throws -> First {
        let count = db.isInsideTransaction ? nil : commits.value
        let (fetched, region) = try fetchTracking(db, known: nil)
        return (fetched, region, count)
    }

    /// Has the writer tell its commits from now on, and fetches again if one since may have touched
    /// the region.
    ///
    /// As long as the number of commits is the same, nothing can have been missed. It costs two
    /// loads, where a second fetch would cost what the value costs.
    private func watch(
        after first: First, _ pool: any DatabaseWriter, _ recording: CommitCount.Recording
    ) {
        pool.asyncWriteWithoutTransaction { [self] db in
            if hasEnded { return }
            let watch = addWatch(of: first.region, to: db, pool)
            if let number = first.commits,
                recording.haveLeftAlone(first.region, since: number)
            {
                return
            }
            if observation.tracking.isConstant {
                if beginFetch() { fetchConcurrently(pool) }
            } else {
                fetchOnWriter(db, watch)
            }
        }
    }

    private func fetchConcurrently(_ pool: any DatabaseWriter) {
        pool.asyncUnsafeRead { [self] db in
            if hasEnded { return }
            receive(Result { try fetch(db.get()) })
            if endFetch() { fetchConcurrently(pool) }
        }
    }
}

/// The watch of an observation.
// Safety: it is touched on the executor of the writer only.
final class ObservedWatch: @unchecked Sendable {
    fileprivate var watch: RegionWatch?
}

extension Database {
    fileprivate func remove(_ observed: ObservedWatch) {
        if let watch = observed.watch { remove(watch) }
        observed.watch = nil
    }
}
