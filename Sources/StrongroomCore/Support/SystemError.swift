internal import LibC

/// A system call that failed: which, on what, and the `errno` it left.
package struct SystemError: Error, Sendable, Equatable {
    /// The call as the manual names it, such as `rename`.
    package let call: String
    package let path: String
    package let number: Int32
    /// Words for what no number says, such as why there is no connection.
    package let explanation: String?
    /// What to do about it.
    package let hint: String?

    package init(
        _ call: String, _ path: String, number: Int32, explanation: String? = nil,
        hint: String? = nil
    ) {
        self.call = call
        self.path = path
        self.number = number
        self.explanation = explanation
        self.hint = hint
    }

    /// The system's words for the error number, such as `No space left on device`.
    package var reason: String {
        if let explanation { return explanation }
        if path.utf8.contains(0) { return "the path contains a NUL character" }
        if number == EILSEQ { return "the path is not UTF-8 text" }
        if isStrangersLink { return "it is a link that another user created" }
        return isReplaced
            ? "another process has put another file in its place"
            : String(cString: strerror(number))
    }
}

extension SystemError {
    package static let noSuchFile = ENOENT
    package static let fileExists = EEXIST
    package static let tryAgain = EAGAIN
    package static let inputOutput = EIO
    package static let loop = ELOOP
    package static let notADirectory = ENOTDIR
    /// What is said of a file whose place another has taken.
    package static let replaced = ESTALE

    /// What is said of a link that is not followed.
    package static let strangersLink = EPERM

    package var isStrangersLink: Bool { number == Self.strangersLink && call == "follow" }
    package var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    package var isReplaced: Bool { number == Self.replaced && call == "compare" }
    package var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
    package var isForbidden: Bool { number == EACCES || number == EPERM }
    /// Whether there is no connection to where the file is.
    package var isUnreachable: Bool { number == ENOTCONN && explanation != nil }
    package var isReadOnly: Bool { number == EROFS }
}

extension SystemError {
    /// The same, of a file, where a call on a descriptor could not name one.
    package func located(at path: String) -> SystemError {
        self.path.isEmpty ? renamed(path) : self
    }

    /// The same, of a file that messages know by another path; what has its own words has its own path, too.
    package func renamed(_ path: String) -> SystemError {
        explanation == nil ? SystemError(call, path, number: number) : self
    }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        if isUnreachable { return reason }
        return path.isEmpty ? "\(call): \(reason)" : "\(call) \(path): \(reason)"
    }
}
