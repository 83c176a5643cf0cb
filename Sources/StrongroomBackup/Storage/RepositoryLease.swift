internal import Dispatch
internal import LibC
import StrongroomCore
internal import Synchronization

/// A file in the repository that says who uses it, where the locks of the system do not reach: on a server, and
/// in a folder that others reach through one.
///
/// 1. Each process creates a file of its own and then lists the folder. Of two that come at the same time, at least
///    one sees the other. The one that sees another that may not be there lets go, and tries again.
/// 2. The file changes all the time. One that stays as it is for ``FileSystem/leaseLifetime``, by the clock of the
///    process that looks, is of a process that is gone: no two clocks are compared. One of this host whose
///    process has ended counts for nothing.
/// 3. A process that could not renew its own file in time replaces no head any more.
final class RepositoryLease: Sendable {
    private struct State {
        var lastRenewal = ContinuousClock.now
        var count = 0
    }

    private static let names = Mutex<Set<String>>([])

    /// Those of this process.
    static var own: Set<String> { names.withLock { $0 } }

    private let name: String
    private let folder: RepositoryFolder
    private let lifetime: Duration
    private let state = Mutex(State())
    private let isOver = DispatchSemaphore(value: 0)

    private init(_ name: String, in folder: RepositoryFolder) {
        self.name = name
        self.folder = folder
        lifetime = folder.fileSystem.leaseLifetime
    }

    /// Takes a lease; nil while another process has one.
    static func tryToTake(
        _ rivals: inout LeaseRivals, _ kind: RepositoryLock.Kind
    ) throws -> RepositoryLease? {
        let lease = RepositoryLease(rivals.newName(kind), in: rivals.folder)
        names.withLock { _ = $0.insert(lease.name) }
        do {
            let file = try lease.folder.create(lease.name)
            let fileSystem = lease.folder.fileSystem
            defer { fileSystem.close(file) }
            try lease.content().withUnsafeBytes { try fileSystem.writeAll($0, to: file) }
            try fileSystem.synchronize(file)
            guard try !rivals.isOneThere(besides: lease.name, kind, own: own) else {
                lease.release()
                return nil
            }
        } catch {
            lease.release()
            throw error
        }
        SystemThread.run(whereThereAreThreads: lease.renewing())
        return lease
    }

    private func content() -> [UInt8] {
        let count = state.withLock { state in
            state.count += 1
            return state.count
        }
        return Array("\(LeaseHolder.this.text)\(count)\n".utf8)
    }

    /// What a thread does until the lease is let go.
    private func renewing() -> @Sendable () -> Void {
        let isOver = isOver
        let pause = lifetime / 4
        let milliseconds =
            Int(pause.components.seconds * 1000)
            + Int(pause.components.attoseconds / 1_000_000_000_000_000)
        return { [weak self] in
            while isOver.wait(timeout: .now() + .milliseconds(milliseconds)) == .timedOut {
                guard let self else { return }
                renew()
            }
        }
    }

    private func renew() {
        let start = ContinuousClock.now
        guard (try? folder.contains(name)) == true,
            (try? folder.write(content(), to: name, by: folder)) != nil
        else { return }
        state.withLock { $0.lastRenewal = start }
    }

    /// - Throws: ``BackupError`` `.inUse` if others may by now take the lease for one that is over.
    func requireHeld() throws {
        let age = state.withLock { ContinuousClock.now - $0.lastRenewal }
        guard age > lifetime * 3 / 4 else { return }
        throw BackupError(
            .inUse, folder.path,
            "the repository could not be kept for this run: \(folder.path) was not reached",
            hint: "check the connection, and run the command again")
    }

    /// Lets go: what cannot be removed is at least renamed, so that an append-only host knows of it.
    func release() {
        isOver.signal()
        do {
            try folder.remove(name)
        } catch {
            try? folder.rename(name, to: folder, as: LeaseRivals.released)
        }
        let name = name
        Self.names.withLock { _ = $0.remove(name) }
    }
}

/// Who holds a lease: the first lines of its file.
struct LeaseHolder: Equatable {
    let host: String
    /// Processes of another namespace have other numbers.
    let processes: String
    let process: Int32

    static let this: LeaseHolder = {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let processes = (try? FileSystem.system.linkTarget("/proc/self/ns/pid")) ?? "-"
        return LeaseHolder(
            host: PathText.text(of: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }),
            processes: processes, process: getpid())
    }()

    private init(host: String, processes: String, process: Int32) {
        self.host = host
        self.processes = processes
        self.process = process
    }

    /// Nil for what is no lease, or not yet.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 6, lines[0] == Self.title, let process = Int32(lines[3]) else {
            return nil
        }
        self.init(host: String(lines[1]), processes: String(lines[2]), process: process)
    }

    private static let title = "strongroom lease"

    var text: String { "\(Self.title)\n\(host)\n\(processes)\n\(process)\n" }

    /// Whether it is known that the process has ended.
    func hasEnded(own isOwn: Bool) -> Bool {
        let this = Self.this
        guard host == this.host, processes == this.processes else { return false }
        if process == this.process { return !isOwn }
        return process > 0 && kill(process, 0) != 0 && errno == ESRCH
    }
}

/// The leases of others, and since when they are as they are.
struct LeaseRivals {
    static let released = "released"
    private static let largestByteCount = 4096

    let folder: RepositoryFolder
    private let lock: String
    private var seen: [String: (bytes: [UInt8], since: ContinuousClock.Instant)] = [:]
    /// The one that was met last, in words.
    private(set) var holder: String?

    init(_ lock: String, in folder: RepositoryFolder) {
        self.lock = lock
        self.folder = folder
    }

    func newName(_ kind: RepositoryLock.Kind) -> String {
        "\(lock).\(kind).\(RepositoryLayout.temporaryName())"
    }

    /// Looks for a lease that does not go with one of a kind; those that are over are removed.
    mutating func isOneThere(
        besides name: String, _ kind: RepositoryLock.Kind, own: Set<String>
    ) throws -> Bool {
        var isOneThere = false
        for other in try folder.names() where other != name && goesNot(other, with: kind) {
            guard let bytes = try content(other) else { continue }
            let holder = LeaseHolder(bytes)
            if holder?.hasEnded(own: own.contains(other)) == true || isOld(other, bytes) {
                try? folder.remove(other)
                continue
            }
            self.holder = holder.map { "process \($0.process) on \($0.host)" } ?? "another process"
            isOneThere = true
        }
        return isOneThere
    }

    private func goesNot(_ name: String, with kind: RepositoryLock.Kind) -> Bool {
        let alone = "\(lock).\(RepositoryLock.Kind.alone)."
        let shared = "\(lock).\(RepositoryLock.Kind.shared)."
        return name.hasPrefix(alone) || (kind == .alone && name.hasPrefix(shared))
    }

    /// Nil for one that is gone by now.
    private func content(_ name: String) throws -> [UInt8]? {
        do {
            return try folder.content(of: name, limit: Self.largestByteCount)
        } catch let error as SystemError where error.isMissing {
            return nil
        }
    }

    private mutating func isOld(_ name: String, _ bytes: [UInt8]) -> Bool {
        guard let known = seen[name], known.bytes == bytes else {
            seen[name] = (bytes, .now)
            return false
        }
        return ContinuousClock.now - known.since > folder.fileSystem.leaseLifetime
    }
}

extension SystemThread {
    /// Runs a body on a thread that nobody waits for, or not at all.
    fileprivate static func run(whereThereAreThreads body: @escaping @Sendable () -> Void) {
        SystemThread(body)?.detach()
    }
}
