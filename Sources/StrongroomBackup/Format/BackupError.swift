public import StrongroomCore

/// The reason why an operation on a backup repository failed, and what to do next.
///
/// Errors of the database that is backed up or restored are `DatabaseFileError`.
public struct BackupError: OperationError {
    /// The kind of a `BackupError`; later versions may add kinds.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The path is not a repository.
        public static let notARepository = Code(rawValue: "notARepository")
        /// The folder is not empty.
        public static let exists = Code(rawValue: "exists")
        /// A later version of this library created it.
        public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
        /// The key is not one of those that sign the repository.
        public static let notIntroduced = Code(rawValue: "notIntroduced")
        /// The repository has only backups of another database.
        public static let otherDatabase = Code(rawValue: "otherDatabase")
        /// The repository is older than the state that this host remembers, or is another
        /// repository.
        public static let rolledBack = Code(rawValue: "rolledBack")
        /// The operation needs a key.
        public static let keyNeeded = Code(rawValue: "keyNeeded")
        /// Another run is using the repository.
        public static let inUse = Code(rawValue: "inUse")
        /// No backup has that name, or is old enough.
        public static let unknownBackup = Code(rawValue: "unknownBackup")
        /// The backup is encrypted with another key.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// A file of the repository, or a page of the database, is damaged.
        public static let damaged = Code(rawValue: "damaged")
        /// The disk is full.
        public static let diskFull = Code(rawValue: "diskFull")
        /// This user has no permission.
        public static let permission = Code(rawValue: "permission")
        /// Anything else; the underlying error has the cause.
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

extension BackupError {
    /// What a system call that failed means for a file of the repository.
    init(_ error: SystemError, _ path: String) {
        let error = error.located(at: path)
        let path = error.path
        if error.explanation != nil {
            self.init(.failed, path, "\(error)", hint: error.hint, underlying: error)
        } else if error.isDiskFull {
            self.init(
                .diskFull, path, "there is no space left for \(path)",
                hint: "free space; the repository is as it was", underlying: error)
        } else if error.isForbidden || error.isReadOnly {
            self.init(
                .permission, path, "the system does not permit it: \(error)",
                hint: "check owner and mode of the repository", underlying: error)
        } else if error.isMissing {
            self.init(
                .damaged, path, "\(path) is not there",
                hint: "fetch it from another copy of the repository", underlying: error)
        } else {
            self.init(.failed, path, "\(error)", underlying: error)
        }
    }

    /// Another one writes to the repository, though this run has the lock.
    static func changedMeanwhile(_ path: String) -> BackupError {
        BackupError(
            .inUse, path,
            "\(path) was changed by another run, which this one's lock did not keep out",
            hint: "let one host at a time write to the repository, and run the command again")
    }

    static func damaged(_ path: String, _ what: String) -> BackupError {
        BackupError(
            .damaged, path, "\(path) is damaged: \(what)",
            hint: "fetch it from another copy of the repository")
    }
}
