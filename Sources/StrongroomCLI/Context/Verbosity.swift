/// How much is written besides data that was asked for, problems, warnings and errors.
package enum Verbosity: Sendable {
    case quiet, normal, verbose

    init(in words: [String]) {
        let words = words.prefix { $0 != "--" }
        if words.contains("--quiet") || words.contains("-q") {
            self = .quiet
        } else {
            self = words.contains("--verbose") ? .verbose : .normal
        }
    }
}
