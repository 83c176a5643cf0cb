/// The reason why an operation on a database file failed, and what to do next.
///
/// It contains no key and no value from the database.
public struct DatabaseFileError: OperationError {
    /// The kind of a `DatabaseFileError`; later versions may add kinds.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file does not exist.
        public static let notFound = Code(rawValue: "notFound")
        /// The path leads to a directory, or to something else that is no regular file.
        public static let notAFile = Code(rawValue: "notAFile")
        /// Another connection, in this process or another, uses the file.
        public static let inUse = Code(rawValue: "inUse")
        /// The file is encrypted, and the key does not open it.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The file is encrypted, and no key was given.
        public static let keyRequired = Code(rawValue: "keyRequired")
        /// The key is right, but part of the file is damaged.
        public static let damaged = Code(rawValue: "damaged")
        /// A log or a journal next to the file belongs to another database, or is damaged. SQLite
        /// did not read it, and the operation changed nothing.
        public static let foreignLog = Code(rawValue: "foreignLog")
        /// The file is neither a plaintext nor an encrypted database.
        public static let notADatabase = Code(rawValue: "notADatabase")
        /// The file is a plaintext database, but a key was given.
        public static let plaintext = Code(rawValue: "plaintext")
        /// The destination exists, and `overwrite` is false.
        public static let exists = Code(rawValue: "exists")
        /// Source and destination are the same file.
        public static let sameFile = Code(rawValue: "sameFile")
        /// The new key equals the current one.
        public static let sameKey = Code(rawValue: "sameKey")
        /// There is not enough free space for the new file.
        public static let diskFull = Code(rawValue: "diskFull")
        /// This user has no permission.
        public static let permission = Code(rawValue: "permission")
        /// The file system is read-only.
        public static let readOnly = Code(rawValue: "readOnly")
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
