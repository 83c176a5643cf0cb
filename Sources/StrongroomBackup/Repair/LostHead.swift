package import StrongroomCore
internal import StrongroomEssentials
import StrongroomKeyrings

/// A head that was written again after it was lost.
package struct RebuiltHead: Sendable {
    /// The numbers of the backups that it keeps.
    package internal(set) var kept: [Int] = []
    /// The numbers of those that were pruned, or that are not complete.
    package internal(set) var leftOut: [Int] = []
    /// Notices for the user, one sentence each.
    package internal(set) var notices: [String] = []
}

extension BackupRepository {
    /// Writes a lost head again, from the manifests and packs that are there.
    ///
    /// A backup is kept if nothing of it is missing: which ones were pruned stood in the head alone. So did the keys
    /// that signed or were retired: from now on, only the key of the last backup signs.
    ///
    /// - Parameters:
    ///   - secrets: The key of the last backup, or a secret of its keyring, which may be one of several.
    ///   - dryRun: Changes nothing, and reports which backups would be kept.
    /// - Throws: ``BackupError``: `.failed` if there is a head, `.wrongKey` if no key is that of the last backup,
    ///   `.rolledBack` if this host remembers a later state, or another signer.
    package func rebuildHead(
        secrets: [CipherKey], dryRun: Bool = false, progress: OperationProgress.Handler? = nil
    ) throws -> RebuiltHead {
        try LongOperation.run(progress) { operation in
            try opened(operation) { repository in
                let lock = try RepositoryLock.take(
                    RepositoryLayout.writerLock, in: repository.folders.root, .alone, operation)
                defer { withExtendedLifetime(lock) {} }
                guard try !repository.folders.root.contains(RepositoryLayout.head) else {
                    throw BackupError(
                        .failed, path, "\(path) has a head, and only a lost one is written again",
                        hint: "if it is damaged, move it away first")
                }
                return try LostHead(repository: repository, operation: operation)
                    .rebuild(secrets, dryRun: dryRun)
            }
        }
    }
}

/// The head of a repository that has lost it.
///
/// 1. The last manifest is sealed with a given key. By the hashes in it, it vouches for all others.
/// 2. Before one that is damaged or missing, those count that a given key has sealed, and what they vouch for. Of another
///    key, a complete backup is kept, too: as with every head, only its own key restores it. What is left out, `prune` deletes.
/// 3. What this host remembers counts as for every other head.
private struct LostHead {
    let repository: OpenRepository
    let operation: LongOperation

    func rebuild(_ secrets: [CipherKey], dryRun: Bool) throws -> RebuiltHead {
        try operation.begin(.verifying)
        var head = try candidate()
        var chain = try BackupChain(repository, head)
        guard let last = try chain.next()?.backup.get() else { throw nothing }
        let present = head
        let keys =
            try secrets
            + secrets.flatMap { secret in
                let unlocker = Unlocker.parsing(secret)
                return try repository.keys(unlockingWith: unlocker, present) + unlocker.formerKey
            }
        let key = try BackupKey(repository.authentic(last, withOneOf: keys).key)
        var report = RebuiltHead()
        try keepCompleteBackups(of: &head, keys, &report)
        guard !report.kept.isEmpty else { throw nothing }
        try admit(key, to: &head)
        guard !dryRun else { return report }
        try repository.writeHead(&head, head.format.isSigned ? key : nil)
        report.notices += repository.remember()
        return report
    }

    private var nothing: BackupError {
        .damaged(repository.path, "head is missing, and no backup is complete")
    }

    /// A head that names the last manifest that can be read, and limits no number yet.
    private func candidate() throws -> Head {
        let folder = repository.folders.backups
        let found = try folder.names().compactMap(Manifest.parse).sorted { $0.number > $1.number }
        // One that is damaged is left to the next `create`, as one that was never finished.
        guard let last = found.first(where: { manifest($0.number, $0.digest) != nil }),
            let manifest = manifest(last.number, last.digest)
        else { throw nothing }
        let count = found.count { $0.number == last.number }
        guard count == 1 else {
            throw BackupError.damaged(
                folder.path, "\(count) manifests have the number \(last.number)")
        }
        var head = Head(
            repository: manifest.repository, created: manifest.created, format: manifest.format)
        head.sequence = last.number
        head.manifest = last.digest.hexadecimal
        head.nextPack = Head.largestNumber
        return head
    }

