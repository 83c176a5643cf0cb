import StrongroomCore
import StrongroomEssentials
import StrongroomKeyrings

/// `strongroom key log FILE`
struct KeyLogCommand: Command {
    private static let verify = Option.value(
        "verify", "PATH", completion: .file,
        help: "verify the log that --audit has written to PATH instead; without FILE")

    static let syntax = CommandSyntax(
        "key log", summary: "list the changes of a keyring; needs no secret",
        operands: [Operand("FILE", isOptional: true, help: "the encrypted database")],
        options: [verify, .json],
        notes: [
            "Lists the last 100 changes, oldest first. The time, user and host are "
                + "those that the changing host reported. An attacker without a secret of the keyring "
                + "cannot remove lines.",
            "With --verify, exit status 13 if a line of that log was removed, changed or moved, or if "
                + "the last one is cut off. Note the hash that it prints elsewhere: only that shows later "
                + "if the last lines are missing, or if an attacker has written lines anew.",
        ],
        examples: [
            .init(line: "strongroom key log shop.db", meaning: "who changed what, when"),
            .init(
                line: "strongroom key log --verify /var/log/strongroom-keys.log",
                meaning: "what --audit has written, and whether it is intact"),
        ])

    private let path: String?
    private let audit: AuditLog?
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operand(0)
        audit = arguments.value(Self.verify).map(AuditLog.init(path:))
        guard (path == nil) != (audit == nil) else {
            throw .usage("key log needs either FILE or --verify PATH")
        }
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        guard let path else { return try verify(in: context) }
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

    private func verify(in context: CommandContext) throws {
        guard let audit else { return }
        let log = try audit.verified()
        guard !writesJSON else {
            return try context.output.writeLine(
                JSONValue.object([
                    .init("lineCount", .integer(Int64(log.count))),
                    .init("hash", .string(log.last)),
                    .init("cutLines", .array(log.cutLines.map { .integer(Int64($0)) })),
                ]).indentedText)
        }
        try context.writeDone(
            "\(audit.path) is intact: \(log.count) lines, and the hash of the last one is \(log.last)"
        )
        for line in log.cutLines {
            context.note("line \(line) is cut off: a command was killed while it wrote the line")
        }
    }
}

/// `strongroom key forget FILE`
struct KeyForgetCommand: Command {
    private static let before = Option.value(
        "before", "DATE", help: "those that were replaced before that day, such as 2026-11-20")
    private static let key = Option.value("id", "KEY", help: "the one with this identifier")

    static let syntax = CommandSyntax(
        "key forget",
        summary: "remove earlier keys from a keyring, when their backups are gone",
        operands: [.database], options: [before, key], groups: [KeyOptions.ofKeyring.group],
        notes: [
            "A keyring keeps the keys that the database had before, for backups of that time. "
                + "Without its key, a backup cannot be restored: strongroom backup list shows the "
                + "key of each. Earlier copies of the keyring still hold the key.",
            "If someone else may have the key, run strongroom backup rekey first: it no longer "
                + "knows a key that the keyring has forgotten, and that key can still sign the "
                + "repository.",
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
        try access.noting("forget") { try work(in: context) }
    }

    private func work(in context: CommandContext) throws {
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
            try context.writeDone("\(identifier) is removed from \(keyring.path)")
        }
        if !forgotten.isEmpty {
            context.note(
                "earlier copies of the keyring still have it, also those in backups: prune these")
        }
        if forgotten.isEmpty { try context.writeDone("there is no earlier key of that time") }
    }
}
