/// The reason why a key is invalid, or cannot be read, stored or used.
///
/// Neither the message nor the hint shows a byte of the key.
public struct CipherKeyError: Error, Sendable, Equatable {
    /// The kind of a `CipherKeyError`; later versions may add kinds.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// It is empty.
        public static let empty = Code("empty")
        /// It contains a NUL byte; SQLCipher cannot distinguish this passphrase from a shorter one.
        public static let containsNUL = Code("containsNUL")
        /// It begins like a raw key, `x'`, but is malformed.
        public static let malformedRawKey = Code("malformedRawKey")
        /// A raw key or a salt has the wrong number of bytes.
        public static let wrongLength = Code("wrongLength")
        /// It was given as a passphrase, but SQLCipher would take it for a raw key.
        public static let looksLikeRawKey = Code("looksLikeRawKey")
        /// The system provided no random bytes.
        public static let randomUnavailable = Code("randomUnavailable")
        /// The key file could not be read.
        public static let cannotRead = Code("cannotRead")
        /// The file already exists.
        public static let fileExists = Code("fileExists")
        /// The key file could not be written; no file is left.
        public static let cannotWrite = Code("cannotWrite")
        /// A ``KeyStore`` has no key for an existing database.
        public static let lost = Code("lost")
        /// The database has a key that is not the current one of the ``KeyStore``.
        public static let notInStore = Code("notInStore")
        /// Another rotation uses the ``KeyStore``.
        public static let inUse = Code("inUse")
        /// Backups may need the retired keys of the ``KeyStore``.
        public static let needed = Code("needed")
    }

    /// What kind of error it is.
    public let code: Code
    /// What is wrong, in a sentence without a full stop.
    public let message: String
    /// What to do about it, if there is something.
    public let hint: String?

    package init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }
}

extension CipherKeyError: CustomStringConvertible {
    /// The message, followed by the hint.
    public var description: String {
        hint.map { "\(message): \($0)" } ?? message
    }
}
