import StrongroomCore
import StrongroomSync

/// `strongroom sync detach FILE`
struct SyncDetachCommand: Command {
    private static let yes = Option.flag(
        "yes", help: "detach, although changes that were not sent never will be")

    static let syntax = CommandSyntax(
        "sync detach", summary: "take a database out of its space, and keep its rows",
        operands: [.database], options: [yes], groups: SyncOpening.groups,
        notes: [
            "The triggers and tables of synchronisation are removed; the app's rows stay as they "
                + "are. Held rows are removed, too. The device stays in the roster of the space."
        ],
        examples: [
            .init(
                line: "strongroom sync detach shop.db --yes --key-file shop.key",
                meaning: "make it an ordinary database again")
        ])

    private let opening: SyncOpening
    private let isConfirmed: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        opening = try SyncOpening(arguments, path: arguments.operands[0])
        isConfirmed = arguments.contains(Self.yes)
    }

    func run(in context: CommandContext) throws {
        try opening.opening(context) { queue in
            guard let report = try queue.read({ try SyncReport($0) }) else {
                throw opening.noSpace
            }
            guard isConfirmed else {
                throw Failure(
                    .usage,
                    "\(opening.path) would leave its space for good, with about "
                        + "\(report.pendingChanges) changes and \(report.unsentBatches) batches not sent",
                    hint: "add --yes to detach it")
            }
            try queue.write { try SyncReport.detach($0) }
        }
        try context.writeDone("detached \(opening.path); its rows stay")
    }
}
