public import StrongroomCore

/// The reason why a database could not be synchronised.
///
/// `path` is the database's file, or where the hub is. No error contains a key or a value.
public struct SyncError: OperationError {
    /// The kinds of ``SyncError``; later versions may add kinds.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The database belongs to no space.
        public static let noSpace = Code(rawValue: "noSpace")
        /// The database belongs to a space already.
        public static let hasSpace = Code(rawValue: "hasSpace")
        /// Another engine works on the database.
        public static let inUse = Code(rawValue: "inUse")
        /// The engine was closed.
        public static let closed = Code(rawValue: "closed")
        /// The hub shows this device another roster than it has shown before, or than it shows others.
        public static let rosterFork = Code(rawValue: "rosterFork")
        /// This device was removed from the space, or has no right to what was asked.
        public static let notMember = Code(rawValue: "notMember")
        /// A table merges by other policies here than in the space.
        public static let policyMismatch = Code(rawValue: "policyMismatch")
        /// The text is no ticket.
        public static let invalidTicket = Code(rawValue: "invalidTicket")
        /// The ticket was used, has lapsed, or was withdrawn.
        public static let ticketUsed = Code(rawValue: "ticketUsed")
        /// A shared table is missing in the database.
        public static let missingTable = Code(rawValue: "missingTable")
        /// Something in the hub is damaged, forged, or of a later version.
        public static let refusedObject = Code(rawValue: "refusedObject")
        /// The app is older than the version that was asked for.
        public static let outdatedApp = Code(rawValue: "outdatedApp")
        /// What the engine keeps in the database is damaged.
        public static let damagedStore = Code(rawValue: "damagedStore")
    }

    /// What kind of error it is.
    public let code: Code
    /// The message, the hint and the underlying error.
    public let details: ErrorDetails

    /// Creates an error of a kind, with the details of another error.
    public init(code: Code, details: ErrorDetails) {
        self.code = code
        self.details = details
    }
}

extension SyncError {
    static func closed(_ path: String) -> SyncError {
        SyncError(
            .closed, path, "the engine of \(path) is closed", hint: "create another SyncEngine")
    }

    static func damagedStore(_ what: String) -> SyncError {
        SyncError(
            .damagedStore, what, "what synchronisation keeps in the database is damaged: \(what)",
            hint: "check the database; a backup from before the damage can be restored")
    }
}
