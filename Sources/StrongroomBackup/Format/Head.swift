import StrongroomCore
internal import StrongroomEssentials

/// The one file of a repository that changes: which backup is the last, and which are pruned.
struct Head: Codable, Equatable, Sendable {
    /// Backups and packs have no larger numbers, so that there is always a next one.
    static let largestNumber = UInt32(Int32.max)
    /// What every reader of JSON takes for a whole number.
    private static let largestGeneration = Int64(1) << 53 - 1

    var format: RepositoryFormat
    /// What tells this repository from others.
    var repository: String
    var created: String
    /// How many backups were ever made; the number of the last one.
    var sequence: UInt32 = 0
    /// The SHA-256 of the last manifest.
    var manifest: String?
    /// The number that the next pack gets.
    var nextPack: UInt32 = 1
    /// Backups whose content is gone, as ranges of their numbers, both ends counted.
    var pruned: [[UInt32]] = []
    /// How often the head was written; nil in the first format.
    var generation: Int64?
    /// Who may sign; nil in the first format.
    var authorities: [Introduction]?
    /// The identifier of the key that has sealed it; nil in the first format, and as long as there is
    /// no backup.
    var key: String?
    /// The public key that has signed it; nil in the first format, and as long as there is no backup.
    var signer: String?

    private enum CodingKeys: CodingKey {
        case format, repository, created, sequence, manifest, nextPack, pruned, generation
        case authorities, key
    }

    init(repository: String, created: String, format: RepositoryFormat) {
        self.format = format
        self.repository = repository
        self.created = created
        become(format)
    }

    /// Brings the members up to a format.
    mutating func become(_ format: RepositoryFormat) {
        self.format = format
        guard format.isSigned else { return }
        generation = generation ?? 0
        authorities = authorities ?? []
    }

    var prunedNumbers: NumberRanges {
        get { NumberRanges(pruned) ?? NumberRanges() }
        set { pruned = newValue.pairs }
    }

    /// How many backups are kept.
    var keptCount: Int { Int(sequence) - prunedNumbers.count }

    /// The hash of the last manifest; nil if there is none.
    var lastDigest: ContentDigest? { manifest.flatMap { ContentDigest(hexadecimal: $0) } }

    /// Whether its numbers can be those of a repository, so that they may be counted with.
    var isPossible: Bool {
        guard let ranges = NumberRanges(pruned) else { return false }
        return sequence <= Self.largestNumber && (1...Self.largestNumber).contains(nextPack)
            && (sequence == 0) == (manifest == nil) && (manifest == nil) == (lastDigest == nil)
            && ranges.largest <= sequence && isRepositoryPossible
            && (format.isSigned
                ? isSigningPossible : generation == nil && authorities == nil && key == nil)
    }

    private var isRepositoryPossible: Bool {
        repository.utf8.count == 32 && repository.utf8.allSatisfy(Hexadecimal.isLowercaseDigit)
            && WrittenTime.date(of: created) != nil
    }

    private var isSigningPossible: Bool {
        guard let generation, let authorities else { return false }
        return (1...Self.largestGeneration).contains(generation)
            && authorities.count <= Authorities.limit && authorities.isEmpty == (sequence == 0)
            && authorities.isEmpty == (key == nil) && key.map(KeyIdentifier.isPossible) ?? true
    }
}

/// How a repository is written down; each version of the library reads all that were before it.
enum RepositoryFormat: String, Codable, Sendable, Comparable {
    case unsigned = "strongroom-backup-1"
    /// The head is sealed and signed.
    case signed = "strongroom-backup-2"

    var isSigned: Bool { self >= .signed }

    static func < (one: RepositoryFormat, other: RepositoryFormat) -> Bool {
        one.rawValue < other.rawValue
    }
}
