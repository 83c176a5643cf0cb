/// Something in the file that could not be understood; reading goes on after it.
struct ControlProblem: Error, Equatable, CustomStringConvertible {
    var line: Int
    var message: String

    var description: String { "line \(line): \(message)" }
}
