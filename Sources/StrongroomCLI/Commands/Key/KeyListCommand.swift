import StrongroomCore
import StrongroomEssentials
import StrongroomKeyrings

/// `strongroom key list FILE`
struct KeyListCommand: Command {
    static let syntax = CommandSyntax(
        "key list", summary: "list the slots of a keyring; needs no secret",
        operands: [.database], options: [.json],
        notes: [
            "Verifies the signature of the keyring first. KEY is the identifier of the "
                + "database's key, as backup list prints it. --json has the recipients in full, and "
                + "the last 100 changes: when, by which user, on which machine."
        ],
        examples: [.init(line: "strongroom key list shop.db", meaning: "who can open it")])

    private let path: String
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) {
        path = arguments.operands[0]
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let keyring = try Keyring(of: path)
        if writesJSON {
            return try context.output.writeLine(Self.json(of: keyring).indentedText)
        }
        var table = TextTable(
            header: ["NAME", "OPENED BY", "ADDED", "RECIPIENT"], output: context.output,
            columns: context.outputColumns(), whole: [0])
        for slot in keyring.slots.sorted(by: { ($0.date, $0.name) < ($1.date, $1.name) }) {
            try table.append([
                .init(VisibleText.text(of: slot.name)),
                .init(slot.kind.title + (slot.hasVouch ? "" : ", not yet used")),
                .init(String(WrittenTime.text(of: slot.date).prefix(10))),
                .init(slot.recipient ?? "(sealed)"),
            ])
        }
        try table.finish()
        try context.output.writeLine()
        var fields = FieldList()
        fields.append("keyring", keyring.identifier)
        fields.append("authority", keyring.authority)
        fields.append(
            "revision", "\(keyring.revision), \(WrittenTime.text(of: keyring.date))")
        for key in keyring.keys {
            fields.append(
                "key", "\(key.id), \(Self.text(of: key.origin)), \(WrittenTime.text(of: key.date))")
        }
        let test = keyring.events.last { $0.what == "test" }
        if let test { fields.append("code tested", WrittenTime.text(of: test.date)) }
        let previous = keyring.keys.last?.previous.count ?? 0
        if previous > 0 { fields.append("earlier keys", "\(previous), for backups") }
        try fields.write(to: context.output)
        for sentence in keyring.unfinished { context.note(sentence) }
    }

    private static func text(of origin: Keyring.Key.Origin) -> String {
        switch origin {
        case .new: "created with the database"
        case .rotated: "created by a rotation"
        case .imported: "opens the file without the keyring, too, until a rotation"
        }
    }

    private static func json(of keyring: Keyring) -> JSONValue {
        let slots = keyring.slots.map { slot in
            JSONValue.object([
                .init("id", .string(slot.id)), .init("name", .string(slot.name)),
                .init("kind", .string(slot.kind.rawValue)),
                .init("date", .string(WrittenTime.text(of: slot.date))),
                .init("recipient", slot.recipient.map { .string($0) } ?? .null),
                .init("work", slot.work.map { .integer(Int64($0)) } ?? .null),
                .init("hasVouch", .boolean(slot.hasVouch)),
            ])
        }
        let keys = keyring.keys.map { key in
            JSONValue.object([
                .init("id", .string(key.id)), .init("origin", .string(key.origin.rawValue)),
                .init("date", .string(WrittenTime.text(of: key.date))),
                .init("previous", .array(key.previous.map { .string($0) })),
            ])
        }
        return .object([
            .init("file", .string(keyring.path)), .init("keyring", .string(keyring.identifier)),
            .init("authority", .string(keyring.authority)),
            .init("revision", .integer(Int64(keyring.revision))),
            .init("date", .string(WrittenTime.text(of: keyring.date))),
            .init("isChangingKey", .boolean(keyring.isChangingKey)),
            .init("removedSinceRotation", .boolean(keyring.removalSinceRotation != nil)),
            .init("slots", .array(slots)), .init("keys", .array(keys)),
            .init("events", json(of: keyring.events)),
        ])
    }

    static func json(of events: [Keyring.Event]) -> JSONValue {
        .array(
            events.map { event in
                JSONValue.object([
                    .init("date", .string(WrittenTime.text(of: event.date))),
                    .init("what", .string(event.what)), .init("user", .string(event.user)),
                    .init("host", .string(event.host)),
                    .init("slot", event.slot.map { .string($0) } ?? .null),
                    .init("key", event.key.map { .string($0) } ?? .null),
                ])
            })
    }
}
