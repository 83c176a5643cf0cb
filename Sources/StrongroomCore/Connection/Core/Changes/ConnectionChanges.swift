/// Who is told of the changes that a connection makes, and what it has changed so far.
///
/// Invariants:
/// 1. It is used on the executor of its connection only.
/// 2. As long as nobody observes, no hook is installed, and a statement costs one test more.
/// 3. `savepoints` are those that are open inside the transaction, outermost first, whether anybody
///    observes or not: one who comes later must know what is taken back. An event is told when no
///    savepoint is open, and held by the innermost one otherwise.
/// 4. A watch is in `touched`, or in that of one savepoint, if and only if its `isTouched` is set.
/// 5. Nobody is called while a list is gone through that the call may change.
final class ConnectionChanges {
    unowned let database: Database
    private(set) var observers: [ObserverEntry] = []
    var watches = WatchIndex()
    var savepoints: [Savepoint] = []
    var touched: [RegionWatch] = []

    /// The changes that the statement which runs is observed for.
    var interests: [Interest] = []
    weak var writer: Statement?
    /// The tables whose names SQLite has just told, by the addresses of these.
    var resolved: [(address: UInt, target: EventTarget)] = []
    private(set) var hasUpdateHook = false
    private var hasCommitHook = false

    /// What an observer threw to refuse the commit.
    var refusal: (any Error)?
    /// Whether observers were told of a change of the open transaction.
    var hasTold = false
    /// Whether the observers were asked before the commit that is under way.
    var hasAskedForCommit = false

    /// The changes that an observer is being told of on this thread.
    static let telling = ThreadLocal<Unmanaged<ConnectionChanges>>()

    struct Savepoint {
        /// In lower case.
        let name: String
        var touched: [RegionWatch] = []
        var held: [HeldChange] = []
    }

    init(_ database: Database) {
        self.database = database
    }

    var hasOpenSavepoints: Bool { !savepoints.isEmpty }

    /// Whether a transaction has changed something whose end was not told.
    var hasUntoldChanges: Bool {
        hasTold || hasAskedForCommit || !touched.isEmpty || !savepoints.isEmpty
    }

    var isObserved: Bool { !observers.isEmpty || !watches.isEmpty }

    func add(_ observer: any TransactionObserver, extent: Database.TransactionObservationExtent) {
        observers.append(ObserverEntry(observer, extent: extent))
        watches.noteChange()
        installHooks()
    }

    /// Tells those whom a connection told that is closed, outside of any transaction.
    func takeOver(from closed: ConnectionChanges) {
        observers = closed.observers
        watches = closed.watches
        watches.noteChange()
        installHooks()
    }

    func remove(_ observer: any TransactionObserver) {
        observers.removeAll { $0.observer === observer || $0.observer == nil }
        installHooks()
    }

    func mute(_ observer: any TransactionObserver) {
        for entry in observers where entry.observer === observer { entry.isMuted = true }
    }

    /// Lets those go whose time is over.
    func removeEndedObservers() {
        guard observers.contains(where: { $0.observer == nil || $0.endsWithTransaction }) else {
            return
        }
        observers.removeAll { $0.observer == nil || $0.endsWithTransaction }
        installHooks()
    }

    /// Installs the hooks that are needed now, and takes those away that are not.
    func installHooks() {
        guard let connection = database.openConnection else { return }
        if !isObserved { interests = [] }
        let needsCommitHook = !observers.isEmpty || database.origin != nil
        if hasCommitHook != needsCommitHook {
            hasCommitHook = needsCommitHook
            database.hooks.setCommitHook(
                connection,
                hasCommitHook ? { [unowned self] in agreesToCommit() } : nil)
        }
        if hasUpdateHook != !interests.isEmpty {
            hasUpdateHook = !interests.isEmpty
            database.hooks.setUpdateHook(
                connection,
                hasUpdateHook ? { [unowned self] change in note(change) } : nil)
            // Watches have no use for it.
            let hasPreUpdateHook = hasUpdateHook && !observers.isEmpty
            database.hooks.setPreUpdateHook(
                connection,
                hasPreUpdateHook ? { [unowned self] row in note(row) } : nil)
        }
        if !isObserved, !database.hooks.rowwiseDeletions.isEmpty {
            database.hooks.setRowwiseDeletions(connection, from: [])
        }
    }
}

// MARK: - Watches

extension Database {
    /// Tells a watch of commits, from now on.
    package func add(_ watch: RegionWatch) {
        changes.watches.add(watch)
    }

    package func remove(_ watch: RegionWatch) {
        changes.watches.remove(watch)
        watch.end()
        changes.installHooks()
    }

    package func update(_ watch: RegionWatch, to region: DatabaseRegion) {
        changes.watches.update(watch, to: region)
    }
}
