import StrongroomBackup
import StrongroomCore
import StrongroomEssentials
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

    let path: String
    /// Nil with a key store, which has both.
    private let keySources: KeySourcePair?
    private let keyStore: KeyStoreOption
    /// What a keyring gives is not asked for.
    let namesNewKey: Bool
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
        let newKeys: [CipherKey]
        if let store = try keyStore.store(for: path, reader) {
            try cautionIfUsed(store, repository, in: context)
            backups = try work.run { try repository.rekey(keys: store, progress: $0) }
            newKeys = [try store.currentKey()]
            try cautionOfOthers(newKeys, repository, in: context)
        } else {
            let leaks = try leaks(repository, reader)
            backups = try leaks.flatMap { leak in
                do {
                    return try work.run {
                        try repository.rekey(from: leak.keys, to: leak.newKey, progress: $0)
                    }
                } catch let error as BackupError where leak.isOfKeyring && error.code == .wrongKey {
                    throw noEarlierKey
                }
            }
            newKeys = leaks.map(\.newKey)
            try cautionOfOthers(newKeys, repository, in: context)
        }
        for notice in backups.flatMap(\.notices) { context.warn(notice) }
        if backups.isEmpty, let newKey = newKeys.first,
            let notice = try repository.noticeOfOtherSigners(than: newKey)
        {
            context.warn(notice)
        }
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
    private struct Leak {
        var keys: [CipherKey]
        var newKey: CipherKey
        var isOfKeyring = false
    }

    /// A secret of a keyring stands for all its earlier keys, and its present key takes their place.
    private func leaks(_ repository: BackupRepository, _ reader: KeyReader) throws -> [Leak] {
        let current = keySources?.current ?? .terminal
        let (key, unlocker) = try secret(from: current, reader)
        let present = try repository.presentKeyrings().map {
            (keyring: $0, keys: try $0.allKeys(ifOpenedBy: unlocker))
        }.filter { !$0.keys.isEmpty }
        guard !present.isEmpty, !namesNewKey else {
            let newKey = try reader.key(
                from: keySources?.new ?? .terminal, for: .making(path: path))
            guard key?.isSame(as: newKey) != true else {
                throw Failure(.sameKey, path, "the new key equals the leaked key")
            }
            guard key != nil || !present.isEmpty else { throw noEarlierKey }
            try requireNoReturnedSlots(newKey, repository)
            let concerned = try ofOneDatabase(present, newKey, repository)
            let former = try formerKeys(unlocker, concerned.map(\.keyring), repository)
            let leaked =
                present.isEmpty ? [key].compactMap { $0 } : concerned.flatMap(\.keys) + former
            return [Leak(keys: leaked.filter { !$0.isSame(as: newKey) }, newKey: newKey)]
        }
        let former = try formerKeys(unlocker, present.map(\.keyring), repository)
        try requireNoFork(present.map(\.keyring))
        guard !present.contains(where: \.keyring.isChangingKey) else {
            throw Failure(
                .failed, path,
                "the newest keyring in \(path) is of a rotation that was not finished: nobody knows which of "
                    + "its two keys the database will have",
                hint:
                    "finish it (strongroom rotate-key DATABASE, or strongroom key repair DATABASE), back the "
                    + "database up, and run this again")
        }
        for (keyring, keys) in present {
            try requireLast(keyring, repository, in: reader.context)
            if let newKey = keys.first { try requireNoReturnedSlots(newKey, repository) }
        }
        // Also those of which no backup is kept: they may still sign.
        let leaks = present.map {
            Leak(keys: $1.dropFirst() + former, newKey: $1[0], isOfKeyring: true)
        }
        .filter { !$0.keys.isEmpty }
        guard !leaks.isEmpty else { throw noEarlierKey }
        return leaks
    }

    /// The exposed key, or a secret of a keyring; a command gives no key of its own.
    private func secret(
        from source: KeySource, _ reader: KeyReader
    ) throws -> (key: CipherKey?, unlocker: Unlocker) {
        let role = KeyReader.Role.opening(path: path)
        if case .unlockCommand = source {
            return (nil, try reader.unlocker(from: source, for: role))
        }
        let key = try reader.key(from: source, for: role)
        return (key, reader.unlocker(key))
    }

    /// Of the keyrings that a secret opens, those of the database whose key the new one is: the backups of others are not
    /// to get it.
    private func ofOneDatabase(
        _ present: [(keyring: Keyring, keys: [CipherKey])], _ newKey: CipherKey,
        _ repository: BackupRepository
    ) throws -> [(keyring: Keyring, keys: [CipherKey])] {
        let identifiers = try repository.keyIdentifiers(of: newKey)
        let owner = present.first { $0.keyring.keys.contains { identifiers.contains($0.id) } }
        let databases = Set(present.map(\.keyring.identifier))
        guard let database = owner?.keyring.identifier ?? databases.first, databases.count > 1
        else { return present }
        guard owner != nil else {
            throw Failure(
                .failed, path,
                "the secret opens the keyrings of \(databases.count) databases in \(path), and the new key is of none "
                    + "of them: all their backups would get it",
                hint:
                    "rotate the database whose earlier keys were exposed, back it up, and name the key that it has "
                    + "then (strongroom key export DATABASE --out NEW)")
        }
        return present.filter { $0.keyring.identifier == database }
    }

    /// A key file may be what backups from before the keyring have. If backups of a database that has another
    /// keyring, or none, have it, too, the new key is not that database's.
    private func formerKeys(
        _ unlocker: Unlocker, _ keyrings: [Keyring], _ repository: BackupRepository
    ) throws -> [CipherKey] {
        let known = Set(keyrings.flatMap(\.keyIdentifiers))
        let backups = try repository.backups()
        let databases = Set(
            backups.filter { known.contains($0.keyIdentifier) }.map(\.databaseName))
        return try unlocker.formerKey.filter {
            let identifiers = Set(try repository.keyIdentifiers(of: $0))
            guard !identifiers.isEmpty else { return false }
            return backups.allSatisfy {
                !identifiers.contains($0.keyIdentifier) || databases.contains($0.databaseName)
            }
        }
    }

    private var noEarlierKey: Failure {
        Failure(
            .failed, "no backup in \(path) has an earlier key of its newest keyring",
            hint:
                "rotate the database, and back it up, so that the repository has its new key; for backups from before "
                + "the keyring, name both keys: strongroom backup rekey \(ShellWord.text(path)) --key-file EXPOSED "
                + "--new-key-file NEW (strongroom key export DATABASE --out NEW)")
    }

    /// The key that takes the place of the others has to be that of the last backup: a copy may have been rotated, and
    /// backed up once. What the database has got since, nobody can tell who has only the repository.
    private func requireLast(
        _ keyring: Keyring, _ repository: BackupRepository, in context: CommandContext
    ) throws {
        let backups = try repository.backups()
        let newest = backups.last { $0.keyIdentifier == keyring.keyIdentifiers[0] }
        guard let newest, let last = backups.last(where: { $0.databaseName == newest.databaseName })
        else { return }
        guard last.keyIdentifier == newest.keyIdentifier else {
            throw Failure(
                .failed, path,
                "the last backup, \(last.number), has an earlier key than the newest keyring in \(path): a copy of "
                    + "the database may have been rotated, and backed up",
                hint:
                    "forget the backups of the copy (strongroom backup list, backup forget); or, if the database was put "
                    + "back, rotate its key (strongroom rotate-key DATABASE), back it up, and name the key that it has "
                    + "then: strongroom key export DATABASE --out NEW, run this again with --new-key-file NEW, and "
                    + "remove NEW")
        }
        context.note(
            "the key of backup \(last.number), of \(WrittenTime.text(of: last.date)), takes the place of earlier "
                + "ones; if the database was rotated since, back it up, and run this again")
    }

    /// Which of two keys takes the place of the others, nobody can tell who has only the repository.
    private func requireNoFork(_ keyrings: [Keyring]) throws(Failure) {
        for (index, keyring) in keyrings.enumerated() {
            guard keyrings[..<index].contains(where: keyring.isFork) else { continue }
            throw Failure(
                .failed, path,
                "two keyrings of one database (\(keyring.identifier.prefix(8))) in \(path) do not follow "
                    + "from each other: somebody with an earlier key has backed up an old copy, or you have "
                    + "restored one",
                hint:
                    "forget the backups that are not yours (strongroom backup list, backup forget); if all are "
                    + "yours, name the key that the database has now: strongroom key export DATABASE --out NEW, "
                    + "then run this again with --new-key-file NEW, and remove NEW")
        }
    }

    /// A keyring of an old copy has the slots of those who were removed since: the new key would be theirs.
    private func requireNoReturnedSlots(
        _ newKey: CipherKey, _ repository: BackupRepository
    ) throws {
        let identifiers = try repository.keyIdentifiers(of: newKey)
        let present = try repository.presentKeyrings()
        let all = try repository.keyrings()
        for keyring in present where keyring.keys.contains(where: { identifiers.contains($0.id) }) {
            for other in all where other.identifier == keyring.identifier {
                guard let name = keyring.slotNames(removedFrom: other).first else { continue }
                let database = try repository.backups().last {
                    $0.keyIdentifier == keyring.keyIdentifiers[0]
                }
                throw Failure(
                    .failed, path,
                    "the slot \(name) opens the keyring of \(database?.databaseName ?? "the database"), and was removed "
                        + "from another one of the same database, of \(WrittenTime.text(of: other.date)): whoever has "
                        + "its secret would open the new backups",
                    hint:
                        "strongroom key remove DATABASE \(ShellWord.text(name)) --rotate, back up, export the key again, "
                        + "and run this again with it")
            }
        }
    }
}
