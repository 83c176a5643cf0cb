import StrongroomCore
import StrongroomKeyrings

/// `strongroom key init FILE`
struct KeyInitCommand: Command {
    private static let keepKey = Option.flag(
        "keep-key", help: "keep the key of the database, which goes on opening it")

    static let syntax = CommandSyntax(
        "key init", summary: "create the keyring of a database",
        operands: [.database], options: [keepKey],
        groups: [
            KeyOptions.ofDatabase.group, SlotOptions.group, KeyOptions.ofSlot.group,
            DatabaseSettings.group,
        ],
        notes: [
            "Creates FILE-keyring, and rotates the database to a new random key, which only "
                + "the keyring holds. Copy the two files together.",
            "Without an option for the new slot, the current key becomes the first slot, under "
                + "your user name: a passphrase as a passphrase, a raw key as a key file. Add a "
                + "recovery code next: strongroom key recovery FILE.",
            "With --keep-key, nothing is encrypted again, and the current key opens the file "
                + "without the keyring until the next rotation.",
        ],
        examples: [
            .init(
                line: "strongroom key init shop.db --key-file old.key",
                meaning: "the key file becomes the first slot")
        ])

    private let path: String
    private let keySource: KeySource
    private let newKeySource: KeySource
    private let slotOptions: SlotOptions
    private let settings: DatabaseSettings
    private let keepsKey: Bool
    private let audit: AuditLog?

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        keySource = try KeyOptions.ofDatabase.source(in: arguments)
        newKeySource = try KeyOptions.ofSlot.source(in: arguments)
        slotOptions = try SlotOptions(arguments)
        settings = try DatabaseSettings(arguments)
        keepsKey = arguments.contains(Self.keepKey)
        audit = AuditLog(arguments)
        if !slotOptions.takesNewKey, KeyOptions.ofSlot.isNamed(in: arguments) {
            throw .usage(
                "a secret for a new slot is given, but no slot", hint: "add --passphrase NAME")
        }
    }

    func run(in context: CommandContext) throws {
        try audit.noting("init", path, isBegun: true) { try work(in: context) }
    }

    /// An earlier run may have been killed before it gave the database another key, or before it noted
    /// that it has.
    private var hintForKeyring: String {
        let keyring = try? Keyring(of: path)
        let file = ShellWord.text(path)
        if keyring?.isChangingKey == true {
            return
                "an earlier run was interrupted: strongroom key repair \(file) completes it, and reports "
                + "whether the previous key still opens \(path)"
        }
        return keyring?.keys.first?.origin == .imported
            ? "the previous key still opens \(path) without it: strongroom rotate-key \(file) ends that"
            : "strongroom key list shows its slots, and strongroom key add adds one"
    }

    private func work(in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(path)
        if try Keyring.exists(for: path) {
            throw Failure(.failed, "\(path) has a keyring already", hint: hintForKeyring)
        }
        let reader = KeyReader(context: context)
        let key = try reader.secret(from: keySource, for: .opening(path: path))
        let slot =
            try slotOptions.slot(newKeySource, reader)
            ?? .first(key, work: slotOptions.work, isSealed: slotOptions.isSealed)
        let file = DatabaseFile(path: path, key: key)
        let keyring = try CommandProgress(context: context, title: "encrypting").run { progress in
            try Keyring.create(
                for: settings.named(for: file) ?? file, keepingKey: keepsKey, progress: progress
            ) { try slot.add(to: &$0) }
        }
        try TransferResult.finishing("\(keyring.path) is created") { () throws(Failure) in
            for slot in keyring.slots {
                try context.writeDone("\(path) has a keyring; \(slot.title) opens it")
            }
            try context.output.flush()
        }
        context.warnIfUnfinished(keyring)
        if keepsKey {
            context.warn(
                "the current key still opens \(path), without the keyring",
                hint: "strongroom rotate-key \(ShellWord.text(path)) ends that")
        }
        guard !keyring.slots.contains(where: { $0.kind == .recovery }) else { return }
        context.note(
            "add a recovery code, for when all else is lost: strongroom key recovery "
                + ShellWord.text(path))
    }
}
