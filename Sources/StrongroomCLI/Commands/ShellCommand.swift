import LibC
import StrongroomCore

/// `strongroom shell FILE`
struct ShellCommand: Command {
    private static let readOnly = Option.flag("read-only", help: "open the database read-only")

    static let syntax = CommandSyntax(
        "shell", summary: "open a database in the sqlcipher shell without exposing its key",
        operands: [.database],
        options: [readOnly],
        groups: [KeyOptions.current.group, DatabaseSettings.group],
        notes: [
            "Verifies the key first. The shell gets it through a pipe, so it appears in "
                + "no argument, variable, file or history. Sorting stays in memory "
                + "(temp_store). ~/.sqliterc is not read.",
            "The history is kept in ~/.local/state/strongroom/shell-history, readable "
                + "only by its owner, without statements that contain a key. The shell has no "
                + "guards: it writes what you tell it to. strongroom query has guards.",
            "SQLCIPHER_SHELL names another program than the sqlcipher in PATH.",
        ],
        examples: [
            .init(
                line: "strongroom shell shop.db --key-file shop.key",
                meaning: "query and change data"),
            .init(
                line: "strongroom shell shop.db --read-only --key-file shop.key < report.sql",
                meaning: "run a script for the shell"),
        ])

    private let path: String
    private let keySource: KeySource
    private let settings: DatabaseSettings
    private let isReadOnly: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        keySource = try KeyOptions.current.source(in: arguments)
        settings = try DatabaseSettings(arguments)
        isReadOnly = arguments.contains(Self.readOnly)
    }

    func run(in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(path)
        guard FolderEntry("/dev/fd") != nil else {
            throw Failure(
                .failed, "there is no /dev/fd, through which the sqlcipher shell gets the key",
                hint: "mount /proc, or use strongroom query, which does not need it")
        }
        let key = try KeyReader(context: context)
            .key(from: keySource, for: .opening(path: path))
        let statements = try settings.opening(path, key, context) { file in
            try file.undoInterruptedTransaction()
            var configuration = file.configuration
            configuration.readonly = true
            configuration.distrustsFile = true
            try file.open(configuration).close()
            return file.settingStatements
        }
        try context.output.flush()
        let history = try ShellHistory(context.variable)
        let status: Int32
        do {
            status = try run(Self.opening(key, statements), history, context)
        } catch {
            _ = history.finish()
            throw error
        }
        if !history.finish() {
            context.warn(
                "could not save the shell history",
                hint: "set HOME or XDG_STATE_HOME to a writable folder")
        }
        guard status == 0 else {
            throw Failure(.failed, "the sqlcipher shell ended with exit status \(status)")
        }
    }

    private func run(
        _ secret: borrowing SecretBytes, _ history: ShellHistory, _ context: CommandContext
    ) throws -> Int32 {
        let program = context.variable("SQLCIPHER_SHELL") ?? "sqlcipher"
        // A path is no option, whatever it begins with.
        let file = path.hasPrefix("-") ? "./" + path : path
        let words =
            [program, "-init", ForegroundProcess.handedPath] + (isReadOnly ? ["-readonly"] : [])
            + [file]
        let shell: ForegroundProcess
        do throws(SystemError) {
            shell = try ForegroundProcess(
                words, handing: secret, variables: ["SQLITE_HISTORY": history.path],
                withholding: context.withheldKeys)
        } catch {
            throw Failure(
                .failed, "cannot run \(program): \(error.reason)",
                hint: "install SQLCipher's shell (Debian: apt install sqlcipher), or name it in "
                    + "SQLCIPHER_SHELL")
        }
        let cancellation = context.cancellation
        return try cancellation.onCancel(
            {
                // Ctrl-C on the terminal has reached the shell already, and ends a statement there.
                if cancellation.exitCode != .interrupted { shell.signal(SIGTERM) }
            }, while: { shell.wait() })
    }

    /// What the shell reads first. It shows nothing of it.
    private static func opening(_ key: CipherKey, _ statements: [String]) -> SecretBytes {
        var text = SecretBytes(capacity: 4096)
        text.append(".output /dev/null\nPRAGMA key = ")
        let quote = key.form == .passphrase ? UInt8(ascii: "'") : UInt8(ascii: "\"")
        text.append(quote)
        key.withSQLCipherBytes { bytes in
            for byte in bytes {
                text.append(byte)
                if byte == quote { text.append(quote) }
            }
        }
        text.append(quote)
        text.append(";\n")
        for statement in statements { text.append(statement + ";\n") }
        text.append("PRAGMA temp_store = MEMORY;\n.output\n")
        return text
    }
}

extension SecretBytes {
    /// For what is no secret in it.
    fileprivate mutating func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }
}
