import StrongroomCore
internal import Synchronization

/// A digest of the names and sizes of files, one after the other in the order of their numbers: more files can be
/// added without a look at the earlier ones.
struct FileCensus: Codable, Equatable, Sendable {
    /// What counts of a file.
    enum Detail {
        case size
        /// Also which file it is, and its times: another one of the same size is another one.
        case identity
    }

    private(set) var digest = ""

    /// Adds a file.
    mutating func add(_ name: String, _ status: FileStatus?, _ detail: Detail) throws {
        var census = try FileCensusMaker(self, detail)
        try census.add(Array(name.utf8), status)
        self = census.result
    }

    /// The census of the files with smaller numbers than one, and of all.
    typealias Part = (part: FileCensus, all: FileCensus)

    /// The files of a folder that are to be counted.
    struct Count: Sendable {
        let folder: RepositoryFolder
        let number: UInt64
        /// Files with larger numbers do not count, nor do those with this one.
        let end: UInt64
        let detail: Detail
    }

    /// Counts the files of several folders at the same time.
    static func run(_ counts: [Count]) throws -> [Part] {
        let next = Mutex(0)
        let parts = Mutex<[Result<Part, any Error>?]>(counts.map { _ in nil })
        SystemThread.share(among: counts.count) {
            while true {
                let index = next.withLock { value in
                    defer { value += 1 }
                    return value
                }
                guard index < counts.count else { return }
                let part = Result { try Self.part(counts[index]) }
                parts.withLock { $0[index] = part }
            }
        }
        return try parts.withLock { $0 }.compactMap { try $0?.get() }
    }

    private static func part(_ count: Count) throws -> Part {
        let (number, detail) = (count.number, count.detail)
        let names = try NumberedNames(count.folder, withStatus: true) { found, _ in
            found < count.end
        }
        let middle = names.firstIndex(from: number)
        var maker = try FileCensusMaker(FileCensus(), detail)
        for entry in names.entries[..<middle] {
            try maker.add(names.bytes(entry), names.status(entry))
        }
        let part = maker.result
        for entry in names.entries[middle...] {
            try maker.add(names.bytes(entry), names.status(entry))
        }
        return (part, maker.result)
    }

    fileprivate init(_ digest: ContentDigest?) {
        self.digest = digest?.hexadecimal ?? ""
    }

    init() {}
}

/// Hashes each file with the digest of those before it.
private struct FileCensusMaker: ~Copyable {
    private let detail: FileCensus.Detail
    private var hasher: ContentHasher
    private var current: ContentDigest?
    private var bytes: [UInt8] = []

    init(_ census: FileCensus, _ detail: FileCensus.Detail) throws {
        self.detail = detail
        hasher = try ContentHasher()
        current = ContentDigest(hexadecimal: census.digest)
    }

    var result: FileCensus { FileCensus(current) }

    mutating func add(_ name: some Collection<UInt8>, _ status: FileStatus?) throws {
        bytes.removeAll(keepingCapacity: true)
        if let current { current.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        bytes.append(contentsOf: name)
        append(status?.kind == .file ? status?.byteCount ?? -1 : -1)
        if detail == .identity, let status {
            append(status.written)
            append(status.changed)
            append(Int64(bitPattern: status.identity.number))
        }
        let input = bytes
        current = try input.withUnsafeBytes { try hasher.digest(of: $0) }
    }

    private mutating func append(_ number: Int64) {
        bytes.append(littleEndian: UInt64(bitPattern: number))
    }
}
