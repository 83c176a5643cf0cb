import StrongroomCore
import StrongroomSync

/// `strongroom sync init FILE`
struct SyncInitCommand: Command {
    private static let hub = Option.value(
        "hub", "DIR", completion: .file, help: "the folder of the hub, which all devices reach")
    private static let all = Option.flag("all", help: "share all tables that hold rows")
    private static let tables = Option.value(
        "tables", "NAMES", help: "share these tables, with commas between them")
    private static let dryRun = Option.flag(
        "dry-run", help: "show what would be done, without changing anything")

    static let syntax = CommandSyntax(
        "sync init", summary: "create a space, so that other devices can share a database",
        operands: [.database],
        options: [hub, all, tables, SyncOpening.name, dryRun, .json],
        groups: SyncOpening.groups,
        notes: [
            "Each device has the whole database and works offline. Triggers in the file note "
                + "which rows change, whichever program writes them. strongroom sync once sends "
                + "these rows to the hub, and merges what other devices have sent.",
            "The hub is a folder of plain files, as on a file server, a stick, or in a folder "
                + "that another program copies. Everything in it is encrypted and signed: who keeps "
                + "it cannot read or change rows.",
            "Tables need a primary key that several devices do not give to different rows, "
                + "such as a UUID. What cannot be shared is listed, with the reason.",
        ],
        examples: [
            .init(
                line: "strongroom sync init shop.db --hub /mnt/share/hub --all --key-file shop.key",
                meaning: "share all tables")
        ])

    private let opening: SyncOpening
    private let hubPath: String
    private let names: [String]?
    private let name: String
    private let isDryRun: Bool
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        opening = try SyncOpening(arguments, path: arguments.operands[0])
        guard let path = arguments.value(Self.hub) else {
            throw .usage("--hub DIR is missing", hint: "name the folder that all devices reach")
        }
        hubPath = path
        let list = arguments.value(Self.tables)
        guard (list != nil) != arguments.contains(Self.all) else {
            throw .usage("give either --all or --tables", hint: "--tables artist,album")
        }
        names = list.map { $0.split(separator: ",").map(String.init) }
        name = SyncOpening.deviceName(arguments)
        isDryRun = arguments.contains(Self.dryRun)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let hub = FolderHub(path: try SyncOpening.absolute(hubPath))
        try opening.opening(context, isReading: isDryRun) { queue in
            let tables = try queue.read { db in
                try (names ?? SyncReport.tableNames(db)).map { SyncedTable($0) }
            }
            let findings = try queue.read { try SyncSchema.check($0, tables) }
            for finding in findings where finding.severity == .warning {
                context.warn(
                    "\(finding.table)\(finding.column.map { ".\($0)" } ?? ""): \(finding.message)",
                    hint: finding.remedy)
            }
            // It throws what is refused.
            _ = try queue.read { try SyncSchema($0, tables) }
            let list = tables.map(\.name).joined(separator: ", ")
            if isDryRun { return try write("would share \(list)", tables, nil, context) }
            let name = name
            let space = try Awaiting.result(context.cancellation) {
                let engine = try await SyncEngine.create(
                    queue, hub, tables: tables, name: name, SyncOpening.options)
                return try await SyncOpening.use(engine) {
                    try await $0.synchronize()
                    return $0.space
                }
            }
            try write("created a space that shares \(list)", tables, space, context)
        }
    }

    private func write(
        _ line: String, _ tables: [SyncedTable], _ space: String?, _ context: CommandContext
    ) throws(Failure) {
        let json = JSONValue.object([
            .init("file", .string(opening.path)),
            .init("space", space.map { .string($0) } ?? .null),
            .init("tables", .array(tables.map { .string($0.name) })),
        ])
        try context.writeDone(line, orJSON: writesJSON ? json : nil)
    }
}
