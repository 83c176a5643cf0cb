import StrongroomCore

/// What is known of all backups of a repository without reading their manifests again.
///
/// A host keeps it with what it remembers of a repository.
///
/// 1. It stands for one head, by that head's hash. For a later one it is brought up to date: the manifests from the
///    later head back to the last one that it knows are read, and that one must be named by its hash.
/// 2. It knows no more than what a look at all manifests has found, and may be removed at any time.
/// 3. What it says of files is a ``FileCensus``: whoever relies on it compares that with the files.
struct ChainSummary: Codable, Equatable, Sendable {
    /// A manifest by its number and its hash.
    struct Link: Codable, Equatable, Sendable {
        var number: UInt32
        var hash: String
    }

    /// The kept backups of one database.
    struct Database: Codable, Equatable, Sendable {
        var name: String
        var backupCount: Int
        var last: Link
        var isDatedBack: Bool
        /// The last one that had a keyring.
        var lastWithKeyring: Link?
    }

    /// The SHA-256 of the head.
    var head: String
    /// The last backup; nil if there is none.
    var last: Link?
    /// The SHA-256 of the ranges of pruned backups.
    var pruned: String
    /// The number that the next pack gets.
    var nextPack: UInt32
    /// The latest date of a kept backup.
    var latestDate: String?
    var databases: [Database] = []
    /// The hashes of keyrings, with the last backup that names each.
    var keyrings: [String: UInt32] = [:]
    /// The identifiers of the keys of kept backups that have a keyring.
    var keysWithKeyring: Set<String> = []
    /// All manifests, each of which was read; nil if not all were.
    var manifests: FileCensus?
    /// All packs, of which none is missing that a kept backup needs; nil if that is not known.
    var packs: FileCensus?

    /// What the folder of manifests was like after the last backup of this host.
    var folder: String?

    /// What is remembered of a repository stays small.
    private static let partLimit = 100

    /// - Parameters:
    ///   - kept: All kept backups in their order.
    ///   - manifests: Those of all backups that the chain from the head vouches for, the last one first.
    init?(_ text: HeadText, kept: [Backup], manifests: [Backup]) throws {
        let head = text.head
        self.head = text.digest.hexadecimal
        last = head.lastLink
        pruned = try Self.digest(of: head.pruned)
        nextPack = head.nextPack
        for backup in kept { add(kept: backup, isDatedBack: backup.isDatedBack) }
        for backup in manifests { note(keyringOf: backup) }
        guard isSmall else { return nil }
    }

    /// That of a repository without a backup.
    static func empty(_ text: HeadText) throws -> ChainSummary? {
        guard text.head.sequence == 0, text.head.nextPack == 1 else { return nil }
        var summary = try ChainSummary(text, kept: [], manifests: [])
        summary?.manifests = FileCensus()
        summary?.packs = FileCensus()
        return summary
    }

    private var isSmall: Bool {
        [databases.count, keyrings.count, keysWithKeyring.count].allSatisfy {
            $0 <= Self.partLimit
        }
    }

    private static func digest(of pruned: [[UInt32]]) throws -> String {
        try pruned.flatMap(\.self).withUnsafeBytes { try ContentDigest(of: $0) }.hexadecimal
    }

    func database(_ name: String) -> Database? { databases.first { $0.name == name } }
}

// MARK: - Later heads

extension ChainSummary {
    /// Takes in the backups that came since, the first one first.
    ///
    /// - Returns: Whether it stands for the later head now. The files are not looked at.
    mutating func goOn(to text: HeadText, with backups: [Backup]) throws -> Bool {
        let head = text.head
        guard try followPruning(head) else { return false }
        var previous = last
        for backup in backups {
            // A backup that was encrypted again has the place of another one.
            guard backup.manifest.previous == previous?.hash, backup.manifest.rekeyed == nil,
                backup.manifest.sequence == (previous?.number ?? 0) + 1,
                !head.prunedNumbers.contains(backup.manifest.sequence)
            else { return false }
            let isDatedBack = latestDate.flatMap(WrittenTime.date).map { backup.date < $0 }
            add(kept: backup, isDatedBack: isDatedBack ?? false)
            note(keyringOf: backup)
            previous = Link(number: backup.manifest.sequence, hash: backup.hash)
        }
        guard previous == head.lastLink, head.nextPack >= nextPack, isSmall else { return false }
        last = previous
        nextPack = head.nextPack
        self.head = text.digest.hexadecimal
        return true
    }

    /// Of a single database, the number of kept backups tells how many went.
    private mutating func followPruning(_ head: Head) throws -> Bool {
        let pruned = try Self.digest(of: head.pruned)
        guard pruned != self.pruned else { return true }
        self.pruned = pruned
        // Which packs are needed, all trees tell.
        packs = nil
        guard databases.count == 1, let last, databases[0].last == last,
            !databases[0].isDatedBack
        else { return false }
        let numbers = head.prunedNumbers
        let newer = Int(head.sequence) - Int(last.number)
        databases[0].backupCount = head.keptCount - newer
        let keyring = databases[0].lastWithKeyring
        return !numbers.contains(last.number) && databases[0].backupCount > 0
            && keyring.map { !numbers.contains($0.number) } ?? true
    }

    private mutating func add(kept backup: Backup, isDatedBack: Bool) {
        let link = Link(number: backup.manifest.sequence, hash: backup.hash)
        let index = databases.firstIndex { $0.name == backup.databaseName } ?? databases.count
        if index == databases.count {
            databases.append(
                Database(name: backup.databaseName, backupCount: 0, last: link, isDatedBack: false))
        }
        databases[index].backupCount += 1
        databases[index].last = link
        databases[index].isDatedBack = isDatedBack
        if backup.manifest.keyring != nil {
            databases[index].lastWithKeyring = link
            keysWithKeyring.insert(backup.keyIdentifier)
        }
        if latestDate.flatMap(WrittenTime.date).map({ backup.date > $0 }) ?? true {
            latestDate = backup.manifest.created
        }
    }

    private mutating func note(keyringOf backup: Backup) {
        guard let hash = backup.manifest.keyring else { return }
        keyrings[hash] = max(keyrings[hash] ?? 0, backup.manifest.sequence)
    }
}

extension Head {
    fileprivate var lastLink: ChainSummary.Link? {
        manifest.map { ChainSummary.Link(number: sequence, hash: $0) }
    }
}
