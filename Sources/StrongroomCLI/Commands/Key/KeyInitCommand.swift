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
            KeyOptions.ofDatabase.group, SlotOptions.group, KeyOptions.new.group,
            DatabaseSettings.group,
        ],
        notes: [
            "Creates FILE-keyring, and rotates the database to a new random key, which only "
                + "the keyring holds. Copy the two files together.",
            "Without an option for the new slot, the present passphrase becomes the first way in, "
                + "under your user name. A raw key cannot, because the keyring gives it to all who "
                + "open it, for old backups: name another way in. Add a recovery code next: "
                + "strongroom key recovery FILE.",
            "With --keep-key, nothing is encrypted again, and the present key opens the file "
                + "without the keyring until the next rotation.",
        ],
        examples: [
            .init(
                line: "strongroom key init shop.db --key-file old.key --key-file-slot new.key",
                meaning: "new.key, which strongroom keygen has made, opens it from now on")
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
        newKeySource = try KeyOptions.new.source(in: arguments)
        slotOptions = try SlotOptions(arguments)
        settings = try DatabaseSettings(arguments)
        keepsKey = arguments.contains(Self.keepKey)
        audit = AuditLog(arguments)
        if !slotOptions.takesNewKey, KeyOptions.new.isNamed(in: arguments) {
            throw .usage("a new key is given, and no slot for it", hint: "add --passphrase NAME")
        }
    }

    func run(in context: CommandContext) throws {
        try audit.noting("init", path) { try work(in: context) }
    }

    /// The present passphrase remains a way in.
    private func firstSlot(_ key: CipherKey) throws(Failure) -> NewSlot {
        guard key.form == .passphrase else {
            throw Failure(
                .failed,
                "the raw key of \(path) cannot be a way in: the keyring gives it to all who open it, for "
                    + "old backups",
                hint:
                    "name another way in: --passphrase NAME, --recipient, or --key-file-slot with a "
                    + "new key of strongroom keygen")
        }
        return try .first(key, work: slotOptions.work, isSealed: slotOptions.isSealed)
    }

    private func work(in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(path)
        if try Keyring.exists(for: path) {
            throw Failure(
                .failed, "\(path) has a keyring already",
                hint: "strongroom key list shows its slots, and strongroom key add adds one")
        }
        let reader = KeyReader(context: context)
        let key = try reader.secret(from: keySource, for: .opening(path: path))
        let slot =
            try slotOptions.slot(newKeySource, reader) ?? firstSlot(key)
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
        if keepsKey {
            context.warn(
                "the present key still opens \(path), without the keyring",
                hint: "strongroom rotate-key \(ShellWord.text(path)) ends that")
        }
        guard !keyring.slots.contains(where: { $0.kind == .recovery }) else { return }
        context.note(
            "add a recovery code, for when all else is lost: strongroom key recovery "
                + ShellWord.text(path))
    }
}
