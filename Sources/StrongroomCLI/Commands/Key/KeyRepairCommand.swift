import StrongroomCore
import StrongroomKeyrings

/// `strongroom key repair FILE`
struct KeyRepairCommand: Command {
    static let syntax = CommandSyntax(
        "key repair", summary: "settle a rotation that was interrupted",
        operands: [.database], groups: [KeyOptions.ofKeyring.group],
        notes: [
            "The database keeps the key that it has: the new one, or, if the rotation had not come that "
                + "far, the old one. All slots open it before and after. The next rotation settles it, too."
        ])

    private let access: KeyringAccess

    init(_ arguments: ParsedArguments) throws(Failure) {
        access = try KeyringAccess(arguments)
    }

    func run(in context: CommandContext) throws {
        try access.noting("repair") { try work(in: context) }
    }

    private func work(in context: CommandContext) throws {
        let (keyring, unlocker) = try access.open(context)
        let repaired = try keyring.repair(unlockingWith: unlocker)
        let old = keyring.keys.first
        let isOld = keyring.isChangingKey && repaired.keys.first?.id == old?.id
        try context.writeDone(
            repaired.revision == keyring.revision
                ? "there is nothing to repair in \(keyring.path)"
                : "\(access.path) keeps its \(isOld ? "old" : "new") key, and \(keyring.path) has it alone"
        )
        if isOld, old?.origin == .imported {
            context.warn(
                "the key from before the keyring still opens \(access.path), without the keyring",
                hint: "strongroom rotate-key \(ShellWord.text(access.path)) ends that")
        }
        for sentence in repaired.unfinished { context.note(sentence) }
    }
}

/// `strongroom key vouch FILE`
struct KeyVouchCommand: Command {
    static let syntax = CommandSyntax(
        "key vouch", summary: "vouch for a keyring with your secret, once you trust it",
        operands: [.database], groups: [KeyOptions.ofKeyring.group],
        notes: [
            "The holder of an age identity did not write the keyring. Compare its authority with the one "
                + "that its creator sees (strongroom key list) first. From then on, strongroom "
                + "notices if another keyring is put in its place. Passphrases, codes and key files vouch from the start.",
            "A command cannot vouch for who wrote a keyring: note the authority elsewhere, too.",
        ])

    private let access: KeyringAccess

    init(_ arguments: ParsedArguments) throws(Failure) {
        access = try KeyringAccess(arguments)
    }

    func run(in context: CommandContext) throws {
        try access.noting("vouch") {
            let (keyring, unlocker) = try access.open(context)
            let vouched = try keyring.vouch(unlockingWith: unlocker)
            guard try vouched.unlocked(with: unlocker).slot?.kind != .command else {
                try context.writeDone("\(vouched.path) has \(vouched.authority)")
                return context.warn(
                    "a command cannot vouch for who wrote \(vouched.path): anyone who can encrypt with its service "
                        + "could have written its slot",
                    hint: "note the authority elsewhere, and compare it")
            }
            try context.writeDone("\(vouched.path) is vouched for, with \(vouched.authority)")
        }
    }
}

/// `strongroom key verify FILE`
struct KeyVerifyCommand: Command {
    static let syntax = CommandSyntax(
        "key verify", summary: "verify the signatures of a keyring; needs no secret",
        operands: [.database],
        notes: [
            "Proves that nothing in the keyring was changed since its authority signed it. "
                + "Anyone can sign a keyring with an authority of their own: compare the printed "
                + "one with what you have noted elsewhere."
        ])

    private let path: String

    init(_ arguments: ParsedArguments) {
        path = arguments.operands[0]
    }

    func run(in context: CommandContext) throws {
        let keyring = try Keyring(of: path)
        try context.writeDone("\(keyring.path) is as \(keyring.authority) signed it")
    }
}
