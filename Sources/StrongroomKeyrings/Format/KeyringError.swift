public import StrongroomCore

/// Why a keyring could not be read, opened or changed.
///
/// `hint` says what to do. No error contains a secret.
public struct KeyringError: OperationError {
    /// The kinds of ``KeyringError``.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The database has no keyring.
        public static let notFound = Code(rawValue: "notFound")
        /// The database has a keyring already.
        public static let exists = Code(rawValue: "exists")
        /// Nothing that was given opens any of its slots.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The keyring is not as it was written.
        public static let damaged = Code(rawValue: "damaged")
        /// It is the keyring of another database, or was not written by anyone who had the key.
        public static let foreign = Code(rawValue: "foreign")
        /// The database file is older than the last change of its key.
        public static let outdated = Code(rawValue: "outdated")
        /// It was written in a format that this version does not know.
        public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
        /// Another program changes it.
        public static let inUse = Code(rawValue: "inUse")
        /// There is no slot of that name.
        public static let unknownSlot = Code(rawValue: "unknownSlot")
        /// A value for a slot cannot be used, such as a name that is taken.
        public static let invalid = Code(rawValue: "invalid")
        /// A keyring needs at least one slot.
        public static let lastSlot = Code(rawValue: "lastSlot")
        /// The disk is full.
        public static let diskFull = Code(rawValue: "diskFull")
        /// The system does not permit it.
        public static let permission = Code(rawValue: "permission")
        /// Anything else.
        public static let failed = Code(rawValue: "failed")
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

extension KeyringError {
    static var noRandomness: KeyringError {
        KeyringError(.failed, "", "the system gave no random bytes")
    }

    static func damaged(_ path: String, _ what: String) -> KeyringError {
        KeyringError(
            .damaged, path, "\(path) is damaged: \(what)",
            hint: "fetch it from a backup; the database itself was not touched")
    }

    static func foreign(_ path: String, _ what: String) -> KeyringError {
        KeyringError(
            .foreign, path, "\(path) \(what)",
            hint: "do not use this database before you know who put it there: compare it with a "
                + "backup")
    }

    init(_ error: SystemError, _ path: String) {
        let error = error.located(at: path)
        if error.isDiskFull {
            self.init(
                .diskFull, path, "there is no space left for \(path)",
                hint: "free space; the keyring is as it was", underlying: error)
        } else if error.isForbidden || error.isReadOnly || error.isStrangersLink {
            self.init(
                .permission, path, "the system does not permit it: \(error)",
                hint: "check owner and mode of \(path) and of its folder", underlying: error)
        } else {
            self.init(
                .failed, path, "\(error)", hint: "the keyring is as it was", underlying: error)
        }
    }
}
