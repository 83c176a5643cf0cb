import StrongroomCore
import StrongroomSync

/// `strongroom sync verify FILE`
struct SyncVerifyCommand: Command {
    private static let local = Option.flag("local", help: "verify only the database")
    private static let hub = Option.flag("hub", help: "verify only what the hub has")
    private static let with = Option.value(
        "with", "DEVICE", help: "compare with another device of the space, row by row")
    static let syntax = CommandSyntax(
        "sync verify", summary: "verify a database's rows and everything that the hub has",
        operands: [.database], options: [local, hub, with, .json], groups: SyncOpening.groups,
        notes: [
            "In the database, all rows are compared with what was merged: what was written "
                + "without triggers is found, and sent with the next exchange. In the hub, all "
                + "signatures and the order of all batches are verified.",
            "With --with, this device writes everything that it has merged into the hub as a snapshot, and "
                + "compares it with that of the other device. Do it on both devices after both have "
                + "exchanged: the second one says which rows differ.",
            "Exit status: 0 if nothing was found, 22 if something was.",
        ],
        examples: [
            .init(
                line: "strongroom sync verify shop.db --hub --key-file shop.key",
                meaning: "verify everything that the hub has")
        ])

    private let opening: SyncOpening
    private let isLocal: Bool
    private let isHub: Bool
    private let device: String?
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        opening = try SyncOpening(arguments, path: arguments.operands[0], takesHub: false)
        let (local, hub) = (arguments.contains(Self.local), arguments.contains(Self.hub))
        device = arguments.value(Self.with)
        isLocal = local || !hub && device == nil
        isHub = hub || !local && device == nil
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let (isLocal, isHub, device) = (isLocal, isHub, device)
        let (rows, objects, compared) = try opening.withEngine(context) { engine in
            let rows = isLocal ? try await engine.verifyRows() : SyncFindings()
            let objects = isHub ? try await engine.verifyHub() : SyncFindings()
            guard let device else { return (rows, objects, nil as SyncComparison?) }
            return (rows, objects, try await engine.compare(with: device))
        }
        if let compared, compared.tables == nil {
            throw Failure(
                .failed,
                "the hub has nothing of the device \(VisibleText.text(of: compared.device)) to compare with",
                hint:
                    "exchange on both devices, then enter sync verify --with there, and again here")
        }
        let problems =
            rows.problems + objects.problems
            + (compared.map(SyncSentences.lines(comparison:)) ?? [])
        if writesJSON {
            let json = JSONValue.object([
                .init("file", .string(opening.path)),
                .init("rowCount", .integer(Int64(rows.rowCount))),
                .init("batchCount", .integer(Int64(objects.batchCount))),
                .init("problems", .array(problems.map { .string($0) })),
            ])
            try context.output.writeLine(json.indentedText)
        } else {
            for problem in problems { try context.output.writeLine(VisibleText.text(of: problem)) }
            if problems.isEmpty {
                let parts = [
                    isLocal ? "\(rows.rowCount) rows" : nil,
                    isHub ? "\(objects.batchCount) batches in the hub" : nil,
                    compared.map {
                        "\($0.rowCount) rows of the device \(VisibleText.text(of: $0.device))"
                    },
                ].compactMap(\.self)
                try context.writeDone("verified \(parts.joined(separator: " and "))")
            }
        }
        guard !problems.isEmpty else { return }
        throw Failure(
            .syncFinding, "the verification found \(problems.count == 1 ? "a problem" : "problems")"
        )
    }
}
