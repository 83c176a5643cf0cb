import StrongroomCore
import StrongroomSync

/// `strongroom sync verify FILE`
struct SyncVerifyCommand: Command {
    private static let local = Option.flag("local", help: "verify only the database")
    private static let hub = Option.flag("hub", help: "verify only what the hub has")
    static let syntax = CommandSyntax(
        "sync verify", summary: "verify a database's rows and everything that the hub has",
        operands: [.database], options: [local, hub, .json], groups: SyncOpening.groups,
        notes: [
            "In the database, all rows are compared with what was merged: what was written "
                + "without triggers is found, and sent with the next exchange. In the hub, all "
                + "signatures and the order of all batches are verified.",
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
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        opening = try SyncOpening(arguments, path: arguments.operands[0], takesHub: false)
        let (local, hub) = (arguments.contains(Self.local), arguments.contains(Self.hub))
        isLocal = local || !hub
        isHub = hub || !local
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let (isLocal, isHub) = (isLocal, isHub)
        let (rows, objects) = try opening.withEngine(context) { engine in
            let rows = isLocal ? try await engine.verifyRows() : SyncFindings()
            return (rows, isHub ? try await engine.verifyHub() : SyncFindings())
        }
        let problems = rows.problems + objects.problems
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
