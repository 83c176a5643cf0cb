internal import Synchronization

/// Brings a growing file to the disk while it is written.
///
/// 1. At most ``limit`` bytes wait for the disk at a time. Whoever closes a file without a name, or ends
///    the process, waits for what is on its way to the disk; and so does `fsync`, which nothing
///    interrupts.
/// 2. It guarantees nothing: `synchronize` does.
package final class WriteBehind: Sendable {
    private static let stepByteCount: Int64 = 8 << 20
    private static let limit: Int64 = 4 * stepByteCount

    private let descriptor: FileSystem.Descriptor
    private let fileSystem: FileSystem
    private let progress = Mutex((begunByteCount: Int64(0), doneByteCount: Int64(0)))

    package init(_ descriptor: FileSystem.Descriptor, _ fileSystem: FileSystem) {
        self.descriptor = descriptor
        self.fileSystem = fileSystem
    }

    /// To be called now and then while the file grows.
    package func advance() {
        guard let byteCount = try? fileSystem.descriptorStatus(descriptor).byteCount else { return }
        advance(to: byteCount)
    }

    /// To be called when the file is written up to there.
    ///
    /// Whoever comes while another one waits for the disk waits, too.
    package func advance(to byteCount: Int64) {
        let step = Self.stepByteCount
        progress.withLock { progress in
            while byteCount - progress.begunByteCount >= step {
                fileSystem.beginSynchronizing(descriptor, progress.begunByteCount, step)
                progress.begunByteCount += step
                let waiting = progress.begunByteCount - progress.doneByteCount
                guard waiting > Self.limit else { continue }
                fileSystem.finishSynchronizing(descriptor, progress.doneByteCount, step)
                progress.doneByteCount += step
            }
        }
    }
}

extension FileSystem {
    /// Brings a file to the disk in steps of some megabytes.
    ///
    /// - Parameter check: Called before each; an error that it throws ends the work.
    package func synchronize(_ descriptor: Descriptor, check: () throws -> Void) throws {
        let byteCount = try descriptorStatus(descriptor).byteCount
        let step: Int64 = 8 << 20
        for offset in stride(from: 0, to: byteCount, by: Int(step)) {
            try check()
            finishSynchronizing(descriptor, offset, step)
        }
        try check()
        try synchronize(descriptor)
    }
}
