public import StrongroomCore

/// The reason why something could not be done with a backup repository, and what to do next.
///
/// Errors of the database that is backed up, or restored to, are `DatabaseFileError`.
public struct BackupError: OperationError {
    /// The kind of a `BackupError`; more kinds may come.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No repository is there.
        public static let notARepository = Code(rawValue: "notARepository")
        /// The folder is taken.
        public static let exists = Code(rawValue: "exists")
        /// It was made by a later version of this library.
        public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
        /// The key is none of those that sign the repository.
        public static let notIntroduced = Code(rawValue: "notIntroduced")
        /// The repository has backups of another database only.
        public static let otherDatabase = Code(rawValue: "otherDatabase")
        /// The repository is in an older state than the one remembered, or is another one.
        public static let rolledBack = Code(rawValue: "rolledBack")
        /// Only a key can do that.
        public static let keyNeeded = Code(rawValue: "keyNeeded")
        /// Another run works on the repository.
        public static let inUse = Code(rawValue: "inUse")
        /// No backup has that name, or is as old.
        public static let unknownBackup = Code(rawValue: "unknownBackup")
        /// The key is not the one that the backup is encrypted with.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// A file of the repository, or a page of the database, is not what was written.
        public static let damaged = Code(rawValue: "damaged")
        /// There is no room left.
        public static let diskFull = Code(rawValue: "diskFull")
        /// The system does not permit it to this user.
        public static let permission = Code(rawValue: "permission")
        /// Anything else; the error underneath tells.
        public static let failed = Code(rawValue: "failed")
    }

    /// What kind of error it is.
    public let code: Code
    /// All that is told besides the kind.
    public let details: ErrorDetails

    /// An error of a kind, with the details of another error.
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
        if error.isDiskFull {
            self.init(
                .diskFull, path, "there is no room left for \(path)",
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
