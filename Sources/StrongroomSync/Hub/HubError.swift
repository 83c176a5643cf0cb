public import StrongroomCore

/// The reason why a hub did not do what it was asked.
///
/// `path` is the name of the object, or where the hub is. No error contains a key or a value.
public struct HubError: OperationError {
    /// The kinds of ``HubError``; later versions may add kinds.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No object has that name.
        public static let notFound = Code(rawValue: "notFound")
        /// An object has that name already.
        public static let exists = Code(rawValue: "exists")
        /// The hub does not let this user do it. Trying again does not help.
        public static let refused = Code(rawValue: "refused")
        /// The hub has no room left, or this user has none left there.
        public static let full = Code(rawValue: "full")
        /// There is no connection. What was asked may have been done or not.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The object is larger than objects of its kind may be.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// No object can have that name.
        public static let invalidName = Code(rawValue: "invalidName")
        /// Something else has the name of the object, such as a link.
        public static let damaged = Code(rawValue: "damaged")
        /// The hub cannot do it.
        public static let unsupported = Code(rawValue: "unsupported")
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

    /// Creates an error, as a transport throws it.
    ///
    /// - Parameters:
    ///   - code: What kind of error it is.
    ///   - name: The name of the object, or where the hub is.
    ///   - message: What is wrong, in a sentence without a full stop.
    ///   - hint: What to do about it.
    ///   - underlying: The error that led to this one.
    public init(
        _ code: Code, _ name: String, _ message: String, hint: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.init(code, name, message, hint: hint, underlying: underlying, step: nil)
    }
}

extension HubError {
    static func notFound(_ name: String) -> HubError {
        HubError(.notFound, name, "the hub has no \(name)")
    }

    static func exists(_ name: String) -> HubError {
        HubError(.exists, name, "the hub has another \(name)")
    }

    static func tooLarge(_ name: String, limit: Int) -> HubError {
        HubError(.tooLarge, name, "\(name) is larger than \(limit) bytes")
    }

    /// What a system call that failed means for an object of a folder.
    init(_ error: SystemError, _ name: String) {
        if error.isUnreachable {
            self.init(.unreachable, name, "\(error)", hint: error.hint, underlying: error)
        } else if error.isDiskFull {
            self.init(
                .full, name, "there is no space left for \(name) in the hub",
                hint: "free space; nothing is lost, and what is missing is sent later",
                underlying: error)
        } else if error.isForbidden || error.isReadOnly {
            self.init(
                .refused, name, "the hub does not permit it: \(error)",
                hint: "check owner and mode of the hub's folder", underlying: error)
        } else if error.number == SystemError.fileExists {
            self = .exists(name)
        } else if error.isMissing {
            self = .notFound(name)
        } else {
            self.init(.failed, name, "\(error)", hint: error.hint, underlying: error)
        }
    }
}
