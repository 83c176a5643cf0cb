import StrongroomCore
internal import StrongroomEssentials
import StrongroomKeyrings
internal import Synchronization

/// One verification of one repository.
struct Verification {
    let repository: OpenRepository
    let operation: LongOperation
    let sample: Double
    let threads: Int
    let report = Shared(VerificationReport())
    /// Entries that are not what the table of their pack says.
    let damaged = Shared(DamagedEntries())
    let nodes = Shared(KeptNodes())

    init(_ repository: OpenRepository, _ operation: LongOperation, sample: Double, threads: Int) {
        self.repository = repository
        self.operation = operation
        self.sample = sample
        self.threads = threads
    }

    final class Shared<Value: Sendable>: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) {
            self.value = Mutex(value)
        }
    }

    func run(
        _ key: BackupVerificationKey?, trusting authority: String?
    ) throws -> VerificationReport {
        try operation.begin(.verifying)
        let text = try repository.readHeadText()
        let head = text.head
        report.value.withLock { $0.hash = head.manifest }
        let manifests = try verifyChain(head)
        let pruned = head.prunedNumbers
        let kept = manifests.filter { !pruned.contains($0.manifest.sequence) }
        let keys = try keys(key, manifests, kept)
        report.value.withLock {
            $0.keys = Set(keys.keys)
            $0.keptKeys = Set(kept.map(\.keyIdentifier))
        }
        try verifySigner(text, keys, trusting: authority)
        let authentic = try authentic(manifests, keys, pruned)
        try noteUnvouched(text, keys, authentic, kept)
        noteBroken(authentic, kept)
        try verifyKeyrings(kept, head)
        let store = try PackStore(repository.folders.packs)
        try verifyPacks(store, head, authentic, keys)
        try verifyTrees(kept, store)
        try verifyBeginnings(kept, store)
        try verifyZeros(kept, key, store)
        return report.value.withLock { $0 }
    }

    /// All manifests that are what they should be, from the first to the last.
    private func verifyChain(_ head: Head) throws -> [Backup] {
        let pruned = head.prunedNumbers
        var result: [Backup] = []
        for link in try BackupChain(repository, head) {
            try operation.check()
            do {
                let backup = try link.backup.get()
                if link.isVouchedFor {
                    report.value.withLock { _ = $0.chain.insert(backup.hash) }
                }
                result.append(backup)
            } catch  where pruned.contains(link.number) && link.number != head.sequence {
                try operation.check()
                report.value.withLock {
                    $0.notices.append(
                        "the manifest of backup \(link.number), which was removed, is damaged or missing: nothing "
                            + "needs it")
                }
            } catch {
                try note(error)
                guard !pruned.contains(link.number) else { continue }
                report.value.withLock { _ = $0.damagedBackups.insert(Int(link.number)) }
            }
        }
        report.value.withLock { $0.backupCount = head.keptCount }
        return result.reversed()
    }

    /// That the keyring of each backup is there, and is what its manifest says. Without a secret, nobody
    /// can say more.
    private func verifyKeyrings(_ kept: [Backup], _ head: Head) throws {
        for (backup, error) in try repository.problemsOfKeyrings(kept, head) {
            try note(error)
            guard let backup else { continue }
            report.value.withLock { _ = $0.damagedBackups.insert(backup.number) }
        }
    }

    func note(_ error: any Error) throws {
        try operation.check()
        try report.value.withLock { try $0.add(error, repository.path) }
    }

    /// Whether a trusted key has signed the head, and with it all that hangs on it by hashes.
    private func verifySigner(
        _ text: HeadText, _ keys: [String: BackupKey], trusting authority: String?
    ) throws {
        let path = repository.folders.root.path(of: RepositoryLayout.head)
        var trusted = keys.values.compactMap(\.authority?.publicKey.hexadecimal)
        let forks = try authority == nil && !keys.isEmpty ? repository.forks(text.head) : []
        let oldCopies = try keys.isEmpty ? [] : repository.noticesOfOldCopies(text.head)
        if let authority { trusted = [authority] }
        let authorities = Authorities(text.head.authorities ?? [])
        let signer = text.head.signer
        let isAuthorised = signer.map { signer in
            trusted.contains { authorities.authorise(signer, for: $0) }
                && forks.allSatisfy { keyring in
                    // One secret may open both, and one of both may be somebody else's.
                    let own = keyring.keyIdentifiers.compactMap { keys[$0]?.authority }
                    return own.isEmpty
                        || own.contains {
                            authorities.authorise(signer, for: $0.publicKey.hexadecimal)
                        }
                }
        }
        report.value.withLock { report in
            report.signer = signer
            if !forks.isEmpty { report.notices.append(repository.noticeOfForks(forks)) }
            report.notices += oldCopies
            guard !trusted.isEmpty, authority != nil || !repository.doubtsKeys else { return }
            report.isSignerTrusted = isAuthorised ?? false
            if isAuthorised == false {
                report.addDistrust(
                    path, "it is signed by a key that no trusted key has introduced")
            } else if signer == nil, authority != nil {
                report.addDistrust(path, "it is not signed, and a signature was asked for")
            }
        }
        guard let key = text.head.key.flatMap({ keys[$0] }) else { return }
        if try !text.isSealed(with: key) {
            report.value.withLock { $0.add(path, "it was not written with the key that it names") }
        }
    }

    /// Reports backups that neither a seal of the given key nor a trusted signature covers: anyone who
    /// can write to the repository can have created them.
    ///
    /// A manifest that the key has sealed covers those before it, by their hashes.
    private func noteUnvouched(
        _ text: HeadText, _ keys: [String: BackupKey], _ authentic: [AuthenticBackup],
        _ kept: [Backup]
    ) throws {
        let sealing = text.head.key.flatMap { keys[$0] }
        let isVouchedFor = try sealing.map { try text.isSealed(with: $0) } ?? false
        let isTrusted = report.value.withLock { $0.isSignerTrusted == true }
        guard !keys.isEmpty, !isVouchedFor, !isTrusted else { return }
        let last = authentic.map(\.backup.number).max() ?? 0
        let numbers = kept.map(\.number).filter { number in number > last }
        guard !numbers.isEmpty else { return }
        let list = numbers.map(String.init).joined(separator: ", ")
        report.value.withLock {
            $0.notices.append(
                "no signature by a trusted key covers backup \(list): newer than all that the key has "
                    + "sealed, so that anyone who can write to the repository can have created it")
        }
    }

    /// Behind a damaged manifest, nothing but its own seal shows that another one is what was written.
    private func noteBroken(_ authentic: [AuthenticBackup], _ kept: [Backup]) {
        let sealed = Set(authentic.map(\.backup.hash))
        report.value.withLock { report in
            for backup in kept
            where !report.chain.contains(backup.hash) && !sealed.contains(backup.hash) {
                report.unvouchedBackups.insert(backup.number)
                report.add(
                    repository.folders.backups.path,
                    "a later manifest is damaged, so that only the key of backup \(backup.number) can show "
                        + "that it is the one that was made")
            }
        }
    }

    // MARK: - Keys

    private struct KeyKind: Hashable {
        let identifier: String
        let cipher: Manifest.Cipher
    }

    /// The keys that belong to the backups, by their identifiers.
    private func keys(
        _ key: BackupVerificationKey?, _ manifests: [Backup], _ kept: [Backup]
    ) throws -> [String: BackupKey] {
        guard let key else { return [:] }
        var keys: [String: BackupKey] = [:]
        // With each of the settings: those of one manifest may be a forger's.
        var tried: Set<KeyKind> = []
        for backup in manifests where keys[backup.keyIdentifier] == nil {
            let kind = KeyKind(identifier: backup.keyIdentifier, cipher: backup.manifest.cipher)
            guard tried.insert(kind).inserted else { continue }
            try operation.check()
            if let found = try key.key(of: backup, operation) { keys[backup.keyIdentifier] = found }
        }
        guard kept.isEmpty || kept.contains(where: { keys[$0.keyIdentifier] != nil }) else {
            throw BackupError(
                .wrongKey, repository.path, "no backup in \(repository.path) has this key",
                hint: "give the key that the database had, or verify without one")
        }
        return keys
    }

    /// The backups whose manifests have the seal of their key.
    private func authentic(
        _ manifests: [Backup], _ keys: [String: BackupKey], _ pruned: NumberRanges
    ) throws -> [AuthenticBackup] {
        var result: [AuthenticBackup] = []
        for backup in manifests {
            guard let key = keys[backup.keyIdentifier] else {
                if !keys.isEmpty, !pruned.contains(backup.manifest.sequence) {
                    report.value.withLock { _ = $0.otherKeyBackups.insert(backup.number) }
                }
                continue
            }
            do {
                result.append(try AuthenticBackup(backup, key, in: repository))
                report.value.withLock { $0.authenticatedManifestCount += 1 }
            } catch {
                try note(error)
                report.value.withLock { _ = $0.damagedBackups.insert(backup.number) }
            }
        }
        return result
    }
}
