import StrongroomCore
import StrongroomSync

/// `strongroom sync invite FILE --device`
struct SyncInviteCommand: Command {
    private static let device = Option.flag("device", help: "invite another device of yours")

    static let syntax = CommandSyntax(
        "sync invite", summary: "print a ticket that brings another device into the space",
        operands: [.database], options: [device, SyncOpening.hub, .json],
        groups: SyncOpening.groups,
        notes: [
            "Whoever has the ticket can read everything and write, once, within seven days. "
                + "Give it to the other device by a way that you trust. Both devices show the same "
                + "twelve digits."
        ],
        examples: [
            .init(
                line: "strongroom sync invite shop.db --device --key-file shop.key",
                meaning: "print a ticket for your other laptop")
        ])

    private let opening: SyncOpening
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        opening = try SyncOpening(arguments, path: arguments.operands[0])
        writesJSON = arguments.contains(.json)
        guard arguments.contains(Self.device) else {
            throw .usage("add --device: this version invites your own devices only")
        }
    }

    func run(in context: CommandContext) throws {
        let (ticket, fingerprint) = try opening.withEngine(context) { engine in
            try await engine.inviteDevice()
        }
        guard !writesJSON else {
            let json = JSONValue.object([
                .init("ticket", .string(ticket)), .init("fingerprint", .string(fingerprint)),
            ])
            return try context.output.writeLine(json.indentedText)
        }
        try context.output.writeLine(ticket)
        context.note("the other device has to show these digits: \(fingerprint)")
    }
}
