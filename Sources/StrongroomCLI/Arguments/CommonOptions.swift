// What several commands take.

extension Option {
    static let json = Option.flag("json", help: "print the result and errors as JSON")
    static let runModules = Option.flag(
        "run-modules",
        help: "let SQLite read full-text and other virtual tables; only for files that you trust")
    static let force = Option.flag("force", help: "replace OUT if it exists")
}

extension Operand {
    static let database = Operand("FILE", help: "the encrypted database")
}

// What every command takes: it stands in the overview and in the manual, not in the help of each.

extension Option {
    static let quiet = Option.flag(
        "quiet", short: "q",
        help:
            "print nothing on success, except data you asked for; warnings still go to standard error"
    )
    static let verbose = Option.flag(
        "verbose", help: "also print versions, key sources and timings"
    )
    static let color = Option.value(
        "color", "WHEN", completion: .words(ColorChoice.allCases.map(\.rawValue)),
        help: "use colors: auto (on a terminal, unless NO_COLOR is set), always or never")

    static let everywhere = [quiet, verbose, color]
}
