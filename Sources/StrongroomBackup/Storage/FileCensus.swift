import StrongroomCore

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

    /// Adds files, and hashes each with the digest of those before it.
    mutating func add(_ entries: [(name: String, status: FileStatus?)], _ detail: Detail) throws {
        guard !entries.isEmpty else { return }
        var hasher = try ContentHasher()
        var current = ContentDigest(hexadecimal: digest)
        var bytes: [UInt8] = []
        for (name, status) in entries {
            bytes.removeAll(keepingCapacity: true)
            current?.withUnsafeBytes { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: name.utf8)
            var numbers = [Int64(-1)]
            if let status, status.kind == .file {
                numbers = [status.byteCount]
                if detail == .identity {
                    numbers += [
                        status.written, status.changed, Int64(bitPattern: status.identity.number),
                    ]
                }
            }
            numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
            current = try bytes.withUnsafeBytes { try hasher.digest(of: $0) }
        }
        digest = current?.hexadecimal ?? digest
    }
}

/// A look at all files of a folder whose names begin with numbers.
struct NumberedFiles {
    private let folder: RepositoryFolder
    private var files: [(number: UInt32, name: String)]

    /// - Parameter end: Files with larger numbers do not count, nor do those with this one.
    init(_ folder: RepositoryFolder, before end: UInt64) throws {
        self.folder = folder
        files = try folder.names().compactMap { name in
            guard let number = RepositoryLayout.leadingNumber(name), number < end else {
                return nil
            }
            return (number, name)
        }
        files.sort { $0.number == $1.number ? $0.name < $1.name : $0.number < $1.number }
    }

    /// The census of the files with smaller numbers than one, and of all.
    func census(
        before number: UInt64, _ detail: FileCensus.Detail
    ) throws -> (part: FileCensus, all: FileCensus) {
        let entries = try files.map { (name: $0.name, status: try folder.status(of: $0.name)) }
        let end = files.firstIndex { $0.number >= number } ?? files.count
        var census = FileCensus()
        try census.add(Array(entries[..<end]), detail)
        let part = census
        try census.add(Array(entries[end...]), detail)
        return (part, census)
    }
}
