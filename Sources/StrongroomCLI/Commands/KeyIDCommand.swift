import StrongroomBackup
import StrongroomCore
import StrongroomSFTP

/// `strongroom key-id PATH…`
struct KeyIDCommand: Command {
    static let syntax = CommandSyntax(
        "key-id", summary: "find the key file that opens a database or a backup",
        operands: [
            Operand(
                "PATH", isRepeated: true,
                help: "key files, databases and backup repositories, in any order")
        ],
        options: [.json],
        groups: [DatabaseSettings.group],
        notes: [
            "Tries each key on each database and on the backups of each repository. KEY "
                + "is the identifier that backup list prints. It depends on the database's "
                + "salt: one key has another identifier for each database. It reveals nothing "
                + "of the key.",
            "A passphrase takes about a second for each database. Nothing is written.",
        ],
        examples: [
            .init(
                line: "strongroom key-id keys/*.key shop.db /backup/shop",
                meaning: "find the key of each database and backup")
        ])

    private let paths: [String]
    private let settings: DatabaseSettings
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        paths = arguments.operands
        settings = try DatabaseSettings(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let reader = KeyReader(context: context)
        var keys: [KeyMatch.Candidate] = []
        var targets: [String] = []
        var others: [String] = []
        for path in paths {
            if KeyFileStatus.holdsKey(path) {
                // Identities open keyrings, which a repository in a folder may have.
                let key = try reader.secret(from: .file(path), for: .opening(path: "."))
                keys.append(.init(path: path, key: key))
            } else if Self.isTooSmall(path) {
                others.append(path)
            } else {
                targets += try Self.targets(path)
            }
        }
        // Of all files in a folder, some are neither; one that is named alone is to be a database.
        if targets.isEmpty { targets = others } else { warn(of: others, in: context) }
        guard !keys.isEmpty else {
            throw Failure.usage(
                "none of these is a key file", hint: "strongroom key-id app.key app.db")
        }
        guard !targets.isEmpty else {
            throw Failure.usage(
                "no database or repository is given", hint: "strongroom key-id app.key app.db")
        }
        var matches: [KeyMatch] = []
        for target in targets {
            try context.cancellation.check()
            matches += try match(target, keys, in: context)
        }
        try write(matches, in: context)
        let missing = matches.filter { $0.keyFile == nil }.map(\.file)
        if let first = missing.first {
            throw Failure(
                .wrongKey,
                "none of the keys opens \(first)"
                    + (missing.count > 1 ? ", nor \(missing.count - 1) more" : ""),
                hint: "try other key files; strongroom doctor shows if a file is damaged")
        }
    }

    private static func isTooSmall(_ path: String) -> Bool {
        guard FolderEntry(path)?.kind == .file else { return false }
        return (try? DatabaseFile(path: path).verdict())?.kind == .tooSmall
    }

    private func warn(of paths: [String], in context: CommandContext) {
        for path in paths {
            context.warn("\(path) is neither a key file nor a database, and is left out")
        }
    }

    /// A folder of repositories stands for all of them.
    private static func targets(_ path: String) throws -> [String] {
        guard isFolder(path), !BackupRoot.isRepository(path) else {
            return [path]
        }
        let members = (try? BackupRoot(path: path).members()) ?? []
        guard !members.isEmpty else {
            throw Failure.usage(
                "\(path) is a folder, and no backup repository",
                hint: "name the files in it: strongroom key-id \(ShellWord.text(path))/*.key app.db"
            )
        }
        return members.map(\.path)
    }

    private static func isFolder(_ path: String) -> Bool {
        RemotePlace.isURL(path) || FolderEntry(path)?.kind == .folder
    }

    private func match(
        _ path: String, _ keys: [KeyMatch.Candidate], in context: CommandContext
    ) throws -> [KeyMatch] {
        guard Self.isFolder(path) else {
            return try [matchDatabase(path, keys, context)]
        }
        let repository = try BackupRepository(path: path)
        let backups = try repository.readableBackups().backups
        var keyFiles: [String: String] = [:]
        for candidate in keys {
            try context.cancellation.check()
            for key in try repository.keys(by: [candidate.key]) {
                for identifier in try repository.keyIdentifiers(of: key) {
                    keyFiles[identifier] = keyFiles[identifier] ?? candidate.path
                }
            }
        }
        var identifiers: [String] = []
        for backup in backups where !identifiers.contains(backup.keyIdentifier) {
            identifiers.append(backup.keyIdentifier)
        }
        return identifiers.map { identifier in
            KeyMatch(
                file: path, keyFile: keyFiles[identifier], identifier: identifier,
                backups: backups.filter { $0.keyIdentifier == identifier }.map(\.number))
        }
    }

    private func matchDatabase(
        _ path: String, _ keys: [KeyMatch.Candidate], _ context: CommandContext
    ) throws -> KeyMatch {
        try DatabasePrecheck.encrypted(path)
        for candidate in keys {
            try context.cancellation.check()
            if context.opensKeyring(of: path, by: candidate.key) {
                return KeyMatch(file: path, keyFile: candidate.path, identifier: nil, backups: [])
            }
            let file = DatabaseFile(path: path, key: candidate.key)
            guard let found = try settings.found(for: file) else { continue }
            context.noteSettings(of: found)
            return KeyMatch(file: path, keyFile: candidate.path, identifier: nil, backups: [])
        }
        return KeyMatch(file: path, keyFile: nil, identifier: nil, backups: [])
    }

    private func write(_ matches: [KeyMatch], in context: CommandContext) throws {
        if writesJSON {
            return try context.output.writeLine(
                JSONValue.array(matches.map(\.json)).indentedText)
        }
        var table = TextTable(
            header: ["FILE", "KEY FILE", "KEY", "BACKUPS"], output: context.output,
            columns: context.outputColumns(), whole: [2])
        for match in matches { try table.append(match.cells) }
        try table.finish()
    }
}