    /// Nil for one that is damaged.
    private func manifest(_ number: UInt32, _ digest: ContentDigest) -> Manifest? {
        let name = Manifest.name(number, digest)
        guard
            let bytes = try? repository.folders.backups.content(
                of: name, limit: Manifest.largestByteCount),
            (try? bytes.withUnsafeBytes { try ContentDigest(of: $0) }) == digest,
            let text = SealedText(bytes)
        else { return nil }
        return try? JSONDecoder().decode(Manifest.self, from: Data(text.content))
    }

    private func keepCompleteBackups(
        of head: inout Head, _ keys: [CipherKey], _ report: inout RebuiltHead
    ) throws {
        let store = try PackStore(repository.folders.packs)
        var nextPack: UInt32 = 1
        var leftOut: [UInt32] = []
        var others: [Int] = []
        var isVouchedFor = true
        for link in try BackupChain(repository, head) {
            try operation.check()
            let backup = try? link.backup.get()
            // It is vouched for by the one after it, which names it, or by a key.
            let isNamed = isVouchedFor && link.digest != nil
            let trust = try backup.map { isNamed ? .sealed : try self.trust(in: $0, keys) }
            isVouchedFor = trust == .sealed
            let isKept = try backup.map { try trust != .forged && isComplete($0, store) } ?? false
            if let manifest = backup?.manifest, isVouchedFor || isKept {
                nextPack = max(
                    nextPack, manifest.root.pack + 1, manifest.firstPack + manifest.packCount)
            }
            guard let backup, isKept else {
                leftOut.append(link.number)
                continue
            }
            if !isVouchedFor { others.insert(backup.number, at: 0) }
            report.kept.insert(backup.number, at: 0)
        }
        head.nextPack = nextPack
        head.prunedNumbers.formUnion(leftOut)
        report.leftOut = leftOut.reversed().map(Int.init)
        if !others.isEmpty {
            report.notices.append(
                "kept of other keys, without a manifest that vouches for it: "
                    + others.map { "backup \($0)" }.joined(separator: ", ")
                    + "; verify with these keys, too")
        }
    }

    private enum Trust {
        case sealed, otherKey, forged
    }

    /// Whether one of the keys has sealed the manifest of a backup that nothing else vouches for.
    private func trust(in backup: Backup, _ keys: [CipherKey]) throws -> Trust {
        guard try keys.contains(where: { try backup.key(derivedFrom: $0) != nil }) else {
            return .otherKey
        }
        return (try? repository.authentic(backup, withOneOf: keys)) == nil ? .forged : .sealed
    }

    /// Whether the packs have each page and each node. Only a verification reads the pages.
    private func isComplete(_ backup: Backup, _ store: PackStore) throws -> Bool {
        let step = 1 << 14
        do {
            let tree = try repository.tree(of: backup, store)
            for first in stride(from: 0, to: Int(tree.pageCount), by: step) {
                try operation.check()
                let references = try tree.references(from: UInt32(first + 1), count: step)
                guard try references.allSatisfy({ try store.reader(of: $0).has($0) }) else {
                    return false
                }
            }
            return true
        } catch is BackupError {
            return false
        } catch let error as SystemError where error.isMissing {
            return false
        }
    }

    /// Has the key sign, and compares the head with what the host remembers.
    private func admit(_ key: BackupKey, to head: inout Head) throws {
        guard head.format.isSigned else { return }
        head.authorities = [
            Introduction(beginning: try repository.signingKey(of: key).publicKey)
        ]
        let known = try repository.memory?.entry(at: repository.place)
        head.generation = max(known?.generation ?? 0, Int64(head.sequence) * 2)
        var next = head
        next.generation = head.generation.map { $0 + 1 }
        next.key = key.identifier
        let path = repository.folders.root.path(of: RepositoryLayout.head)
        try repository.compareWithMemory(
            HeadText(HeadText.encode(next, key), path: path))
    }
}
