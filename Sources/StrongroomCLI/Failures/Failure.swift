/// Why a command stopped: what the person reads, and what the shell gets.
///
/// A message never holds a key, a key command's output or a bound value.
package struct Failure: Error, Equatable, Sendable {
    package var exitCode: ExitCode
    package var message: String
    /// What to type next.
    package var hint: String?
    /// True when nobody is left to read a message: standard output was closed by its reader.
    package var isQuiet = false

    package init(_ exitCode: ExitCode, _ message: String, hint: String? = nil) {
        self.exitCode = exitCode
        self.message = message
        self.hint = hint
    }

    /// The command line was not understood.
    static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(.usage, message, hint: hint)
    }

    /// The reader of standard output went away, as `head` does: nothing to report.
    static var outputClosed: Failure {
        var failure = Failure(.failed, "standard output was closed")
        failure.isQuiet = true
        return failure
    }
}

extension Failure {
    static let keygenHint = "strongroom keygen PATH creates a key file"

    static func keyTooLong(_ source: String) -> Failure {
        Failure(.failed, "\(source) is too long for a key", hint: keygenHint)
    }
}
