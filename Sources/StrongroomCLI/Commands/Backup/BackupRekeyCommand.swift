import StrongroomBackup
import StrongroomCore
import StrongroomKeyrings

/// `strongroom backup rekey REPO`
struct BackupRekeyCommand: Command {
    static let syntax = CommandSyntax(
        "backup rekey", summary: "re-encrypt backups after a key was exposed",
        operands: [.repository],
        options: [KeyStoreOption.option, .json],
        groups: [KeyOptions.signing.group, KeyOptions.new.group, RepositoryOptions.group],
        notes: [
            "Every kept backup that the key opens is encrypted again. Dates and tags "
                + "stay; numbers and IDs change. The old pages are deleted. Copies of the "
                + "repository elsewhere keep them until you update the copies: delete there "
                + "what is deleted here.",
            "From then on the new key signs the repository, and the old one no longer "
                + "does. A host that trusts the old one also trusts the new one (verify "
                + "--authority).",
            "With --keys, all retired keys of the key store count as exposed, and the "
                + "current key is the new one: rotate the database first. After an "
                + "interruption, run the same command again.",
            "If the database has a keyring, a secret that opens its newest keyring counts for all "
                + "earlier keys, and the current key is the new one. First rotate the database, and "
                + "back it up.",
            "The database itself is not touched: strongroom rotate-key changes its key.",
        ],
        examples: [
            .init(
                line: "strongroom backup rekey /backup/shop --key-file leaked.key "
                    + "--new-key-file new.key",
                meaning: "retire the leaked key"),
            .init(
                line: "strongroom backup rekey /backup/shop --keys /etc/shop/keys",
                meaning: "retire all earlier keys of a key store"),
        ])

    private let path: String
    /// Nil with a key store, which has both.
    private let keySources: KeySourcePair?
    private let keyStore: KeyStoreOption
    /// What a keyring gives is not asked for.
    private let namesNewKey: Bool
    private let repositoryOptions: RepositoryOptions
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        keyStore = try KeyStoreOption(arguments)
        if keyStore.isGiven, KeyOptions.new.isNamed(in: arguments) {
            throw .usage(
                "the new key is the current one of the key store", hint: "leave --new-key-… out")
        }
        namesNewKey = KeyOptions.new.isNamed(in: arguments)
        keySources = keyStore.isGiven ? nil : try KeySourcePair(.new, in: arguments)
        repositoryOptions = try RepositoryOptions(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let repository = try repositoryOptions.repository(at: path, in: context)
        let reader = KeyReader(context: context)
        let work = CommandProgress(context: context, title: "encrypting")
        let backups: [Backup]
        if let store = try keyStore.store(for: path, reader) {
            try cautionIfUsed(store, repository, in: context)
            backups = try work.run { try repository.rekey(keys: store, progress: $0) }
        } else {
            let (keys, newKey) = try keys(repository, reader)
            backups = try work.run {
                try repository.rekey(from: keys, to: newKey, progress: $0)
            }
            try cautionOfOthers(newKey, repository, in: context)
        }
        for notice in backups.flatMap(\.notices) { context.warn(notice) }
        if writesJSON {
            return try context.output.writeLine(
                JSONValue.array(backups.map(\.json)).indentedText)
        }
        guard !backups.isEmpty else {
            return try context.writeDone("nothing was left to do: no backup has an exposed key")
        }
        let count = backups.count == 1 ? "1 backup has" : "\(backups.count) backups have"
        try context.writeDone("\(count) the new key")
    }

    /// What leaked, and what takes its place.
    ///
    /// A secret of the keyring stands for all its earlier keys, and its present key takes their place.
    private func keys(
        _ repository: BackupRepository, _ reader: KeyReader
    ) throws -> ([CipherKey], CipherKey) {
        let current = keySources?.current ?? .terminal
        let key = try reader.key(from: current, for: .opening(path: path))
        let unlocker = reader.unlocker(key)
        // A key file may be what backups from before the keyring have.
        let ring =
            try repository.keys(unlockingWith: unlocker)
            + unlocker.formerKey.filter { try !repository.keyIdentifiers(of: $0).isEmpty }
        guard let present = ring.first, !namesNewKey else {
            let newKey = try reader.key(
                from: keySources?.new ?? .terminal, for: .making(path: path))
            guard !key.isSame(as: newKey) else {
                throw Failure(.sameKey, path, "the new key equals the leaked key")
            }
            let leaked = ring.isEmpty ? [key] : ring
            return (leaked.filter { !$0.isSame(as: newKey) }, newKey)
        }
        guard ring.count > 1 else {
            throw Failure(
                .failed, "the newest keyring in \(path) has one key only",
                hint: "rotate the database, and back it up, so that the repository has its new key")
        }
        return (Array(ring.dropFirst()), present)
    }

    /// Backups under keys that were not given stay as they are.
    private func cautionOfOthers(
        _ newKey: CipherKey, _ repository: BackupRepository, in context: CommandContext
    ) throws {
        let identifiers = Set(try repository.keyIdentifiers(of: newKey))
        let others = try repository.backups().filter {
            !identifiers.contains($0.keyIdentifier)
        }
        guard !others.isEmpty else { return }
        let numbers = others.map { "\($0.number)" }.joined(separator: ", ")
        context.warn(
            "under keys that were not given, and left as they are: backups \(numbers)",
            hint: "if one of those keys was exposed, give it, too")
    }

    /// A current key that has backups may have been exposed with the others.
    private func cautionIfUsed(
        _ store: KeyStore, _ repository: BackupRepository, in context: CommandContext
    ) throws {
        let key = try store.currentKey()
        guard try !repository.keyIdentifiers(of: key).isEmpty else { return }
        let name = try store.keys().last { $0.state == .current }?.id ?? ""
        context.warn(
            "\(path) has backups under the current key of \(store.path) (\(name)), which stay as they are",
            hint:
                "if that key was exposed, too, rotate the database (strongroom rotate-key DATABASE "
                + "--keys \(ShellWord.text(store.path))), and run this again")
    }
}
