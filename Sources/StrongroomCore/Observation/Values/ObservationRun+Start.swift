// From the start to the first value, and from a commit to the next.

extension ObservationRun {
    /// Fetches the first value, and has later commits fetch others.
    func start(in reader: any DatabaseReader) {
        events.willStart?()
        let isImmediate = schedulerWantsImmediateValue
        switch reader._observability.content {
        case .constant(let reader):
            startConstant(reader, isImmediate)
        case .serialized(let writer):
            startOnWriter(writer, isImmediate)
        case .concurrent(let writer, let commits):
            if requiresWriteAccess {
                startOnWriter(writer, isImmediate)
            } else {
                startConcurrently(writer, commits, isImmediate)
            }
        }
    }

    /// Fetches, and tells the region that was read; that which is known if it never changes.
    private func fetchTracking(
        _ db: Database, _ steps: ObservationSteps, known region: DatabaseRegion? = nil
    ) throws -> (fetched: ObservationSteps.Fetched, region: DatabaseRegion) {
        if let region, tracking.isConstant { return (try fetch(db, steps), region) }
        let result: (fetched: ObservationSteps.Fetched, region: DatabaseRegion)
        switch tracking {
        case .everyFetch, .firstFetch:
            result = try db.recordingRegion { try fetch(db, steps) }
        case .regions(let regions):
            let region = try regions.reduce(into: DatabaseRegion()) { region, other in
                region.formUnion(try other.databaseRegion(db))
            }
            result = (try fetch(db, steps), region)
        }
        if result.region != region { events.willTrackRegion?(result.region) }
        return result
    }

    // MARK: What never changes

    private func startConstant(_ reader: any DatabaseReader, _ isImmediate: Bool) {
        onEnd { _ = reader }
        if isImmediate {
            guard let steps else { return }
            let result = Result {
                try reader.unsafeReentrantRead { try fetchTracking($0, steps).fetched }
            }
            if accept(result) { makeAll(isImmediate: true) }
        } else {
            reader.asyncUnsafeRead { [self] db in
                guard let steps else { return }
                receive(Result { try fetchTracking(db.get(), steps).fetched })
            }
        }
    }

    // MARK: On the connection that writes

    private func startOnWriter(_ writer: any DatabaseWriter, _ isImmediate: Bool) {
        if isImmediate {
            guard let steps else { return }
            let isFirst = writer.unsafeReentrantWrite { accept(fetchFirst($0, steps, writer)) }
            if isFirst { makeAll(isImmediate: true) }
        } else {
            writer.asyncWriteWithoutTransaction { [self] db in
                guard let steps else { return }
                receive(fetchFirst(db, steps, writer))
            }
        }
    }

    private func fetchFirst(
        _ db: Database, _ steps: ObservationSteps, _ writer: any DatabaseWriter
    ) -> Fetched {
        Result {
            let seesUncommitted = db.isInsideTransaction && db.access.readOnlyDepth == 0
            let (fetched, region) = try fetchTracking(db, steps)
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
                tracking.isConstant && !requiresWriteAccess
        } else {
            isConcurrent = false
        }
        let watch = ObservedWatch()
        let regionWatch: RegionWatch
        if isConcurrent || requiresWriteAccess {
            regionWatch = RegionWatch(region: region) { [self, unowned watch] db in
                events.databaseDidChange?()
                if !isConcurrent {
                    fetchOnWriter(db, watch)
                } else if beginFetch() != nil {
                    fetchConcurrently(writer)
                }
            }
        } else {
            regionWatch = RegionWatch(region: region) { [events] _ in
                events.databaseDidChange?()
            } read: { [self, unowned watch] db in
                accept(from: db, watch) ? { self.makeSoon() } : nil
            }
        }
        watch.watch = regionWatch
        db.add(regionWatch)
        _ = endFetch()
        onEnd { writer.asyncWriteWithoutTransaction { $0.remove(watch) } }
        return watch
    }

    private func fetchOnWriter(_ db: Database, _ observed: ObservedWatch) {
        if accept(from: db, observed) { makeSoon() }
    }

    /// Fetches, and appends what was fetched to the rest.
    ///
    /// - Returns: Whether to make values, which nobody does at the moment.
    private func accept(from db: Database, _ observed: ObservedWatch) -> Bool {
        guard let watch = observed.watch, let steps = beginFetch() else { return false }
        var isToMake = false
        repeat {
            watch.isMuted = true
            let result = db.withstandingCancellation {
                Result { try fetchTracking(db, steps, known: watch.region) }
            }
            watch.isMuted = false
            if case .success(let (_, region)) = result { db.update(watch, to: region) }
            if accept(result.map(\.fetched)) { isToMake = true }
        } while endFetch()
        return isToMake
    }

    // MARK: Beside the connection that writes

    private func startConcurrently(
        _ pool: any DatabaseWriter, _ commits: CommitCount, _ isImmediate: Bool
    ) {
        let recording = commits.record()
        if isImmediate {
            guard let steps else { return }
            let result = Result {
                try pool.unsafeReentrantRead { try fetchFirst($0, steps, commits) }
            }
            let isFirst = accept(result.map(\.fetched))
            if let first = try? result.get() { watch(after: first, pool, recording) }
            if isFirst { makeAll(isImmediate: true) }
        } else {
            pool.asyncUnsafeRead { [self] db in
                guard let steps else { return }
                let result = Result { try fetchFirst(db.get(), steps, commits) }
                let isFirst = accept(result.map(\.fetched))
                // Before the value is told: what is written by whom it was told is then watched.
                if let first = try? result.get() { watch(after: first, pool, recording) }
                if isFirst { makeSoon() }
            }
        }
    }

    private typealias First =
        (fetched: ObservationSteps.Fetched, region: DatabaseRegion, commits: Int?)

    /// - Returns: With how many commits the state was read, if that is known: all of them are in it.
    private func fetchFirst(
        _ db: Database, _ steps: ObservationSteps, _ commits: CommitCount
    ) throws -> First {
        let count = db.isInsideTransaction ? nil : commits.value
        let (fetched, region) = try fetchTracking(db, steps)
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
            if steps == nil { return }
            let watch = addWatch(of: first.region, to: db, pool)
            if let number = first.commits,
                recording.haveLeftAlone(first.region, since: number)
            {
                return
            }
            if tracking.isConstant {
                if beginFetch() != nil { fetchConcurrently(pool) }
            } else {
                fetchOnWriter(db, watch)
            }
        }
    }

    private func fetchConcurrently(_ pool: any DatabaseWriter) {
        pool.asyncUnsafeRead { [self] db in
            guard let steps else { return }
            receive(Result { try fetch(db.get(), steps) })
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
