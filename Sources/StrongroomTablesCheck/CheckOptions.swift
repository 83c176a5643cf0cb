/// The command line: what is compared with what.
struct CheckOptions {
    static let help = """
        usage: swift package check-tables --schema PATH [options]

        Compares the types with '@Table' in the sources of a package with a schema, and reports what
        differs at file and line. Nothing of the package is built, and nothing is written.

          --schema PATH    a file of SQL, or a database that is not encrypted
          --target NAME    only the sources of this target; may be repeated.
                           Without it, those of all targets that are no tests
          --ignore TYPE    a type whose table the schema does not have; may be repeated
          --strict         fail on warnings, too
          --help

        Exit status of the tool: 0 without errors, 1 with errors (with --strict, warnings, too), 2 if
        the command line was not understood. 'swift package' turns each failure into 1.

        """

    struct UsageError: Error {
        let message: String
    }

    /// A source file, and the target that it belongs to.
    struct Source {
        let path: String
        let module: String
    }

    var schema = ""
    var sources: [Source] = []
    var ignored: Set<String> = []
    var isStrict = false
    var asksForHelp = false

    /// - Parameter words: Those of the user, and `--module NAME FILE…` for each target.
    init(_ words: [String]) throws(UsageError) {
        var words = words[...]
        var module = ""
        while let word = words.popFirst() {
            switch word {
            case "--schema": schema = try Self.value(of: word, &words)
            case "--module": module = try Self.value(of: word, &words)
            case "--ignore": ignored.insert(try Self.value(of: word, &words))
            case "--strict": isStrict = true
            case "--help", "-h": asksForHelp = true
            case _ where word.hasPrefix("--schema="): schema = String(word.dropFirst(9))
            case _ where word.hasPrefix("--ignore="): ignored.insert(String(word.dropFirst(9)))
            case _ where word.hasPrefix("-"):
                throw UsageError(message: "unknown option \(word)")
            case _ where module.isEmpty:
                throw UsageError(message: "\"\(word)\" is no option")
            default: sources.append(Source(path: word, module: module))
            }
        }
        guard !asksForHelp else { return }
        if schema.isEmpty { throw UsageError(message: "--schema is missing") }
        if sources.isEmpty { throw UsageError(message: "there are no Swift files to read") }
    }

    private static func value(
        of option: String, _ words: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = words.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
            throw UsageError(message: "\(option) needs a value")
        }
        return value
    }
}
