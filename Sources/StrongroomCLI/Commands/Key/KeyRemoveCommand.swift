import StrongroomCore
import StrongroomKeyrings

/// `strongroom key remove FILE NAME`
struct KeyRemoveCommand: Command {
    private static let rotate = Option.flag(
        "rotate", help: "then rotate the key of the database, so that it is new to the holder")
    private static let dropSealed = Option.flag(
        "drop-sealed", help: "with --rotate: remove sealed slots whose secret is not given, too")
    private static let force = Option.flag(
        "force", help: "remove it even if only one slot is left")

    static let syntax = CommandSyntax(
        "key remove", summary: "remove a slot",
        operands: [
            .database, Operand("NAME", completion: .nothing, help: "the name of the slot"),
        ],
        options: [rotate, dropSealed, force], groups: [KeyOptions.ofKeyring.group],
        notes: [
            "Removing a slot does not take away what its holder has kept: a copy of the "
                + "keyring, or the key itself, opens the database until its key is rotated, and "
                + "earlier copies forever. With --rotate, the slot is removed first, so that the "
                + "new key is never encrypted for it.",
            "If the holder can also write to a backup repository, back the database up next, and then "
                + "type strongroom backup rekey: until then, the earlier key signs backups.",
        ],
        examples: [
            .init(
                line: "strongroom key remove shop.db bob --rotate",
                meaning: "lock bob out of everything that is written from now on")
        ])

    private let access: KeyringAccess
    private let name: String
    private let rotates: Bool
    private let dropsSealed: Bool
    private let isForced: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        access = try KeyringAccess(arguments)
        name = arguments.operands[1]
        rotates = arguments.contains(Self.rotate)
        dropsSealed = arguments.contains(Self.dropSealed)
        isForced = arguments.contains(Self.force)
        guard rotates || !dropsSealed else {
            throw .usage("--drop-sealed belongs to --rotate")
        }
    }

    func run(in context: CommandContext) throws {
        try access.noting("remove", slot: name, isBegun: rotates) { try work(in: context) }
    }

    private func work(in context: CommandContext) throws {
        let (present, unlocker) = try access.open(context)
        try requireSlot(of: present)
        if rotates { try requireRotation(of: present, by: unlocker) }
        let keyring = try present.change(unlockingWith: unlocker) { change in
            try change.remove(name)
            guard isForced || change.slotCount > 1 else {
                throw Failure(
                    .failed, "without “\(name)”, only one slot would be left",
                    hint: "add another slot first, or remove it with --force")
            }
        }
        try context.writeDone("“\(name)” is removed from \(keyring.path)")
        guard rotates else {
            context.note(
                "copies of the old keyring or of the key can still open \(access.path): "
                    + "strongroom rotate-key \(ShellWord.text(access.path)) ends that")
            return
        }
        let rotated: Keyring
        do {
            rotated = try CommandProgress(context: context, title: "encrypting").run { progress in
                try keyring.rotateUnchanged(
                    unlockingWith: unlocker, droppingSealed: dropsSealed, progress: progress)
            }
        } catch {
            var failure = Failure(describing: error)
            failure.hint =
                "“\(name)” is removed, but the key is the one that “\(name)” had, until "
                + "strongroom rotate-key \(ShellWord.text(access.path)) has run"
            throw failure
        }
        try context.writeDone("\(access.path) has a new key, which “\(name)” never had")
        context.warnIfUnfinished(rotated)
    }

    /// An earlier run may have removed it, and been killed before it rotated the key.
    private func requireSlot(of keyring: Keyring) throws(Failure) {
        guard !keyring.slots.contains(where: { $0.name == name }) else { return }
        throw Failure(
            .failed, "\(keyring.path) has no slot “\(name)”",
            hint: keyring.unfinished.last ?? "strongroom key list shows its slots")
    }

    /// Refuses before anything is changed what would stop half-way.
    private func requireRotation(of keyring: Keyring, by unlocker: Unlocker) throws {
        let own = try keyring.unlocked(with: unlocker).slot?.name
        // The slot's own secret opens nothing any more.
        guard own != name else {
            throw Failure(
                .failed,
                "the secret belongs to “\(name)”, the slot to be removed, so it could not rotate the key",
                hint: "give a secret that opens another slot")
        }
        let lost = keyring.slots.filter { $0.recipient == nil && $0.name != name && $0.name != own }
            .map { "“\($0.name)”" }
        guard lost.isEmpty || dropsSealed else {
            throw Failure(
                .wrongKey, "a rotation would lose the sealed slots \(lost.joined(separator: ", "))",
                hint: "give the secret of such a slot, or remove these slots, too: --drop-sealed")
        }
    }
}
