import StrongroomCore
import StrongroomKeyrings

extension RotateKeyCommand {
    static let dropSealed = Option.flag(
        "drop-sealed", help: "with a keyring: remove sealed slots whose secret is not given")

    static let overwriteOld = Option.flag(
        "overwrite-old", help: "overwrite the blocks of the old file once, where that is of use")

    /// Whether there is one file alone, which has a keyring.
    func hasKeyring(_ context: CommandContext) throws(Failure) -> Bool {
        if paths.count == 1,
            try KeyReader(context: context).hasKeyring(.opening(path: paths[0]))
        {
            return true
        }
        guard !dropsSealed, context.keyringUse.slot == nil else {
            throw .usage(
                "--slot and --drop-sealed are for one database with a keyring")
        }
        return false
    }

    /// One secret is enough, and all slots go on opening the database.
    func rotateByKeyring(in context: CommandContext) throws {
        let path = paths[0]
        guard !namesNewKey, change == nil, !changesNothing else {
            throw Failure.usage(
                "\(path) has a keyring, which gives it a random key",
                hint:
                    "leave out new keys, --keys, new settings and --dry-run: strongroom rotate-key "
                    + ShellWord.text(path))
        }
        try DatabasePrecheck.encrypted(path)
        let keyring = try Keyring(of: path)
        let unlocker = try KeyReader(context: context).unlocker(
            from: keySources.current, for: .opening(path: path))
        let start = context.now()
        let work = CommandProgress(context: context, title: "encrypting")
        let (rotated, blocks) = try work.run { progress in
            guard overwritesOld else {
                let rotated = try keyring.rotate(
                    unlockingWith: unlocker, droppingSealed: dropsSealed, progress: progress)
                return (rotated, nil as OldBlocks?)
            }
            return try keyring.rotateOverwriting(
                unlockingWith: unlocker, droppingSealed: dropsSealed, progress: progress)
        }
        let duration = RotationResult.text(context.now() - start)
        try TransferResult.finishing("the key is changed") { () throws(Failure) in
            let json = JSONValue.object([
                .init("file", .string(path)), .init("outcome", .string("rotated")),
                .init("keyring", .string(rotated.identifier)),
                .init("slotCount", .integer(Int64(rotated.slots.count))),
                .init("oldBlocks", blocks.map { .string($0.name) } ?? .null),
            ])
            if writesJSON { try context.output.writeLine(json.text) }
            let slots = rotated.slots.count
            let line =
                "\(path) has a new key, after \(duration); "
                + (slots == 1
                    ? "its slot opens it as before" : "its \(slots) slots open it as before")
                + (blocks.map { "; \($0.text(of: "the old file's"))" } ?? "")
            if !writesJSON { try context.writeDone(line) }
            try context.output.flush()
        }
        guard rotated.isChangingKey else { return }
        context.warn(
            "the last step failed: \(rotated.path) could not be written; all slots open \(path)",
            hint: "strongroom key repair \(ShellWord.text(path)) completes it")
    }
}
