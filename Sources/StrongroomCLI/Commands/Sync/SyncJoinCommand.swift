import StrongroomCore
import StrongroomSync

/// `strongroom sync join TICKET FILE`
struct SyncJoinCommand: Command {
    static let syntax = CommandSyntax(
        "sync join", summary: "bring a database into a space with a ticket",
        operands: [
            Operand(
                "TICKET", completion: .nothing, help: "what strongroom sync invite has printed"),
            Operand("FILE", help: "the encrypted database; it is created if it is missing"),
        ],
        options: [SyncOpening.hub, SyncOpening.name, .json], groups: SyncOpening.groups,
        notes: [
            "A new file gets the tables of the space and all rows. A file that has the tables "
                + "keeps its rows: rows of one key become one row.",
            "The key is the file's own: each device can have another one.",
        ],
        examples: [
            .init(
                line: "strongroom sync join srs1… shop.db --key-file shop.key",
                meaning: "create shop.db with everything that the space has")
        ])

    private let opening: SyncOpening
    private let ticket: String
    private let name: String
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        ticket = arguments.operands[0]
        opening = try SyncOpening(arguments, path: arguments.operands[1])
        name = SyncOpening.deviceName(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let ticket = try SyncEngine.ticket(ticket)
        let hub = try opening.transport(ticket.hub)
        context.note("the device that invited shows these digits: \(try ticket.fingerprint())")
        let (text, name) = (self.ticket, name)
        let summary = try opening.opening(context, isNew: true) { queue in
            try Awaiting.result(context.cancellation) {
                let engine = try await SyncEngine.join(
                    text, for: queue, transport: hub, name: name, tables: nil,
                    SyncOpening.options)
                return try await SyncOpening.use(engine) { try await $0.synchronize() }
            }
        }
        try SyncOnceCommand.write(
            "joined the space", opening.path, summary, nil, context, writesJSON)
    }
}
