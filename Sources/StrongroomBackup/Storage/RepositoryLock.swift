internal import LibC
import Strongroom

/// A lock on a file of the repository, which ends with this value or with the process (`flock`).
final class RepositoryLock {
    enum Kind {
        /// With others of the same kind.
        case shared
        case alone
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Waits, as long as the work may go on, for others to let go.
    ///
    /// - Returns: Nil where the file system is read-only: then nobody changes anything.
    static func take(
        _ name: String, in folder: RepositoryFolder, _ kind: Kind, _ operation: LongOperation
    ) throws -> RepositoryLock? {
        let opened = Result { try folder.openOrCreate(name) }
        if kind == .shared, case .failure(let error as SystemError) = opened,
            error.isReadOnly || error.isForbidden
        {
            return nil
        }
        let lock = RepositoryLock(try opened.get())
        let lockKind = (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
        var isWaiting = false
        while flock(lock.descriptor, lockKind) != 0 {
            let number = errno
            guard [EWOULDBLOCK, EINTR].contains(number) else {
                throw SystemError("flock", folder.path(of: name), number: number)
            }
            if !isWaiting { try operation.begin(.waiting) }
            isWaiting = true
            try operation.check()
            usleep(20_000)
        }
        return lock
    }

    /// Makes a folder that others may not look into.
    static func makeFolder(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o700) == 0 else {
            throw SystemError("mkdir", path, number: errno)
        }
    }
}
