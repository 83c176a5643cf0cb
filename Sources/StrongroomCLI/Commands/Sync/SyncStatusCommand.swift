import StrongroomCore
import StrongroomSync

/// `strongroom sync status FILE`
struct SyncStatusCommand: Command {
    static let syntax = CommandSyntax(
        "sync status", summary: "show a database's space, devices and unsent changes",
        operands: [.database], options: [.json], groups: SyncOpening.groups,
        notes: [
            "It reads the database alone, not the hub. What the last exchange found in the hub is "
                + "in the database.",
            "Exit status: 22 if the hub had lost batches, or had something that does not count, or if "
                + "a table is not synchronised.",
        ],
        examples: [
            .init(
                line: "strongroom sync status shop.db --key-file shop.key",
                meaning: "how many changes wait to be sent")
        ])

    private let opening: SyncOpening
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        opening = try SyncOpening(arguments, path: arguments.operands[0])
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let report = try opening.opening(context, isReading: true) { queue in
            try queue.read { try SyncReport($0) }
        }
        guard let report else { throw opening.noSpace }
        if writesJSON {
            try context.output.writeLine(json(report).indentedText)
        } else {
            try write(report, context)
        }
        guard report.findings.isEmpty, report.missingBatches.isEmpty,
            report.divergedDevices.isEmpty, report.withheldTables.isEmpty
        else {
            throw Failure(
                .syncFinding, "the last exchange found that not all is as it should be",
                hint: "strongroom sync once \(ShellWord.text(opening.path)) looks again")
        }
    }

    private func write(_ report: SyncReport, _ context: CommandContext) throws {
        var fields = FieldList()
        fields.append("space", report.space)
        fields.append("device", "\(report.deviceName) (\(report.device))")
        fields.append(
            "other devices",
            report.otherDevices.isEmpty ? "none" : report.otherDevices.joined(separator: ", "))
        fields.append("hub", report.hub ?? "none")
        fields.append("tables", report.tables.joined(separator: ", "))
        fields.append("rows", "\(report.rowCount)")
        fields.append(
            "changes not sent",
            report.pendingChanges == 0 ? "none" : "about \(report.pendingChanges)")
        fields.append("batches not sent", "\(report.unsentBatches)")
        for (reason, count) in report.heldRows.sorted(by: { $0.key < $1.key }) {
            fields.append("held rows", "\(count): \(reason)")
        }
        for name in report.overruledTriggers {
            fields.append(
                "trigger turned off", "\(name), which changes or refuses what is merged")
        }
        try fields.write(to: context.output)
        for line in SyncSentences.lines(
            report.findings, report.missingBatches, report.divergedDevices, report.names)
        {
            try context.output.writeLine(line)
        }
        for line in SyncSentences.lines(withheld: report.withheldTables)
            + SyncSentences.lines(requiredAppVersion: report.requiredAppVersion)
        {
            try context.output.writeLine(line)
        }
    }

    private func json(_ report: SyncReport) -> JSONValue {
        .object([
            .init("file", .string(opening.path)), .init("space", .string(report.space)),
            .init("device", .string(report.device)), .init("name", .string(report.deviceName)),
            .init("otherDevices", .array(report.otherDevices.map { .string($0) })),
            .init("hub", report.hub.map { .string($0) } ?? .null),
            .init("tables", .array(report.tables.map { .string($0) })),
            .init("rowCount", .integer(Int64(report.rowCount))),
            .init("pendingChanges", .integer(Int64(report.pendingChanges))),
            .init("unsentBatches", .integer(Int64(report.unsentBatches))),
            .init(
                "heldRows",
                .array(
                    report.heldRows.sorted { $0.key < $1.key }.map { reason, count in
                        .object([
                            .init("reason", .string(reason)),
                            .init("count", .integer(Int64(count))),
                        ])
                    })),
            .init(
                "overruledTriggers", .array(report.overruledTriggers.map { .string($0) })),
            .init("findings", SyncSentences.json(report.findings)),
            .init("missingBatches", SyncSentences.json(report.missingBatches)),
            .init("divergedDevices", .array(report.divergedDevices.map { .string($0) })),
            .init("withheldTables", SyncSentences.json(withheld: report.withheldTables)),
            .init(
                "requiredAppVersion",
                report.requiredAppVersion.map { .integer(Int64($0)) } ?? .null),
            .init("clockOffset", report.clockOffset.map { .integer($0) } ?? .null),
            .init("lastExchange", report.lastExchange.map { .integer($0) } ?? .null),
        ])
    }
}
