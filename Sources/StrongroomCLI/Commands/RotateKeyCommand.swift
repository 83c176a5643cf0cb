import StrongroomCore
import StrongroomEssentials

/// `strongroom rotate-key FILE...`
struct RotateKeyCommand: Command {
    private static let jobs = Option.value(
        "jobs", "N", help: "rotate N files in parallel, or one file with N threads (default: 2)")
    private static let dryRun = Option.flag(
        "dry-run",
        help: "show what would be done and how long it would take, without changing anything")
    private static let generate = Option.value(
        "new-key-generate", "PATH", completion: .file,
        help: "create the new key in PATH, or use the key that PATH already holds")
    private static let exclude = Option.value(
        "exclude", "PATTERN", completion: .file, repetition: .many,
        help: "skip files and folders that match, such as '*.bak'")

    static let syntax = CommandSyntax(
        "rotate-key", summary: "rotate the key of one or many databases",
        operands: [
            Operand(
                "FILE", isRepeated: true,
                help: "an encrypted database, or a folder: all encrypted databases in it")
        ],
        options: [
            generate, KeyStoreOption.option, dropSealed, overwriteOld, jobs, exclude, dryRun, .json,
        ],
        groups: [
            KeyOptions.ofRotation.group, KeyOptions.new.group, SettingsOptions.changes,
            DatabaseSettings.group,
        ],
        notes: [
            "Encrypts every page again, and verifies it. Until that is done, only the "
                + "current key opens the database; afterwards, only the new one. No other "
                + "program can use the database meanwhile.",
            "A database that the new key already opens is left as it is, so after an "
                + "interruption run the same command again. A database that neither key opens "
                + "is reported and left alone. Exit status 0 only if all have the new key.",
            "In a folder, every file is counted: done, already done, skipped with a "
                + "reason (a picture, a plaintext database), or failed. A file that may be a "
                + "database under the old key is never skipped, unless --exclude matches it.",
            "Earlier copies and backups keep the old key: keep it as long as you keep "
                + "them.",
            "Of databases with a keyring, one secret that opens it is enough, and no new key is needed: "
                + "each gets a random one, and all its slots go on opening it. In a folder, the "
                + "others get the new key that you give.",
            "The current cipher settings are found automatically. Programs need the new "
                + "settings after the key; nothing else in the database changes.",
        ],
        examples: [
            .init(
                line: "strongroom rotate-key shop.db --key-file old.key --new-key-file new.key",
                meaning: "rotate the key, unattended"),
            .init(
                line: "strongroom rotate-key /srv/shops --key-file old.key "
                    + "--new-key-generate new.key --jobs 4",
                meaning: "rotate the keys of all databases in a folder to a new key"),
            .init(
                line: "strongroom rotate-key shop.db --keys /etc/shop/keys",
                meaning: "rotate to a new key in a key store, which keeps the old one"),
            .init(line: "strongroom rotate-key shop.db", meaning: "prompt for both keys"),
            .init(
                line: "strongroom rotate-key old.db --key-file old.key --new-compatibility 4",
                meaning: "give a database of SQLCipher 3 the settings of SQLCipher 4"),
        ])

    let paths: [String]
    let keySources: KeySourcePair
    let generatedKey: String?
    let keyStore: KeyStoreOption
    let change: CipherChange?
    let settings: DatabaseSettings
    private let excluded: [String]
    /// Settings to change to are named as those of the file are.
    private let usesOldNames: Bool
    /// Settings change, and no new key is named.
    let keepsKey: Bool
    let jobCount: Int
    let changesNothing: Bool
    let writesJSON: Bool
    /// A new key is named, which a keyring has no use for.
    let namesNewKey: Bool
    let dropsSealed: Bool
    let overwritesOld: Bool
    let audit: AuditLog?

    init(_ arguments: ParsedArguments) throws(Failure) {
        paths = arguments.operands
        generatedKey = arguments.value(Self.generate)
        let hasSource = KeyOptions.new.isNamed(in: arguments)
        try Self.refuseKeyFiles(in: paths)
        if generatedKey != nil, hasSource {
            throw .usage("--new-key-generate gives a second new key", hint: "give one of them")
        }
        keyStore = try KeyStoreOption(arguments)
        if keyStore.isGiven, hasSource || generatedKey != nil {
            throw .usage("--keys already creates the new key", hint: "leave out --new-key-…")
        }
        keySources = try KeySourcePair(.new, in: arguments)
        // What describes the file was the change, once; where it describes the file, it is both.
        let newChange = try SettingsOptions.new.change(in: arguments)
        let oldChange = try SettingsOptions.present.changeByOldNames(in: arguments)
        change = newChange ?? oldChange
        usesOldNames = newChange == nil && oldChange != nil
        settings = try DatabaseSettings(arguments, listWins: newChange == nil)
        excluded = arguments.values(Self.exclude)
        keepsKey = change != nil && !hasSource && generatedKey == nil && !keyStore.isGiven
        guard let jobs = Int(arguments.value(Self.jobs) ?? "2"), (1...256).contains(jobs) else {
            throw .usage("--jobs needs a number from 1 to 256")
        }
        jobCount = jobs
        namesNewKey = hasSource || generatedKey != nil || keyStore.isGiven
        overwritesOld = arguments.contains(Self.overwriteOld)
        audit = AuditLog(arguments)
        dropsSealed = arguments.contains(Self.dropSealed)
        changesNothing = arguments.contains(Self.dryRun)
        writesJSON = arguments.contains(.json)
    }

