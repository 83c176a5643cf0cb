/// The reason why something could not be done to a database file, and what to do next.
///
/// Neither a key nor a value of the database appears in it.
public struct DatabaseFileError: OperationError {
    /// The kind of a `DatabaseFileError`; more kinds may come.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Nothing is there.
        public static let notFound = Code(rawValue: "notFound")
        /// It is a directory or another thing that is no regular file.
        public static let notAFile = Code(rawValue: "notAFile")
        /// Another connection, of this process or another, stands in the way.
        public static let inUse = Code(rawValue: "inUse")
        /// The file is encrypted, and the key does not open it.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The file is encrypted, and no key was given.
        public static let keyRequired = Code(rawValue: "keyRequired")
        /// The key is right, but part of the file is not what was written.
        public static let damaged = Code(rawValue: "damaged")
        /// A log or a journal next to the file belongs to another database, or is damaged. SQLite did
        /// not read it, and nothing was changed.
        public static let foreignLog = Code(rawValue: "foreignLog")
        /// The file is neither a plain database nor an encrypted one.
        public static let notADatabase = Code(rawValue: "notADatabase")
        /// The file is a plain database, but a key was given.
        public static let plaintext = Code(rawValue: "plaintext")
        /// The destination exists, and overwriting was not asked for.
        public static let exists = Code(rawValue: "exists")
        /// Source and destination are one file.
        public static let sameFile = Code(rawValue: "sameFile")
        /// The new key is the present one.
        public static let sameKey = Code(rawValue: "sameKey")
        /// There is no room for the new file.
        public static let diskFull = Code(rawValue: "diskFull")
        /// The system does not permit it to this user.
        public static let permission = Code(rawValue: "permission")
        /// The file system cannot be written to.
        public static let readOnly = Code(rawValue: "readOnly")
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
