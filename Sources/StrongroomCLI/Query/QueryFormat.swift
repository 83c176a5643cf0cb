import StrongroomCore

/// How the rows of a query are written.
enum QueryFormat: String, CaseIterable {
    case table, json, csv, list, line, quote

    /// Those of SQLite's shell, which have no option of their own.
    static let dumps: [QueryFormat] = [.list, .line, .quote]

    /// - Parameter columns: The width of the terminal, if it is written to one.
    func writer(_ output: TextOutput, columns: @escaping () -> Int?) -> any ResultWriter {
        switch self {
        case .table: TableResultWriter(output: output, columns: columns)
        case .json: JSONResultWriter(output: output)
        case .csv: CSVResultWriter(output: output)
        case .list: DumpResultWriter(.list(), output: output)
        case .line: DumpResultWriter(.line(), output: output)
        case .quote: DumpResultWriter(.quote(), output: output)
        }
    }
}

extension QueryFormat {
    private static let csvOption = Option.flag("csv", help: "print the rows as CSV (RFC 4180)")
    private static let dumpOption = Option.value(
        "format", "FORMAT", completion: .words(dumps.map(\.rawValue)),
        help: "print the rows as SQLite's shell does: list, line or quote")

    /// What a command that writes rows offers.
    static let options: [Option] = [.json, csvOption, dumpOption]

    init(_ arguments: ParsedArguments) throws(Failure) {
        let given = Self.options.filter(arguments.contains)
        guard given.count < 2 else {
            throw .usage(
                given.map { "--\($0.name)" }.joined(separator: " and ") + " exclude each other",
                hint: "give one of them")
        }
        switch given.first {
        case nil: self = .table
        case .json: self = .json
        case Self.csvOption: self = .csv
        default: self = try Self.dump(named: arguments.value(Self.dumpOption) ?? "")
        }
    }

    private static func dump(named name: String) throws(Failure) -> QueryFormat {
        if let format = dumps.first(where: { $0.rawValue == name }) { return format }
        if ["json", "csv"].contains(name) {
            throw .usage("there is no format \(name)", hint: "write --\(name)")
        }
        throw .usage(
            "there is no format \(name)",
            hint: Suggestion.closest(to: name, among: dumps.map(\.rawValue))
                .map { "did you mean \($0)?" } ?? "one of list, line, quote")
    }
}