    /// The new key is named by an option.
    private static func refuseKeyFiles(in paths: [String]) throws(Failure) {
        for path in paths.dropFirst() where path.hasSuffix(".key") {
            let isThere = KeyFileStatus.isThere(path)
            guard !isThere || KeyFileStatus.holdsKey(path) else { continue }
            let option = isThere ? "--new-key-file" : "--new-key-generate"
            throw .usage(
                "\(path) is not a database: a new key is named by an option",
                hint: "strongroom rotate-key \(ShellWord.text(paths[0])) "
                    + "\(option) \(ShellWord.text(path))")
        }
    }

    func run(in context: CommandContext) throws {
        if try hasKeyring(context) {
            return try audit.noting("rotate", paths[0], isBegun: true) {
                try rotateByKeyring(in: context)
            }
        }
        let reader = KeyReader(context: context)
        guard let store = try keyStore.store(for: paths[0], reader) else {
            return try run(in: context, taking: keys)
        }
        guard !changesNothing else {
            return try run(in: context) { _, _ in
                (
                    try store.currentKey(),
                    NewKey(try store.inForce().pending?.key ?? .generated())
                )
            }
        }
        try store.withLock {
            let newKey = try Self.newKey(of: store)
            do {
                try run(in: context) { _, _ in (try store.currentKey(), newKey) }
            } catch let failure as Failure where failure.exitCode == .wrongKey {
                throw store.explaining(failure, of: paths)
            }
            // Nothing was thrown: all databases have it. Their backups need the one before it.
            guard let pending = try store.inForce().pending else {
                return try newKey.confirm()
            }
            if try store.keepFirstKey() {
                context.note("the old key is kept in \(store.path), because backups need it")
            }
            try store.settle(pending)
        }
    }

    private func run(
        in context: CommandContext,
        taking keys: (CommandContext, KeyReader.Role) throws -> (CipherKey, NewKey)
    ) throws {
        if usesOldNames {
            context.note(
                "--compatibility, --kdf-iterations, --page-size and --hmac also change the file to "
                    + "these settings, as before; from the next release on they only describe it: "
                    + "write --new-compatibility and its like")
        }
        var targets = try RotationTargets(paths, excluding: excluded)
        let keyrings = try takeKeyrings(of: &targets, context)
        let isSingle = targets.files.count == 1 && paths == targets.files
        // Spares people typing a key in vain.
        if isSingle { try DatabasePrecheck.encrypted(paths[0]) }
        let role: KeyReader.Role =
            isSingle ? .opening(path: paths[0]) : .openingAll(hasKeyring: !keyrings.isEmpty)
        var results: [RotationResult] = []
        if keyrings.isEmpty || targets.needsKey {
            let (key, newKey) = try keys(context, role)
            results = try rotate(&targets, from: key, to: newKey, isSingle, in: context)
            let unlocker = KeyReader(context: context).unlocker(key)
            results += try rotateKeyrings(keyrings, by: unlocker, in: context)
        } else {
            let secret = try secret(context, role)
            results = try skipped(of: &targets, [secret.key].compactMap(\.self), in: context)
            results += try rotateKeyrings(keyrings, by: secret.unlocker, in: context)
        }
        try cautionIfNothingChanged(results, in: context)
        if isSingle {
            if let failure = results[0].failure { throw failure }
            return
        }
        try summarize(results, in: context)
    }

    private func rotate(
        _ targets: inout RotationTargets, from key: CipherKey, to newKey: NewKey,
        _ isSingle: Bool, in context: CommandContext
    ) throws -> [RotationResult] {
        guard change != nil || newKey.existing?.isSame(as: key) != true else { throw sameKey }
        let existingKeys = [key] + [newKey.existing].compactMap(\.self)
        targets.addFiles(openedBy: existingKeys, settings)
        let files = targets.files
        let others = targets.results(keys: existingKeys)
        guard !files.isEmpty || others.contains(where: \.isDatabase) else {
            throw RotationTargets.nothing
        }
        for result in others { try write(result, isSingle, in: context) }
        return try others + rotate(files, from: key, to: newKey, isSingle, in: context)
    }

    private func rotate(
        _ files: [String], from key: CipherKey, to newKey: NewKey, _ isSingle: Bool,
        in context: CommandContext
    ) throws -> [RotationResult] {
        if files.isEmpty { return [] }
        let batch = RotationBatch(
            files, from: key, to: newKey, changing: change, settings: settings, jobs: jobCount,
            changesNothing: changesNothing, overwritesOld: overwritesOld,
            cancellation: context.cancellation)
        return try collect(files.count, isSingle: isSingle, in: context) {
            try batch.run(each: $0, progress: $1)
        }
    }
}
