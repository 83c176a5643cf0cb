import LibC
import StrongroomCore

extension SystemError {
    /// The reason why `call` has just failed.
    static func last(_ call: String, _ path: String = "") -> SystemError {
        SystemError(call, path, number: errno)
    }

    /// Nobody reads what was written.
    var isBrokenPipe: Bool { number == EPIPE }
}
