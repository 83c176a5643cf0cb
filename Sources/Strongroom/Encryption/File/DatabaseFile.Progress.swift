extension DatabaseFile {
    /// How far long work on a file has come.
    public struct Progress: Sendable {
        /// What the work is busy with.
        public enum Phase: Sendable {
            /// Opening, taking locks, counting rows.
            case preparing
            /// Writing the new file.
            case copying
            /// Reading the new file back.
            case verifying
            /// Examining an existing file.
            case checking
            /// Giving the new file its name.
            case finishing
        }

        /// What the work is busy with.
        public var phase: Phase
        /// Bytes done in this phase.
        public var completedByteCount: Int64
        /// All bytes of this phase, 0 if that is not known; for encryption and decryption an
        /// estimate.
        public var totalByteCount: Int64

        /// The part of the phase that is done, from 0 to 1; `nil` if it is not known.
        public var fractionCompleted: Double? {
            guard totalByteCount > 0 else { return nil }
            return min(1, Double(completedByteCount) / Double(totalByteCount))
        }
    }
}

/// Takes progress to the caller's closure, and its refusal back to the work.
final class ProgressMeter {
    private let handler: DatabaseFile.ProgressHandler?
    private var progress = DatabaseFile.Progress(
        phase: .preparing, completedByteCount: 0, totalByteCount: 0)

    /// What the closure has thrown. Work ended by it throws this, whatever error it came out with.
    private(set) var cancellation: (any Error)?

    init(_ handler: DatabaseFile.ProgressHandler?) {
        self.handler = handler
    }

    func begin(_ phase: DatabaseFile.Progress.Phase, totalByteCount: Int64 = 0) throws {
        progress = DatabaseFile.Progress(
            phase: phase, completedByteCount: 0, totalByteCount: totalByteCount)
        try report()
    }

    func advance(to completedByteCount: Int64) throws {
        progress.completedByteCount = completedByteCount
        try report()
    }

    private func report() throws {
        do {
            try handler?(progress)
        } catch {
            cancellation = error
            throw error
        }
    }

    /// Keeps asking the closure while statements run on a connection.
    func watching<T>(_ database: Database, _ body: () throws -> T) throws -> T {
        guard handler != nil else { return try body() }
        return try ProgressCallback.watching(
            database.connection(), every: 20_000,
            shouldStop: {
                do {
                    try report()
                    return false
                } catch {
                    return true
                }
            }, body)
    }
}
