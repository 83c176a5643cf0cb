import StrongroomBackup
import StrongroomCore

/// `strongroom backup list REPO`
struct BackupListCommand: Command {
    static let syntax = CommandSyntax(
        "backup list", summary: "list the backups in a repository",
        operands: [.repositoryOrRoot],
        options: [.json],
        groups: [RepositoryOptions.group],
        notes: [
            "No key is needed. Backups with the same KEY are opened by the same key: it "
                + "is an identifier, and reveals nothing of the key itself.",
            "The oldest state comes first, in the order in which the backups were created, "
                + "whatever their dates. The last line is the backup that restore uses by "
                + "default.",
        ],
        examples: [.init(line: "strongroom backup list /backup/shop", meaning: "list them")])

    private let path: String
    private let options: RepositoryOptions
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        options = try RepositoryOptions(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let set = try RepositorySet(path, options, in: context)
        var all: [(member: BackupRoot.Member?, backups: [Backup])] = []
        let ending = Result {
            try set.forEach("are listed", in: context) { member, repository in
                let (backups, damage) = try repository.readableBackups()
                all.append((member, backups))
                // The others are listed all the same.
                if let first = damage.first { throw first }
            }
        }
        if writesJSON {
            let backups = all.flatMap { entry in entry.backups.map { $0.json.of(entry.member) } }
            try context.output.writeLine(JSONValue.array(backups).indentedText)
            return try ending.get()
        }
        for (member, backups) in all {
            if let member { try context.output.writeLine(VisibleText.text(of: member.name) + ":") }
            try write(backups, in: context)
        }
        try ending.get()
    }

    private func write(_ backups: [Backup], in context: CommandContext) throws {
        var table = TextTable(
            header: ["NO", "ID", "TIME (UTC)", "DATABASE", "SIZE", "STORED", "KEY", "TAG"],
            output: context.output, columns: context.outputColumns(), whole: [1, 6])
        for backup in backups {
            try table.append([
                .init(String(backup.number), isNumber: true), .init(backup.id),
                .init(backup.time), .init(VisibleText.text(of: backup.databaseName)),
                .init(ByteCount.text(backup.byteCount), isNumber: true),
                .init(ByteCount.text(backup.storedByteCount), isNumber: true),
                .init(String(backup.keyIdentifier.prefix(8))),
                .init(VisibleText.text(of: backup.tag ?? "")),
            ])
        }
        try table.finish()
        for backup in backups where backup.isDatedBack {
            context.warn(
                "backup \(backup.number) has an earlier date than a backup that was created before it",
                hint: "a clock was wrong; the list is in the order of creation")
        }
        try writeSettings(of: backups, to: context.output)
    }

    /// What SQLCipher has to be told beside the key, where settings are not the usual ones.
    private func writeSettings(of backups: [Backup], to output: TextOutput) throws {
        for (pragmas, members) in Dictionary(grouping: backups, by: \.cipherPragmas)
            .sorted(by: { $0.value[0].number < $1.value[0].number }) where !pragmas.isEmpty
        {
            let numbers = members.map { String($0.number) }.joined(separator: ", ")
            try output.writeLine(
                "settings of \(numbers): " + pragmas.map { $0 + ";" }.joined(separator: " "))
        }
    }
}
