import StrongroomCore
import StrongroomSync

/// `strongroom sync once FILE`
struct SyncOnceCommand: Command {
    static let syntax = CommandSyntax(
        "sync once", summary: "exchange changes with the hub once",
        operands: [.database], options: [SyncOpening.hub, .json], groups: SyncOpening.groups,
        notes: [
            "Fetches and merges what other devices have sent, and sends what was written here. "
                + "What cannot be sent stays, and is sent the next time.",
            "Exit status: 22 if the hub has lost batches, or has something that does not count, "
                + "such as a batch that was changed, or if a table is not synchronised; 23 if this device was removed from the space.",
        ],
        examples: [
            .init(
                line: "strongroom sync once shop.db --key-file shop.key", meaning: "exchange once")
        ])

    private let opening: SyncOpening
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        opening = try SyncOpening(arguments, path: arguments.operands[0])
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let (summary, status) = try opening.withEngine(context) { engine in
            (try await engine.synchronize(), engine.status)
        }
        try Self.write(
            "exchanged", opening.path, summary, status, context, writesJSON)
        guard status.findings.isEmpty else {
            throw Failure(
                .syncFinding, "the hub has batches that do not count",
                hint: "strongroom sync verify \(ShellWord.text(opening.path)) --hub lists them")
        }
        guard status.divergedDevices.isEmpty else {
            throw Failure(
                .syncFinding, "devices that have merged the same do not have the same",
                hint:
                    "strongroom sync verify \(ShellWord.text(opening.path)) and the same on the others"
            )
        }
        guard status.withheldTables.isEmpty else {
            throw Failure(
                .syncFinding, "tables merge by other policies here than in the space",
                hint: "declare them as the space has them; what was written to them stays here")
        }
        guard status.missingBatches.isEmpty else {
            throw Failure(
                .syncFinding, "the hub was put back to an older state, or has lost batches",
                hint: "exchange on the devices that are named")
        }
    }

    static func write(
        _ done: String, _ path: String, _ summary: SyncSummary,
        _ status: SyncStatus?, _ context: CommandContext, _ writesJSON: Bool
    ) throws(Failure) {
        let (findings, missing) = (status?.findings ?? [], status?.missingBatches ?? [])
        for line in SyncSentences.lines(
            findings, missing, status?.divergedDevices ?? [], status?.devices ?? [:])
        {
            context.warn(line)
        }
        for line in SyncSentences.lines(withheld: status?.withheldTables ?? [:])
            + SyncSentences.lines(requiredAppVersion: status?.requiredAppVersion)
        {
            context.warn(line)
        }
        let json = JSONValue.object([
            .init("file", .string(path)),
            .init("localChanges", .integer(Int64(summary.localChanges))),
            .init("sentBatches", .integer(Int64(summary.sentBatches))),
            .init("mergedChanges", .integer(Int64(summary.mergedChanges))),
            .init("findings", SyncSentences.json(findings)),
            .init("missingBatches", SyncSentences.json(missing)),
            .init("withheldTables", SyncSentences.json(withheld: status?.withheldTables ?? [:])),
            .init(
                "requiredAppVersion",
                status?.requiredAppVersion.map { .integer(Int64($0)) } ?? .null),
        ])
        try context.writeDone(
            "\(done): \(summary.localChanges) \(summary.localChanges == 1 ? "change" : "changes") sent, "
                + "\(summary.mergedChanges) merged",
            orJSON: writesJSON ? json : nil)
    }
}
