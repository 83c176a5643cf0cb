/// The reason why an operation on files failed, and what to do next.
///
/// Each conforming error has its own type of codes. None contains a key or a value from a database.
public protocol OperationError: Error, CustomStringConvertible {
    /// The kinds of the error.
    associatedtype Code: RawRepresentable<String>, Sendable, Hashable

    /// What kind of error it is.
    var code: Code { get }
    /// The message, the hint and the underlying error.
    var details: ErrorDetails { get }

    /// Creates an error of a kind, with the details of another error.
    init(code: Code, details: ErrorDetails)
}

/// The details of an ``OperationError``.
public struct ErrorDetails: Sendable {
    fileprivate let path: String
    fileprivate let message: String
    fileprivate let hint: String?
    fileprivate let underlying: (any Error)?
    fileprivate let step: (any Sendable)?
}

extension OperationError {
    package init(
        _ code: Code, _ path: String, _ message: String, hint: String? = nil,
        underlying: (any Error)? = nil, step: (any Sendable)? = nil
    ) {
        let details = ErrorDetails(
            path: path, message: message, hint: hint, underlying: underlying, step: step)
        self.init(code: code, details: details)
    }

    /// The path of the file or folder.
    public var path: String { details.path }

    /// What is wrong, in a sentence without a full stop.
    public var message: String { details.message }

    /// What to do about it, if known.
    public var hint: String? { details.hint }

    /// The error that led to this one.
    public var underlying: (any Error)? { details.underlying }

    /// What the hint says, for a program whose user types it: one of the steps of the module.
    package var step: (any Sendable)? { details.step }

    /// The message, followed by the hint.
    public var description: String {
        hint.map { "\(message): \($0)" } ?? message
    }
}
