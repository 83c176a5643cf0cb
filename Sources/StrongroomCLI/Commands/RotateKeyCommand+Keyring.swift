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
        return false
    }

    /// Takes the files that have keyrings away from the others.
    func takeKeyrings(
        of targets: inout RotationTargets, _ context: CommandContext
    ) throws -> [String] {
        let files =
            context.keyringUse.isOff ? [] : try targets.takeFiles { try Keyring.exists(for: $0) }
        guard let first = files.first else {
            guard !dropsSealed, context.keyringUse.slot == nil else {
                throw Failure.usage("--slot and --drop-sealed are for databases with a keyring")
            }
            return []
        }
        guard !keyStore.isGiven else {
            throw Failure.usage(
                "\(first) has a keyring, which gives it a random key",
                hint: "name it in a command of its own, without --keys")
        }
        return files
    }

    /// What opens the keyrings, and, as a key, what may be left of other databases.
    func secret(
        _ context: CommandContext, _ role: KeyReader.Role
    ) throws -> (key: CipherKey?, unlocker: Unlocker) {
        let reader = KeyReader(context: context)
        if case .unlockCommand = keySources.current {
            return (nil, try reader.unlocker(from: keySources.current, for: role))
        }
        let key = try reader.key(from: keySources.current, for: role)
        return (key, reader.unlocker(key))
    }

    /// What is skipped where no other key is needed.
    func skipped(
        of targets: inout RotationTargets, _ keys: [CipherKey], in context: CommandContext
    ) throws -> [RotationResult] {
        let results = targets.results(keys: keys)
        for result in results { try write(result, false, in: context) }
        return results
    }

    /// Rotates files that have keyrings, each to a random key of its own.
    ///
    /// - Parameter unlocker: What opens each of the keyrings.
    func rotateKeyrings(
        _ files: [String], by unlocker: Unlocker, in context: CommandContext
    ) throws -> [RotationResult] {
        guard !files.isEmpty else { return [] }
        let batch = KeyringRotationBatch(
            files: files, unlocker: unlocker, dropsSealed: dropsSealed,
            overwritesOld: overwritesOld, changesSettings: change != nil,
            changesNothing: changesNothing, settings: settings, jobs: jobCount, audit: audit,
            cancellation: context.cancellation)
        let results = try collect(files.count, isSingle: false, in: context) {
            try batch.run(each: $0, progress: $1)
        }
        for case .rotatedByKeyring(_, let keyring) in results.map(\.outcome) {
            context.warnIfUnfinished(keyring)
        }
        return results
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
        let (rotated, report) = try work.run { progress in
            try keyring.rotateReporting(
                unlockingWith: unlocker, droppingSealed: dropsSealed,
                overwritingOldFile: overwritesOld, threads: jobCount, progress: progress)
        }
        let blocks = report.oldBlocks
        let duration = RotationResult.text(context.now() - start)
        try TransferResult.finishing("the key is changed") { () throws(Failure) in
            let json = JSONValue.object([
                .init("file", .string(path)), .init("outcome", .string("rotated")),
                .init("keyring", .string(rotated.identifier)),
                .init("slotCount", .integer(Int64(rotated.slots.count))),
                .init("oldBlocks", blocks.map { .string($0.name) } ?? .null),
            ])
            if writesJSON { try context.output.writeLine(json.text) }
            let line =
                "\(path) has a new key, after \(duration); "
                + RotationResult.text(ofSlots: rotated.slots.count)
                + (blocks.map { "; \($0.text(of: "the old file's"))" } ?? "")
            if !writesJSON { try context.writeDone(line) }
            try context.output.flush()
        }
        context.warnIfUnfinished(rotated)
    }
}

extension CommandContext {
    /// Says of a rotation whose last step failed what completes it.
    func warnIfUnfinished(_ keyring: Keyring) {
        guard keyring.isChangingKey else { return }
        let path = String(keyring.path.dropLast("-keyring".count))
        warn(
            "the last step failed: \(keyring.path) could not be written; all slots open \(path)",
            hint: "strongroom key repair \(ShellWord.text(path)) completes it")
    }
}
