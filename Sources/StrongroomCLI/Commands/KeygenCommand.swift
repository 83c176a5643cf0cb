import StrongroomCore

/// `strongroom keygen [PATH]`
struct KeygenCommand: Command {
    private static let defaultPath = "strongroom.key"

    static let syntax = CommandSyntax(
        "keygen", summary: "create a key file with a random key",
        operands: [
            Operand(
                "PATH", isOptional: true,
                help:
                    "the file to create (default: \(defaultPath)); never replaces an existing one")
        ],
        options: [.json],
        notes: [
            "Only its owner can read the file (mode 0600). It holds 256 random bits as "
                + "x'…' with 64 hexadecimal digits. Only its path is printed. Keep a copy away "
                + "from the database: without the key, the data cannot be recovered."
        ],
        examples: [
            .init(line: "strongroom keygen app.key", meaning: "create app.key"),
            .init(
                line: "strongroom encrypt plain.db app.db --key-file app.key",
                meaning: "use it"),
        ])

    private let path: String
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) {
        path = arguments.operand(0) ?? Self.defaultPath
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        do throws(CipherKeyError) {
            try CipherKey.generated().write(toNewFile: path)
        } catch {
            // One catch: `catch where` over a typed error crashes the compiler (Swift 6.3.1).
            throw error.code == .fileExists
                ? Failure(
                    .failed, "\(path) already exists, and a key is never overwritten",
                    hint: "give another path, or move the old key")
                : Failure(describing: error)
        }
        let json = JSONValue.object([
            .init("file", .string(path)), .init("form", .string("rawKey")),
        ])
        guard !writesJSON else { return try context.output.writeLine(json.indentedText) }
        guard context.verbosity != .quiet else { return }
        // The name itself, for scripts.
        try context.output.append { $0 += PathText.bytes(of: path) + Array("\n".utf8) }
    }
}
