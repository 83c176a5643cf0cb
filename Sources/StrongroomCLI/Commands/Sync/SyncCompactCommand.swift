import StrongroomCore
import StrongroomSync

/// `strongroom sync compact FILE`
struct SyncCompactCommand: Command {
    static let syntax = CommandSyntax(
        "sync compact", summary: "delete from the hub what no device needs any more",
        operands: [.database], options: [SyncOpening.hub, .json], groups: SyncOpening.groups,
        notes: [
            "Exchanges changes first. Deletes batches that all devices have merged, and that a snapshot has, when "
                + "30 days have passed since, and snapshots that newer ones replace.",
            "A device that is put back to an older state than that begins from the snapshot. "
                + "Nothing is deleted before every device of the space has sent something.",
        ],
        examples: [
            .init(
                line: "strongroom sync compact shop.db --key-file shop.key",
                meaning: "make the hub smaller")
        ])

    private let opening: SyncOpening
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        opening = try SyncOpening(arguments, path: arguments.operands[0])
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let count = try opening.withEngine(context) { engine in
            try await engine.synchronize()
            return try await engine.compact()
        }
        let json = JSONValue.object([
            .init("file", .string(opening.path)), .init("deletedObjects", .integer(Int64(count))),
        ])
        try context.writeDone(
            count == 0
                ? "the hub has nothing that can be deleted"
                : "deleted \(count) \(count == 1 ? "object" : "objects") from the hub",
            orJSON: writesJSON ? json : nil)
    }
}
