/// The reason why something could not be done with files, and what to do next.
///
/// The code is of a kind of its own for each such error. None shows a key or a value of a database.
public protocol OperationError: Error, CustomStringConvertible {
    /// The kinds of the error.
    associatedtype Code: RawRepresentable<String>, Sendable, Hashable

    /// What kind of error it is.
    var code: Code { get }
    /// All that is told besides the kind.
    var details: ErrorDetails { get }

    /// An error of a kind, with the details of another error.
    init(code: Code, details: ErrorDetails)
}

/// What an ``OperationError`` tells besides its kind.
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

    /// The file or folder that it is about.
    public var path: String { details.path }

    /// What is wrong, in a sentence without a full stop.
    public var message: String { details.message }

    /// What to do about it, if there is something.
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
