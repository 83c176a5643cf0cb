// What several commands take.

extension Option {
    static let json = Option.flag("json", help: "write the result, and errors, as JSON")
    static let runModules = Option.flag(
        "run-modules",
        help: "let SQLite read full-text and other virtual tables; only for files that you trust")
    static let force = Option.flag("force", help: "replace OUT if it is there")
}

extension Operand {
    static let database = Operand("FILE", help: "the encrypted database")
}
