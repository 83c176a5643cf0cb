import StrongroomCore
internal import StrongroomEssentials

/// The backups that a repository keeps, those with a damaged manifest apart: they keep nobody from the
/// others.
struct KeptBackups {
    /// In the order of what they hold.
    fileprivate(set) var readable: [Backup] = []
    /// What is wrong with the manifests of the others, by their numbers.
    fileprivate(set) var damage: [UInt32: any Error] = [:]
    /// The numbers of those that nothing vouches for but their keys.
    fileprivate(set) var unvouched: Set<UInt32> = []

    /// The newest damage.
    var newestDamage: (any Error)? { damage.max { $0.key < $1.key }?.value }

    /// All of them.
    ///
    /// - Throws: What is wrong with the newest one that is damaged.
    var all: [Backup] {
        get throws {
            if let newestDamage { throw newestDamage }
            return readable
        }
    }

    /// Makes sure that no backup which cannot be read may come between one and the next.
    ///
    /// - Parameter next: The number of the next one; nil for none.
    func requireNothingLater(than backup: Backup, before next: UInt32? = nil) throws {
        let between = damage.filter {
            $0.key > backup.manifest.sequence && $0.key < next ?? .max
        }
        guard let (number, error) = between.max(by: { $0.key < $1.key }),
            let error = error as? BackupError
        else { return }
        throw BackupError(
            error.code, error.path,
            "backup \(number) may be the one that is meant, and its manifest cannot be read "
                + "(\(error.message)); the one before it that can be is backup \(backup.number)",
            hint: "name a backup by its number, or fetch the manifest from another copy",
            underlying: error, step: BackupStep.nameBackup)
    }

    /// Makes sure that the last backup is not restored under the name of another database that has backups, too.
    func require(_ last: Backup, isOfDatabaseAt path: String) throws {
        let name = path.splitAtLastSlash.name
        guard last.databaseName != name,
            let own = readable.last(where: { $0.databaseName == name })
        else { return }
        throw BackupError(
            .otherDatabase, path,
            "the last backup, \(last.number), is of \(last.databaseName); the last one of \(name) is backup "
                + "\(own.number)",
            hint: "name the backup", step: BackupStep.nameBackup)
    }

    /// What there is to say of a backup that is restored.
    func notices(of backup: Backup, hasKey: Bool) -> [String] {
        var notices: [String] = []
        if let number = damage.keys.max() {
            notices.append(
                damage.count == 1
                    ? "the manifest of backup \(number) is damaged"
                    : "the manifests of \(damage.count) backups are damaged, the last one that of \(number)"
            )
        }
        if unvouched.contains(backup.manifest.sequence), !hasKey {
            notices.append(
                "a manifest after that of backup \(backup.number) is damaged: only with the key can it be seen "
                    + "whether this one is what was made")
        }
        return notices
    }
}

extension OpenRepository {
    /// The backups that are kept, in the order of what they hold.
    ///
    /// - Throws: ``BackupError`` if one of their manifests is damaged.
    func keptBackups() throws -> [Backup] { try kept(readHead()) }

    /// - Throws: ``BackupError`` if one of their manifests is damaged.
    func kept(_ head: Head) throws -> [Backup] { try readKept(head).all }

    /// - Throws: ``BackupError`` if no manifest can be read because of what the head says.
    func readKept(_ head: Head) throws -> KeptBackups {
        let pruned = head.prunedNumbers
        var kept = KeptBackups()
        // What backups are that were encrypted again, and those of which that is still to be read.
        var origins: [UInt32: UInt32] = [:]
        var awaited: Set<UInt32> = []
        for link in try BackupChain(self, head) {
            guard kept.readable.count + kept.damage.count < head.keptCount || !awaited.isEmpty
            else {
                break
            }
            let isAwaited = awaited.remove(link.number) != nil
            let isKept = !pruned.contains(link.number)
            guard isKept || isAwaited else { continue }
            let backup: Backup
            do {
                backup = try link.backup.get()
            } catch {
                if isKept { kept.damage[link.number] = error }
                continue
            }
            if isKept { kept.readable.append(backup) }
            if isKept, !link.isVouchedFor { kept.unvouched.insert(link.number) }
            if let origin = backup.manifest.rekeyed {
                origins[link.number] = origin
                awaited.insert(origin)
            }
        }
        for index in kept.readable.indices {
            var number = kept.readable[index].manifest.sequence
            while let origin = origins[number] { number = origin }
            kept.readable[index].position = Int(number)
        }
        kept.readable = Self.markingDates(
            kept.readable.sorted { ($0.position, $0.number) < ($1.position, $1.number) })
        return kept
    }

    /// The last kept backup that a condition holds for, by what it holds: one that was encrypted again has the place of
    /// the original.
    func lastKept(_ head: Head, where isMeant: (Backup) -> Bool) throws -> Backup? {
        let pruned = head.prunedNumbers
        var keptCount = 0
        for link in try BackupChain(self, head) {
            guard keptCount < head.keptCount else { return nil }
            guard !pruned.contains(link.number) else { continue }
            keptCount += 1
            guard let backup = try? link.backup.get(), isMeant(backup) else { continue }
            guard backup.manifest.rekeyed != nil else { return backup }
            return try readKept(head).readable.last(where: isMeant) ?? backup
        }
        return nil
    }

    private static func markingDates(_ backups: [Backup]) -> [Backup] {
        var latest = Date.distantPast
        return backups.map { backup in
            var backup = backup
            backup.isDatedBack = backup.date < latest
            latest = max(latest, backup.date)
            return backup
        }
    }

    /// The name of the last backup.
    static let latestName = "latest"

    /// The backup of a name, or the last one.
    ///
    /// - Throws: ``BackupError`` if that one is damaged, or if it is not known which one is the last.
    func backup(_ name: String?, in kept: KeptBackups, for target: String? = nil) throws -> Backup {
        guard let name, name != Self.latestName else {
            if let last = kept.readable.last {
                try kept.requireNothingLater(than: last)
                if name == nil, let target { try kept.require(last, isOfDatabaseAt: target) }
                return last
            }
            _ = try kept.all
            throw BackupError(
                .unknownBackup, path, "\(path) has no backup",
                hint: "backUp(_:) creates one", step: BackupStep.backUp)
        }
        if let number = UInt32(name), let error = kept.damage[number] { throw error }
        let found = kept.readable.filter {
            String($0.number) == name || (name.count >= 4 && $0.hash.hasPrefix(name))
        }
        if found.count == 1 { return found[0] }
        throw BackupError(
            .unknownBackup, path,
            found.isEmpty
                ? "\(path) has no backup \(name)" : "\(name) names \(found.count) backups",
            hint: "backups() lists them", step: BackupStep.listBackups)
    }
}
