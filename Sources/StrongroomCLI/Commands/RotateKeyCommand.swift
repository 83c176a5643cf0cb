import Strongroom

/// `strongroom rotate-key FILE`
struct RotateKeyCommand: Command {
    static let syntax = CommandSyntax(
        "rotate-key", summary: "put another key in the place of a database's key",
        operands: [.database],
        options: [.json],
        groups: [KeyOptions.current.group, KeyOptions.new.group],
        notes: [
            "Every page is encrypted anew and verified; until that is done, the current key is in "
                + "force, and after it the new one alone. No other program may use the database "
                + "meanwhile.",
            "Copies and backups made before keep the old key: keep it as long as you keep them.",
        ],
        examples: [
            .init(
                line: "strongroom rotate-key shop.db --key-file old.key --new-key-file new.key",
                meaning: "change the key, unattended"),
            .init(line: "strongroom rotate-key shop.db", meaning: "be asked for both keys"),
        ])

    private let path: String
    private let keySources: KeySourcePair
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        keySources = try KeySourcePair(.new, in: arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in surroundings: Surroundings) throws {
        try DatabasePrecheck.encrypted(path)
        let keys = KeyReader(surroundings: surroundings)
        let key = try keys.key(from: keySources.current, for: .opening(path: path))
        let newKey = try keys.key(
            from: keySources.new ?? .terminal, for: .making(path: path))
        let report = try LongWork(surroundings: surroundings, title: "encrypting").run { progress in
            try DatabaseFile(path: path, key: key).rotateKey(to: newKey, progress: progress)
        }
        try TransferResult.finishing("the key is changed") { () throws(Failure) in
            try surroundings.output.writeLine(writesJSON ? json(report).indentedText : text(report))
            try surroundings.output.flush()
        }
    }

    private func text(_ report: RotationReport) -> String {
        "changed the key of \(path): \(report.pageCount) pages, "
            + "\(ByteCount.text(report.byteCount)), verified"
    }

    private func json(_ report: RotationReport) -> JSONValue {
        .object([
            .init("file", .string(path)),
            .init("byteCount", .integer(report.byteCount)),
            .init("pageCount", .integer(Int64(report.pageCount))),
            .init("pageSize", .integer(Int64(report.pageSize))),
        ])
    }
}
