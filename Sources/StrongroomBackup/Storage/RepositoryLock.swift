internal import LibC
import StrongroomCore

/// A lock on a file of the repository, which ends with this value or with the process (`flock`).
final class RepositoryLock {
    enum Kind {
        /// With others of the same kind.
        case shared
        case alone
    }

    /// The first pause is short: many hold a lock for less.
    private static let microsecondsBetweenTries: (first: UInt32, last: UInt32) = (100, 20_000)

    private let descriptor: FileSystem.Descriptor
    private let fileSystem: FileSystem

    private init(_ descriptor: FileSystem.Descriptor, _ fileSystem: FileSystem) {
        self.descriptor = descriptor
        self.fileSystem = fileSystem
    }

    deinit {
        fileSystem.close(descriptor)
    }

    /// Waits, as long as the work may go on, for others to let go.
    ///
    /// - Parameter patience: How long at most; without end by default.
    /// - Returns: Nil where the file system is read-only: then nobody changes anything.
    static func take(
        _ name: String, in folder: RepositoryFolder, _ kind: Kind, _ operation: LongOperation,
        patience: Duration? = nil
    ) throws -> RepositoryLock? {
        let opened = Result { try folder.openOrCreate(name) }
        if kind == .shared, case .failure(let error as SystemError) = opened,
            error.isReadOnly || error.isForbidden
        {
            return nil
        }
        let lock = RepositoryLock(try opened.get(), folder.fileSystem)
        var isWaiting = false
        var pause = microsecondsBetweenTries.first
        let start = ContinuousClock.now
        while try !lock.isTaken(kind, folder.path(of: name)) {
            if !isWaiting { try operation.begin(.waiting) }
            isWaiting = true
            try operation.check()
            if let patience, ContinuousClock.now - start > patience {
                let path = folder.path(of: name)
                throw BackupError(.inUse, path, "another process holds \(path)")
            }
            usleep(pause)
            pause = min(2 * pause, microsecondsBetweenTries.last)
        }
        return lock
    }

    private func isTaken(_ kind: Kind, _ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            return kind == .shared
                ? try fileSystem.lockShared(descriptor) : try fileSystem.lock(descriptor)
        } catch {
            throw SystemError(error.call, path, number: error.number)
        }
    }
}
