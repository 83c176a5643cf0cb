import StrongroomCore
internal import StrongroomEssentials

/// What is written down of one backup, for good: it names the one before by its hash.
struct Manifest: Codable, Equatable, Sendable {
    /// How the database is encrypted: without that, a key opens nothing.
    typealias Cipher = StoredSettings

    struct Root: Codable, Equatable, Sendable {
        var sha256: String
        var pack: UInt32
        var slot: UInt32
    }

    var format: RepositoryFormat
    var repository: String
    var sequence: UInt32
    /// The SHA-256 of the manifest before; nil in the first.
    var previous: String?
    /// When the state was current; in UTC, with milliseconds.
    var created: String
    var tag: String?
    /// The file's name, without its folder.
    var database: String
    var pageCount: UInt32
    var cipher: Cipher
    /// What tells keys apart, and tells nothing of them.
    var key: String
    /// The hash of the database's keyring; nil if it had none.
    var keyring: String?
    var schemaVersion: Int64
    var userVersion: Int64
    var applicationID: Int64
    var root: Root
    /// The backup whose pages were not stored again; nil for a full one.
    var base: UInt32?
    /// The packs that were written for it: all that is in them is of its key.
    var firstPack: UInt32
    var packCount: UInt32
    /// How many pages and bytes were written for it.
    var storedPageCount: UInt32
    var storedByteCount: Int64
    /// The backup that this one is, encrypted again.
    var rekeyed: UInt32?

    /// `00000012-….backup`
    static func name(_ sequence: UInt32, _ digest: ContentDigest) -> String {
        RepositoryLayout.name(sequence, digest, suffix: suffix)
    }

    static func parse(_ name: String) -> (number: UInt32, digest: ContentDigest)? {
        RepositoryLayout.parse(name, suffix: suffix)
    }

    static func isName(_ name: UnsafeRawBufferPointer, of number: UInt32) -> Bool {
        RepositoryLayout.isName(name, of: number, suffix: suffix)
    }

    private static let suffix = ".backup"

    func sealed(with key: BackupKey) throws -> SealedText {
        let content = [UInt8](try JSONEncoder.sorted.encode(self))
        return SealedText(content, "hmac-sha256", try key.seal(of: content))
    }

    var rootReference: PageReference? {
        ContentDigest(hexadecimal: root.sha256).map {
            PageReference($0, pack: root.pack, slot: root.slot)
        }
    }

    var date: Date { WrittenTime.date(of: created) ?? .distantPast }
}

// MARK: - Bounds

extension Manifest {
    /// What pragmas give: 32 bits, with a sign or without.
    private static let numbers = Int64(Int32.min)...Int64(UInt32.max)

    /// Several times what the longest name of a file and the longest tag take.
    static let largestByteCount = 1 << 16

    /// What SQLite can have; one more would not fit in the number.
    private static let largestPageCount = UInt32.max - 1

    /// Whether it can be the manifest of a number in a repository: no number in it is larger than
    /// what is there, so that it may be counted with.
    ///
    /// The seal is another matter: without a key, anybody can write such a manifest.
    func isPossible(_ number: UInt32, in head: Head) -> Bool {
        format <= head.format && repository == head.repository && sequence == number
            && isChainPossible && isContentPossible(nextPack: head.nextPack)
            && cipher.isPossible && KeyIdentifier.isPossible(key)
            && (keyring.map { ContentDigest(hexadecimal: $0) != nil } ?? true)
            && WrittenTime.date(of: created) != nil
    }

    private var isChainPossible: Bool {
        let hasPrevious = previous.flatMap { ContentDigest(hexadecimal: $0) } != nil
        return hasPrevious == (sequence > 1) && (previous == nil) == (sequence == 1)
            && (base.map { $0 > 0 && $0 < sequence } ?? true)
            && (rekeyed.map { $0 > 0 && $0 < sequence } ?? true)
    }

    private func isContentPossible(nextPack: UInt32) -> Bool {
        (1...Self.largestPageCount).contains(pageCount) && rootReference != nil
            && root.pack < nextPack && storedByteCount >= 0
            && [schemaVersion, userVersion, applicationID].allSatisfy(Self.numbers.contains)
            && UInt64(firstPack) + UInt64(packCount) <= UInt64(nextPack)
    }
}
