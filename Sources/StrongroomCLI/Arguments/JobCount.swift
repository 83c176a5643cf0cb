import StrongroomCore

/// How many of several files or repositories are worked on at the same time: `--jobs N`.
enum JobCount {
    static func option(_ help: String) -> Option {
        .value("jobs", "N", help: help + " (default: number of processors)")
    }

    static func number(_ text: String?) throws(Failure) -> Int {
        guard let text else { return ThreadCount.ofProcessors }
        guard let number = Int(text), (1...256).contains(number) else {
            throw .usage("--jobs needs a number from 1 to 256")
        }
        return number
    }
}
