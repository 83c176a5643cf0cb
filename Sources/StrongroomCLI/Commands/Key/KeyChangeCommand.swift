import StrongroomCore
import StrongroomKeyrings

/// `strongroom key change FILE`
struct KeyChangeCommand: Command {
    private static let name = Option.value(
        "name", "NAME", help: "change this slot, or add it (default: the slot that was opened)")

    static let syntax = CommandSyntax(
        "key change", summary: "give a slot a new passphrase or key file",
        operands: [.database], options: [name, SlotOptions.work, SlotOptions.sealed],
        groups: [KeyOptions.ofKeyring.group, KeyOptions.ofChangedSlot.group],
        notes: [
            "Takes a second, whatever the size of the database, which may be in use. The old "
                + "secret opens nothing of the new keyring. If another person knows it, also "
                + "rotate the key: strongroom rotate-key FILE.",
            "With a recovery code and --name, it sets a new passphrase after all others are lost.",
        ],
        examples: [
            .init(line: "strongroom key change shop.db", meaning: "change your own passphrase"),
            .init(
                line: "strongroom key change shop.db --name me",
                meaning: "the same from a recovery code, when the passphrase is lost"),
        ])

    private let access: KeyringAccess
    private let newKeySource: KeySource
    private let name: String?
    private let work: Int
    private let isSealed: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        access = try KeyringAccess(arguments)
        newKeySource = try KeyOptions.ofChangedSlot.source(in: arguments)
        name = arguments.value(Self.name)
        work = try SlotOptions.work(arguments)
        isSealed = arguments.contains(SlotOptions.sealed)
        try KeyOptions.requireDistinct(in: arguments)
    }

    func run(in context: CommandContext) throws {
        try access.noting("change", slot: name) { try work(in: context) }
    }

    private func work(in context: CommandContext) throws {
        let (keyring, unlocker) = try access.open(context)
        let opened = try keyring.unlocked(with: unlocker).slot
        let name = try self.name ?? changeableName(opened)
        let old = keyring.slots.first { $0.name == name }
        if let old { try requireChangeable(old) }
        let key = try KeyReader(context: context)
            .secret(from: newKeySource, for: .making(path: "the slot “\(name)”"))
        let slot = NewSlot(name: name, secret: .key(key), work: work, isSealed: isSealed)
        try keyring.change(unlockingWith: unlocker) { change in
            guard old != nil else { return try slot.add(to: &change) }
            try change.replace(name) { try slot.add(to: &$0) }
        }
        try context.writeDone(
            old == nil
                ? "“\(name)” opens \(access.path) from now on"
                : "“\(name)” has a new secret, and the old one opens nothing of \(keyring.path)")
        context.note(
            "if another person may know the old secret, rotate the key, too: "
                + "strongroom rotate-key \(ShellWord.text(access.path))")
    }

    private func changeableName(_ opened: Keyring.Slot?) throws(Failure) -> String {
        guard let opened else {
            throw .usage(
                "the key of the database was given, which is no slot",
                hint: "name the slot: --name NAME")
        }
        guard opened.kind == .passphrase || opened.kind == .keyFile else {
            throw .usage(
                "the secret opened \(opened.title), which cannot get a new passphrase",
                hint: "name another slot: --name NAME")
        }
        return opened.name
    }

    private func requireChangeable(_ slot: Keyring.Slot) throws(Failure) {
        guard slot.kind == .passphrase || slot.kind == .keyFile else {
            throw Failure(
                .failed, "\(slot.title) cannot get a new passphrase",
                hint: slot.kind == .recovery
                    ? "strongroom key recovery --replace creates another code"
                    : "add another slot, and remove this one")
        }
    }
}

/// `strongroom key test FILE`
struct KeyTestCommand: Command {
    private static let recovery = Option.flag(
        "recovery", help: "test a recovery code, and note in the keyring that it was tested")

    static let syntax = CommandSyntax(
        "key test", summary: "test whether a secret opens a database, and by which slot",
        operands: [.database], options: [recovery], groups: [KeyOptions.ofKeyring.group],
        notes: [
            "Exit status 0 if it opens the database, 12 if it does not, 10 if there is no keyring, "
                + "14 if the database is empty. Writes nothing, except with --recovery: key list then "
                + "shows when the code was last tested."
        ],
        examples: [
            .init(
                line: "strongroom key test shop.db --recovery",
                meaning: "type the recovery code, once a year")
        ])

    private let access: KeyringAccess
    private let isDrill: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        access = try KeyringAccess(arguments)
        isDrill = arguments.contains(Self.recovery)
    }

    func run(in context: CommandContext) throws {
        try access.noting("test") { try work(in: context) }
    }

    private func work(in context: CommandContext) throws {
        let (keyring, unlocker) = try access.open(context, needsDatabase: true)
        let slot = try keyring.unlocked(with: unlocker).slot
        if isDrill {
            guard slot?.kind == .recovery else {
                throw Failure(
                    .failed, "what was given opens \(access.path), and is no recovery code",
                    hint: "type the code, as it stands on paper")
            }
            try keyring.recordTest(unlockingWith: unlocker)
        }
        try context.writeDone(
            "\(slot.map { "the slot \($0.title)" } ?? "the key of the database itself") opens "
                + access.path)
    }
}
