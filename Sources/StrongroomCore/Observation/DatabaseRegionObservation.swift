internal import Synchronization

/// The transactions that touch a part of the database.
///
///     let observation = DatabaseRegionObservation(tracking: Player.all())
///     let cancellable = observation.start(in: dbQueue) { error in
///         …
///     } onChange: { db in
///         …
///     }
///
/// It is told of each such transaction, right after the commit and before any other write. What
/// `ValueObservation` does not notice, it does not either.
public struct DatabaseRegionObservation: Sendable {
    private let regions: [any DatabaseRegionConvertible]

    /// Observes requests, tables, regions.
    ///
    ///     let regions = DatabaseRegionObservation(tracking: Player.all(), Team.all())
    public init(tracking regions: any DatabaseRegionConvertible...) {
        self.init(tracking: regions)
    }

    /// Observes requests, tables, regions.
    public init(tracking regions: [any DatabaseRegionConvertible]) {
        self.regions = regions
    }

    /// Starts observing, from the next transaction on.
    ///
    /// It waits for the write access that is in progress, unless it is called from inside. The
    /// database stays open as long as the observation goes on.
    ///
    ///     let cancellable = DatabaseRegionObservation(tracking: Player.all())
    ///         .start(in: dbQueue, onError: { _ in }, onChange: { _ in print("players changed") })
    ///
    /// - Parameters:
    ///   - writer: The queue or pool to observe.
    ///   - onError: Called when the region could not be found; nothing is then observed.
    ///   - onChange: Called by the thread that has committed, which may use the database.
    /// - Returns: What stops the observation: when it is cancelled, or when it is released.
    @preconcurrency public func start(
        in writer: any DatabaseWriter, onError: @escaping @Sendable (any Error) -> Void,
        onChange: @escaping @Sendable (Database) -> Void
    ) -> AnyDatabaseCancellable {
        let handle = ObservedRegion(writer)
        writer.unsafeReentrantWrite { db in
            do {
                let region = try regions.reduce(into: DatabaseRegion()) { region, other in
                    region.formUnion(try other.databaseRegion(db))
                }
                let watch = RegionWatch(region: region) { [unowned handle] db in
                    if !handle.isCancelled { onChange(db) }
                }
                handle.watch = watch
                db.add(watch)
            } catch {
                onError(error)
            }
        }
        return AnyDatabaseCancellable { handle.cancel() }
    }
}

/// The watch of a region's observation.
// Safety: `watch` is touched on the executor of the writer only.
private final class ObservedRegion: @unchecked Sendable {
    var watch: RegionWatch?
    private let writer: any DatabaseWriter
    private let cancelled = Atomic(false)

    init(_ writer: any DatabaseWriter) {
        self.writer = writer
    }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() {
        cancelled.store(true, ordering: .releasing)
        writer.asyncWriteWithoutTransaction { [self] db in
            if let watch { db.remove(watch) }
            watch = nil
        }
    }
}
