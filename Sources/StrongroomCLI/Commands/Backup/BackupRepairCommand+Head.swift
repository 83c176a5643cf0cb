import StrongroomBackup
import StrongroomCore

extension BackupRepairCommand {
    /// Writes a head that was lost again.
    func rebuildHead(of repository: BackupRepository, in context: CommandContext) throws {
        let secrets = try KeyReader(context: context)
            .keys(from: keySource ?? .terminal, for: .opening(path: path))
        let report = try CommandProgress(context: context, title: "reading").run { progress in
            try repository.rebuildHead(
                secrets: secrets, dryRun: changesNothing, progress: progress)
        }
        for notice in report.notices { context.warn(notice) }
        if writesJSON {
            func numbers(_ numbers: [Int]) -> JSONValue {
                .array(numbers.map { .integer(Int64($0)) })
            }
            let json = JSONValue.object([
                .init("dryRun", .boolean(changesNothing)), .init("kept", numbers(report.kept)),
                .init("leftOut", numbers(report.leftOut)),
            ])
            return try context.output.writeLine(json.indentedText)
        }
        let verb = changesNothing ? "would be written again" : "is written again"
        var text = "the head of \(path) \(verb), with \(Self.list(report.kept))"
        if !report.leftOut.isEmpty {
            text += ", without \(Self.list(report.leftOut)): pruned, or not complete"
        }
        guard !changesNothing else { return try context.output.writeLine(text) }
        try context.writeDone(text)
        context.note(
            "verify it with the key: strongroom backup verify \(ShellWord.text(path)) --key-file KEY"
        )
    }

    private static func list(_ numbers: [Int]) -> String {
        (numbers.count == 1 ? "backup " : "backups ")
            + numbers.map(String.init).joined(separator: ", ")
    }
}
