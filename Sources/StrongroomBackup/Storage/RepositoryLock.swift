internal import LibC
import StrongroomCore

/// A lock on the repository, which ends with this value or with the process: the system's (`flock`) in a folder, and
/// a lease where a server keeps the folder, or where others reach it through one.
final class RepositoryLock: Sendable {
    enum Kind: Sendable {
        /// With others of the same kind.
        case shared
        case alone
    }

    /// The first pause is short: many hold a lock for less.
    private static let microsecondsBetweenTries: (first: UInt32, last: UInt32) = (100, 20_000)
    private static let microsecondsBetweenLeases: ClosedRange<UInt32> = 150_000...350_000

    private let descriptor: FileSystem.Descriptor?
    private let fileSystem: FileSystem
    private let lease: RepositoryLease?

    private init(
        _ descriptor: FileSystem.Descriptor?, _ fileSystem: FileSystem, _ lease: RepositoryLease?
    ) {
        self.descriptor = descriptor
        self.fileSystem = fileSystem
        self.lease = lease
    }

    deinit {
        lease?.release()
        descriptor.map { fileSystem.unlock(closing: $0) }
    }

    /// - Throws: ``BackupError`` `.inUse` if others may no longer know of it.
    func requireHeld() throws {
        try lease?.requireHeld()
    }

    /// Waits, as long as the work may go on, for others to let go.
    ///
    /// - Parameter patience: How long at most; without end by default.
    /// - Returns: Nil where the file system is read-only: then nobody changes anything.
    static func take(
        _ name: String, in folder: RepositoryFolder, _ kind: Kind, _ operation: LongOperation,
        patience: Duration? = nil
    ) throws -> RepositoryLock? {
        var wait = Wait(operation: operation, patience: patience, path: folder.path(of: name))
        let fileSystem = folder.fileSystem
        do {
            guard fileSystem.locksFiles else {
                if try !folder.contains(RepositoryLayout.leases) {
                    try folder.makeFolderUnlessThere(RepositoryLayout.leases)
                }
                return RepositoryLock(nil, fileSystem, try lease(name, in: folder, kind, &wait))
            }
            let file = try folder.openOrCreate(name)
            do {
                var pause = microsecondsBetweenTries.first
                while try !isTaken(file, fileSystem, kind, folder.path(of: name)) {
                    try wait.once(microseconds: pause)
                    pause = min(2 * pause, microsecondsBetweenTries.last)
                }
                let isShared = try folder.contains(RepositoryLayout.leases)
                return RepositoryLock(
                    file, fileSystem, isShared ? try lease(name, in: folder, kind, &wait) : nil)
            } catch {
                fileSystem.close(file)
                throw error
            }
        } catch let error as SystemError
            where kind == .shared && (error.isReadOnly || error.isForbidden)
        {
            return nil
        }
    }

    private static func lease(
        _ name: String, in folder: RepositoryFolder, _ kind: Kind, _ wait: inout Wait
    ) throws -> RepositoryLease {
        var rivals = LeaseRivals(name, in: try folder.folder(RepositoryLayout.leases))
        while true {
            let start = ContinuousClock.now
            if let lease = try RepositoryLease.tryToTake(&rivals, kind) { return lease }
            // Of two that have met, one should be through with its next attempt before the other begins.
            let duration = (ContinuousClock.now - start).components
            let attempt = duration.seconds * 1_000_000 + duration.attoseconds / 1_000_000_000_000
            repeat {
                wait.holder = rivals.holder
                let more = UInt32(Int64.random(in: 0...min(3 * attempt, 10_000_000)))
                try wait.once(microseconds: .random(in: microsecondsBetweenLeases) + more)
            } while try rivals.isOneThere(besides: "", kind, own: RepositoryLease.own)
        }
    }

    /// Waiting for others, in steps.
    private struct Wait {
        let operation: LongOperation
        let patience: Duration?
        let path: String
        var holder: String?
        private let start = ContinuousClock.now
        private var isWaiting = false

        init(operation: LongOperation, patience: Duration?, path: String) {
            self.operation = operation
            self.patience = patience
            self.path = path
        }

        mutating func once(microseconds: UInt32) throws {
            if !isWaiting { try operation.begin(.waiting) }
            isWaiting = true
            try operation.check()
            if let patience, ContinuousClock.now - start > patience {
                throw BackupError(.inUse, path, "\(holder ?? "another process") holds \(path)")
            }
            usleep(microseconds)
        }
    }

    private static func isTaken(
        _ file: FileSystem.Descriptor, _ fileSystem: FileSystem, _ kind: Kind, _ path: String
    ) throws(SystemError) -> Bool {
        do throws(SystemError) {
            return kind == .shared ? try fileSystem.lockShared(file) : try fileSystem.lock(file)
        } catch {
            throw SystemError(error.call, path, number: error.number)
        }
    }
}
