internal import Foundation
import Strongroom
internal import Synchronization

/// One verification of one repository.
struct Verification {
    let repository: BackupRepository
    let work: Work
    let sample: Double
    let threads: Int
    let report = Shared(VerificationReport())
    /// Entries that are not what the table of their pack says.
    let damaged = Shared(Set<UInt64>())

    init(_ repository: BackupRepository, _ work: Work, sample: Double, threads: Int) {
        self.repository = repository
        self.work = work
        self.sample = sample
        self.threads = threads
    }

    final class Shared<Value: Sendable>: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) {
            self.value = Mutex(value)
        }
    }

    func run(_ key: BackupVerificationKey?) throws -> VerificationReport {
        try work.begin(.verifying)
        let head = try repository.readHead()
        report.value.withLock { $0.hash = head.manifest }
        let manifests = try verifyChain(head)
        let pruned = head.prunedSet
        let kept = manifests.filter { !pruned.contains($0.manifest.sequence) }
        let keys = try keys(key, manifests, kept)
        try verifySeals(manifests, keys, head)
        let store = try PackStore(repository.layout, repository.fileSystem)
        try verifyPacks(store, head, manifests, keys)
        try verifyTrees(kept, store)
        try verifyZeros(kept, key, store)
        return report.value.withLock { $0 }
    }

    /// All manifests that are what they should be, from the first to the last.
    private func verifyChain(_ head: Head) throws -> [Backup] {
        let names = try repository.manifestNames()
        let pruned = head.prunedSet
        var previous: String?
        var result: [Backup] = []
        for number in stride(from: 1, through: head.sequence, by: 1) {
            do {
                let backup = try repository.readBackup(number, names)
                guard backup.manifest.previous == previous || previous == "?",
                    backup.manifest.repository == head.repository
                else {
                    throw BackupError.damaged(
                        repository.layout.backups,
                        "backup \(number) does not follow the one before it")
                }
                previous = backup.hash
                result.append(backup)
            } catch {
                try note(error)
                if !pruned.contains(number) {
                    report.value.withLock { _ = $0.damagedBackups.insert(Int(number)) }
                }
                previous = "?"
            }
        }
        if previous != head.manifest, previous != "?" {
            try note(
                BackupError.damaged(
                    repository.layout.head, "the last backup is not the one that it names"))
        }
        report.value.withLock {
            $0.backupCount = Int(head.sequence) - pruned.count
        }
        return result
    }

    func note(_ error: any Error) throws {
        try report.value.withLock { try $0.add(error, repository.path) }
    }

    // MARK: - Keys

    /// The keys that belong to the backups, by their identifiers.
    private func keys(
        _ key: BackupVerificationKey?, _ manifests: [Backup], _ kept: [Backup]
    ) throws -> [String: BackupKey] {
        guard let key else { return [:] }
        var keys: [String: BackupKey] = [:]
        var tried: Set<String> = []
        for backup in manifests where tried.insert(backup.keyIdentifier).inserted {
            let candidate: BackupKey
            switch key {
            case .verification(let bytes):
                var secret = SecretBytes(capacity: bytes.count)
                bytes.withUnsafeBytes { secret.append($0) }
                candidate = try BackupKey(secret)
            case .database(let key):
                guard let settings = backup.manifest.cipher.settings else { continue }
                candidate = try BackupKey(
                    PageKey(
                        key, fileSalt: backup.manifest.cipher.saltValue, settings: settings))
            }
            if candidate.identifier == backup.keyIdentifier {
                keys[backup.keyIdentifier] = candidate
            }
        }
        guard kept.isEmpty || kept.contains(where: { keys[$0.keyIdentifier] != nil }) else {
            throw BackupError(
                .wrongKey, repository.path, "the key is that of no backup in \(repository.path)",
                hint: "give the key that the database had, or verify without one")
        }
        return keys
    }

    private func verifySeals(
        _ manifests: [Backup], _ keys: [String: BackupKey], _ head: Head
    ) throws {
        let pruned = head.prunedSet
        for backup in manifests {
            guard let key = keys[backup.keyIdentifier] else {
                if !keys.isEmpty, !pruned.contains(backup.manifest.sequence) {
                    report.value.withLock { _ = $0.otherKeyBackups.insert(backup.number) }
                }
                continue
            }
            do {
                try repository.requireSeal(of: backup, key)
                report.value.withLock { $0.authenticatedManifestCount += 1 }
            } catch {
                try note(error)
                report.value.withLock { _ = $0.damagedBackups.insert(backup.number) }
            }
        }
    }
}
