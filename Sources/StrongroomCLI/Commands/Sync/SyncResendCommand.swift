import StrongroomCore
import StrongroomSync

/// `strongroom sync resend FILE`
struct SyncResendCommand: Command {
    static let syntax = CommandSyntax(
        "sync resend", summary: "offer again all that this device has",
        operands: [.database], options: [SyncOpening.hub, .json], groups: SyncOpening.groups,
        notes: [
            "For devices that lack rows although they exchange, because the hub has lost what nobody keeps any "
                + "more. Exchanges changes, and writes a snapshot, which every other device merges at its next exchange.",
            "No later edit is overwritten, and nothing is added to a counter twice.",
        ],
        examples: [
            .init(
                line: "strongroom sync resend shop.db --key-file shop.key",
                meaning: "give the others what they lack")
        ])

    private let opening: SyncOpening
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        opening = try SyncOpening(arguments, path: arguments.operands[0])
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let (summary, status) = try opening.withEngine(context) { engine in
            (try await engine.resend(), engine.status)
        }
        try SyncOnceCommand.write(
            "offered everything again", opening.path, summary, status, context, writesJSON)
    }
}
