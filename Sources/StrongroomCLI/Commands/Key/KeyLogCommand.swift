import StrongroomCore
import StrongroomEssentials
import StrongroomKeyrings

/// `strongroom key log FILE`
struct KeyLogCommand: Command {
    static let syntax = CommandSyntax(
        "key log", summary: "list the changes of a keyring; needs no secret",
        operands: [.database], options: [.json],
        notes: [
            "Lists the last 100 changes, oldest first. The time, the user and the machine are what "
                + "the machine of the change reported. Without a secret that opens the keyring, lines "
                + "cannot be removed."
        ],
        examples: [.init(line: "strongroom key log shop.db", meaning: "who changed what, when")])

    private let path: String
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) {
        path = arguments.operands[0]
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let keyring = try Keyring(of: path)
        if writesJSON {
            let events = KeyListCommand.json(of: keyring.events)
            return try context.output.writeLine(events.indentedText)
        }
        var table = TextTable(
            header: ["DATE", "WHAT", "USER", "MACHINE", "SLOT OR KEY"], output: context.output,
            columns: context.outputColumns(), whole: [0])
        for event in keyring.events {
            // A slot that is gone has its id alone.
            let name = keyring.slots.first { $0.id == event.slot }?.name
            let text = WrittenTime.text(of: event.date)
            try table.append([
                .init(String(text.prefix(10)) + " " + text.dropFirst(11).prefix(8)),
                .init(event.what),
                .init(VisibleText.text(of: event.user)), .init(VisibleText.text(of: event.host)),
                .init(VisibleText.text(of: name ?? event.slot ?? event.key ?? "")),
            ])
        }
        try table.finish()
    }
}

/// `strongroom key forget FILE`
struct KeyForgetCommand: Command {
    private static let before = Option.value(
        "before", "DATE", help: "those that were replaced before that day, such as 2026-11-20")
    private static let key = Option.value("id", "KEY", help: "the one with this identifier")

    static let syntax = CommandSyntax(
        "key forget",
        summary: "remove earlier keys from a keyring; their backups become unreadable",
        operands: [.database], options: [before, key], groups: [KeyOptions.ofKeyring.group],
        notes: [
            "A keyring keeps the keys that the database had before, for backups of that time. "
                + "Without its key, a backup cannot be restored: strongroom backup list shows the "
                + "key of each. Earlier copies of the keyring still hold the key."
        ],
        examples: [
            .init(
                line: "strongroom key forget shop.db --before 2026-01-01",
                meaning: "after the backups of last year are gone")
        ])

    private let access: KeyringAccess
    private let date: Date?
    private let key: String?

    init(_ arguments: ParsedArguments) throws(Failure) {
        access = try KeyringAccess(arguments)
        key = arguments.value(Self.key)
        let day = arguments.value(Self.before)
        date = day.flatMap { WrittenTime.date(of: $0 + "T00:00:00.000Z") }
        guard day == nil || date != nil else {
            throw .usage("--before needs a day, such as 2026-11-20")
        }
        guard (date == nil) != (key == nil) else {
            throw .usage("key forget needs either --before DATE or --id KEY")
        }
    }

    func run(in context: CommandContext) throws {
        let (keyring, unlocker) = try access.open(context)
        if let key, !keyring.keys.contains(where: { $0.previous.contains(key) }) {
            throw Failure(
                .failed, "\(keyring.path) keeps no earlier key \(key)",
                hint: "strongroom key list \(ShellWord.text(access.path)) --json shows them")
        }
        let forgotten = try keyring.forgetKeys(unlockingWith: unlocker) { identifier, retired in
            if let date { retired < date } else { identifier == key }
        }
        for identifier in forgotten {
            try context.writeDone("\(identifier) is removed: its backups are unreadable now")
        }
        if forgotten.isEmpty { try context.writeDone("there is no earlier key of that time") }
    }
}
