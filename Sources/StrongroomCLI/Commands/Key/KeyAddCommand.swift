import StrongroomCore
import StrongroomKeyrings

/// `strongroom key add FILE`
struct KeyAddCommand: Command {
    static let syntax = CommandSyntax(
        "key add", summary: "add a slot: another way to open the database",
        operands: [.database],
        groups: [KeyOptions.ofKeyring.group, SlotOptions.group, KeyOptions.ofSlot.group],
        notes: [
            "Takes a second, whatever the size of the database, which may be in use. A recovery "
                + "code is added by strongroom key recovery."
        ],
        examples: [
            .init(
                line: "strongroom key add shop.db --passphrase anna",
                meaning: "ask for a current secret, and twice for the passphrase of anna"),
            .init(
                line: "strongroom key add shop.db --recipient age1… --name ops --key-file shop.key",
                meaning: "add the holder of an age identity"),
        ])

    private let access: KeyringAccess
    private let newKeySource: KeySource
    private let slotOptions: SlotOptions

    init(_ arguments: ParsedArguments) throws(Failure) {
        access = try KeyringAccess(arguments)
        slotOptions = try SlotOptions(arguments)
        guard slotOptions.isGiven else {
            throw .usage(
                "key add needs --passphrase NAME, --recipient RECIPIENT, --key-file-slot PATH or "
                    + "--wrap-command COMMAND")
        }
        if !slotOptions.takesNewKey, KeyOptions.ofSlot.isNamed(in: arguments) {
            throw .usage(
                "a secret for a new slot is given, but no slot", hint: "add --passphrase NAME")
        }
        newKeySource = try KeyOptions.ofSlot.source(in: arguments)
        try KeyOptions.requireDistinct(in: arguments)
    }

    func run(in context: CommandContext) throws {
        try access.noting("add", slot: slotOptions.name) { try work(in: context) }
    }

    private func work(in context: CommandContext) throws {
        let (keyring, unlocker) = try access.open(context)
        guard let slot = try slotOptions.slot(newKeySource, KeyReader(context: context)) else {
            return
        }
        try keyring.change(unlockingWith: unlocker) { try slot.add(to: &$0) }
        try context.writeDone(
            "“\(VisibleText.text(of: slot.name))” opens \(access.path) from now on")
    }
}

/// `strongroom key rename FILE OLD NEW`
struct KeyRenameCommand: Command {
    static let syntax = CommandSyntax(
        "key rename", summary: "give a slot another name",
        operands: [
            .database, Operand("OLD", completion: .nothing, help: "the name of the slot"),
            Operand("NEW", completion: .nothing, help: "its new name"),
        ],
        groups: [KeyOptions.ofKeyring.group])

    private let access: KeyringAccess
    private let name: String
    private let newName: String

    init(_ arguments: ParsedArguments) throws(Failure) {
        access = try KeyringAccess(arguments)
        name = arguments.operands[1]
        newName = arguments.operands[2]
    }

    func run(in context: CommandContext) throws {
        try access.noting("rename", slot: newName) { try work(in: context) }
    }

    private func work(in context: CommandContext) throws {
        let (keyring, unlocker) = try access.open(context)
        try keyring.change(unlockingWith: unlocker) { try $0.rename(name, to: newName) }
        try context.writeDone("the slot “\(name)” is now called “\(newName)”")
    }
}
