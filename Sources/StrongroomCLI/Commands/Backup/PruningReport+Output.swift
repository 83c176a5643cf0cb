import StrongroomBackup
import StrongroomCore

extension PruningReport {
    /// - Parameters:
    ///   - member: The repository, if it is one of several.
    ///   - isPlan: Whether nothing was changed.
    func write(
        of member: BackupRoot.Member?, isPlan: Bool, asJSON: Bool, in context: CommandContext
    ) throws {
        let output = context.output
        for notice in notices { context.warn(notice) }
        if missingByteCount > 0 {
            context.warn(
                "the disk was too full to free everything that is no longer needed",
                hint: "free \(ByteCount.text(missingByteCount)), and prune again")
        }
        if asJSON { return try output.writeLine(json(isPlan).text(of: member)) }
        // A plan is what a dry run is asked for.
        guard isPlan || context.verbosity != .quiet else { return }
        for backup in removed {
            let verb = isPlan ? "would remove" : "removed"
            try output.writeLine("\(verb) backup \(backup.number) (\(backup.id)) of \(backup.time)")
        }
        for number in unreadable.sorted() {
            let verb = isPlan ? "would remove" : "removed"
            try output.writeLine("\(verb) backup \(number), whose manifest cannot be read")
        }
        var text = member.map { VisibleText.text(of: $0.name) + ": " } ?? ""
        text += "\(kept.count) kept, \(removed.count + unreadable.count) "
        text += isPlan ? "would go" : "removed"
        if !isPlan { text += ", \(ByteCount.text(max(0, freedByteCount))) freed" }
        try output.writeLine(text)
    }

    private func json(_ isPlan: Bool) -> JSONValue {
        .object([
            .init("dryRun", .boolean(isPlan)),
            .init("kept", .array(kept.map { .string($0.id) })),
            .init("removed", .array(removed.map { .string($0.id) })),
            .init("freedByteCount", .integer(freedByteCount)),
            .init("remainingByteCount", .integer(remainingByteCount)),
            .init("notices", .array(notices.map { .string($0) })),
        ])
    }
}
