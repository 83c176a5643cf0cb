internal import LibC
internal import StrongroomCore

/// Keeps several engines from working on one file: an app and a daemon, or two apps.
///
/// It is the system's lock (`flock`) on `NAME-sync.lock` beside the file, which ends with ``release()``, with this
/// value, or with the process. Capture needs no lock.
///
/// 1. The file of the lock is never removed: a second process could hold the removed one.
/// 2. Only the holder writes its name and the witness into the file (see ``FileWitness``).
// Safety: the descriptor is set once, and closed by deinit.
package final class EngineLock: Sendable {
    /// The process that has the lock, as it wrote it itself.
    package struct Holder: Sendable, Hashable, CustomStringConvertible {
        package let process: Int32
        package let program: String

        package init(process: Int32, program: String) {
            self.process = process
            self.program = program
        }

        package var description: String { "\(program) (process \(process))" }
    }

    /// What came of an attempt to take the lock.
    package enum Attempt: Sendable {
        case taken(EngineLock)
        /// Another engine has it; nil as long as it has not written its name.
        case held(by: Holder?)
    }

    /// The path of the lock's file.
    package let path: String
    private let descriptor: Int32

    private init(_ path: String, _ descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { _ = close(descriptor) }

    /// Ends the lock now: what else refers to this value, an actor or a task that is about to end, may do so a little longer.
    package func release() { _ = flock(descriptor, LOCK_UN) }

    /// The path of the lock for a database. Links are followed: a file has one lock.
    package static func path(forDatabaseAt path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path + "-sync.lock" }
        defer { free(resolved) }
        return String(cString: resolved) + "-sync.lock"
    }

    /// Tries to take the lock, and does not wait.
    ///
    /// - Parameter program: What the lock's file names as the holder.
    /// - Throws: `SystemError` if the lock's file cannot be opened or written.
    package static func attempt(
        forDatabaseAt database: String, program: String
    ) throws -> Attempt {
        let path = path(forDatabaseAt: database)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("open", path, number: errno) }
        let lock = EngineLock(path, descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw SystemError("flock", path, number: errno) }
            return .held(by: lock.readHolder())
        }
        try lock.write(Holder(process: getpid(), program: program), database)
        return .taken(lock)
    }

    /// Takes the lock, and waits as long as another engine has it.
    ///
    /// - Parameter onWait: Called with the holder at first, and whenever it is another one.
    /// - Throws: `CancellationError` if the task is cancelled; `SystemError`.
    package static func take(
        forDatabaseAt database: String, program: String,
        onWait: @Sendable (Holder?) -> Void = { _ in }
    ) async throws -> EngineLock {
        var last: Holder??
        while true {
            switch try attempt(forDatabaseAt: database, program: program) {
            case .taken(let lock): return lock
            case .held(let holder):
                if last != .some(holder) { onWait(holder) }
                last = .some(holder)
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    // MARK: - The file of the lock

    /// What was last noted of the database; nil if there is nothing.
    package func witness() -> FileWitness? {
        lines().lazy.compactMap { FileWitness(line: $0) }.first
    }

    /// Notes where the database is, and how far.
    package func note(_ witness: FileWitness) throws {
        // All lines before have their own length.
        let start = lines().prefix { FileWitness(line: $0) == nil }.prefix(2)
            .reduce(0) { $0 + $1.utf8.count + 1 }
        let bytes = Array(witness.line.utf8)
        guard
            bytes.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, off_t(start)) })
                == bytes.count
        else { throw SystemError("write", path, number: errno) }
    }

    private func write(_ holder: Holder, _ database: String) throws {
        // Whoever may open the database may wait for its engine.
        var status = stat()
        if stat(database, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o666) }
        let kept = witness()?.line ?? ""
        let text = "\(holder.process)\n\(holder.program)\n" + kept
        let bytes = Array(text.utf8)
        // In one call: a process that is killed leaves the old text or the new one.
        guard
            bytes.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) })
                == bytes.count, ftruncate(descriptor, off_t(bytes.count)) == 0
        else { throw SystemError("write", path, number: errno) }
    }

    private func readHolder() -> Holder? {
        let lines = lines()
        guard lines.count >= 2, let process = Int32(lines[0]) else { return nil }
        return Holder(process: process, program: String(lines[1]))
    }

    private func lines() -> [Substring] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count > 0 else { return [] }
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    }
}
