import StrongroomCore
import StrongroomSync

/// `strongroom sync held FILE`
struct SyncHeldCommand: Command {
    static let syntax = CommandSyntax(
        "sync held", summary: "list the rows that are merged but cannot be shown",
        operands: [.database], options: [.json], groups: SyncOpening.groups,
        notes: [
            "Rows of other devices are held back where a constraint is against them: their "
                + "parent was deleted, or an older row has the same unique value. Nothing of them is "
                + "lost: they are shown when the reason is gone.",
            "It also lists rows with counters that are inexact: the hub was put back, and two copies "
                + "of a file have added to them under the same numbers.",
        ],
        examples: [
            .init(
                line: "strongroom sync held shop.db --key-file shop.key",
                meaning: "which rows, and why")
        ])

    private let opening: SyncOpening
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        opening = try SyncOpening(arguments, path: arguments.operands[0])
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let rows = try opening.opening(context, isReading: true) { queue in
            try queue.read { db in
                try SyncReport(db) == nil
                    ? nil : SyncReport.heldRows(db) + SyncReport.inexactRows(db)
            }
        }
        guard let rows else { throw opening.noSpace }
        guard !writesJSON else {
            let list = rows.map { row in
                JSONValue.object([
                    .init("table", .string(row.table)),
                    .init("key", .array(row.key.map { .string($0) })),
                    .init("reason", .string(row.reason)),
                ])
            }
            return try context.output.writeLine(JSONValue.array(list).indentedText)
        }
        for row in rows {
            let key = row.key.joined(separator: ", ")
            try context.output.writeLine(VisibleText.text(of: "\(row.table) \(key): \(row.reason)"))
        }
        if rows.isEmpty { try context.writeDone("no rows are held") }
    }
}
