/// How far long work on a file or a repository has come.
public struct OperationProgress: Sendable {
    /// What the work is busy with; more kinds may come.
    public struct Phase: RawRepresentable, Sendable, Hashable {
        /// The name of the phase.
        public let rawValue: String

        /// A phase by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Waiting for another run to end.
        public static let waiting = Phase(rawValue: "waiting")
        /// Opening, taking locks, counting rows.
        public static let preparing = Phase(rawValue: "preparing")
        /// Writing a new file from an existing one.
        public static let copying = Phase(rawValue: "copying")
        /// Reading the database, and storing what has changed.
        public static let storing = Phase(rawValue: "storing")
        /// Writing a database from its backup.
        public static let restoring = Phase(rawValue: "restoring")
        /// Reading back what was written.
        public static let verifying = Phase(rawValue: "verifying")
        /// Examining an existing file.
        public static let checking = Phase(rawValue: "checking")
        /// Removing what is no longer needed.
        public static let pruning = Phase(rawValue: "pruning")
        /// Making it last, and giving it its name.
        public static let finishing = Phase(rawValue: "finishing")
    }

    /// What the work is busy with.
    public var phase: Phase
    /// Bytes done in this phase.
    public var completedByteCount: Int64
    /// All bytes of this phase, 0 if that is not known; for encryption and decryption an estimate.
    public var totalByteCount: Int64

    /// The part of the phase that is done, from 0 to 1; `nil` if it is not known.
    public var fractionCompleted: Double? {
        guard totalByteCount > 0 else { return nil }
        return min(1, Double(completedByteCount) / Double(totalByteCount))
    }

    /// Called on the caller's thread when a phase begins, and forty times a second during the work.
    ///
    /// What it throws ends the work as soon as the disk allows, and is rethrown: what waits for the
    /// disk is not interrupted. The work itself is done on another thread, which also runs the app's
    /// `prepareDatabase` functions.
    public typealias Handler = (OperationProgress) throws -> Void
}
