import StrongroomCore
import StrongroomKeyrings

/// The repair of one repository.
///
/// 1. A file is written under a temporary name, and brought to the disk, before it takes the place of
///    a damaged one in one step.
/// 2. No entry that can be read is lost by it.
struct Repair {
    let repository: OpenRepository
    let operation: LongOperation
    let donors: Donors
    let changesNothing: Bool

    /// Brings back the manifests of the chain, from the last one to the first.
    func repairManifests(
        _ head: Head, from copy: OpenRepository?, _ report: inout RepairReport
    ) throws {
        guard let copy else { return }
        var isDone = false
        while !isDone {
            isDone = true
            for link in try BackupChain(repository, head) {
                try operation.check()
                guard case .failure = link.backup, let digest = link.digest else { continue }
                let name = Manifest.name(link.number, digest)
                guard
                    let bytes = try? copy.folders.backups.content(
                        of: name, limit: Manifest.largestByteCount),
                    try bytes.withUnsafeBytes({ try ContentDigest(of: $0) }) == digest
                else { continue }
                report.repairedFiles.append(repository.folders.backups.path(of: name))
                guard !changesNothing else { continue }
                try repository.write(bytes, to: name, in: repository.folders.backups)
                try repository.folders.backups.synchronize()
                // What it names as the one before it is known now.
                isDone = false
                break
            }
        }
    }

    /// Brings back keyrings that are missing or damaged: from the copy, or the one beside the database.
    func repairKeyrings(
        _ head: Head, from copy: OpenRepository?, _ database: DatabaseFile?,
        _ report: inout RepairReport
    ) throws {
        let kept = try repository.readKept(head).readable
        let present = database.flatMap { try? Keyring.ifPresent(for: $0.path) }
        for hash in try repository.lostKeyrings(kept, head) {
            try operation.check()
            var bytes = try copy?.keyringBytes(hash)
            if bytes == nil, let own = present?.bytes,
                try own.withUnsafeBytes({ try ContentDigest(of: $0) }).hexadecimal == hash
            {
                bytes = own
            }
            let place = repository.folders.root.path(of: RepositoryLayout.keyrings)
            guard let bytes,
                let keyring = try? Keyring(stored: bytes, at: place)
            else { continue }
            report.repairedFiles.append(place.appendingName(hash))
            if !changesNothing { _ = try repository.store(keyring) }
        }
    }

    /// Brings back the packs that kept backups need, as long as one shows more of them.
    func repairPacks(_ head: Head, _ report: inout RepairReport) throws {
        try operation.begin(.verifying)
        var looked: Set<UInt32> = []
        var isDone = false
        while !isDone {
            isDone = true
            let store = try PackStore(repository.folders.packs)
            for number in try neededPacks(head, store).sorted()
            where looked.insert(number).inserted {
                try operation.check()
                if try repairPack(number, store, &report), !changesNothing { isDone = false }
            }
        }
    }

    /// The packs that the trees of kept backups lead to, as far as their nodes can be read.
    private func neededPacks(_ head: Head, _ store: PackStore) throws -> Set<UInt32> {
        var packs = NeededPacks(store: store)
        let pruned = head.prunedNumbers
        for link in try BackupChain(repository, head) where !pruned.contains(link.number) {
            guard let backup = try? link.backup.get() else { continue }
            try packs.add(backup, check: operation.check)
        }
        return packs.numbers.filter { $0 < head.nextPack }
    }
}
