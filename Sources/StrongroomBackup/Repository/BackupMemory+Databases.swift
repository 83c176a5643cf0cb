import StrongroomCore

// A host remembers which databases it backed up to a repository.

extension BackupMemory {
    /// What stands for a database in an entry.
    ///
    /// - Parameter path: Its path, without links.
    static func digest(ofDatabase path: String) throws -> String {
        try Array(path.utf8).withUnsafeBytes { try ContentDigest(of: $0) }.hexadecimal
    }

    /// What is remembered of all repositories.
    ///
    /// - Throws: ``BackupError`` or `SystemError` if there is something that can't be read.
    func entries() throws -> [Entry] {
        let state: RepositoryFolder
        do {
            state = try RepositoryFolder(path: folder, .system)
        } catch let error as SystemError where error.isMissing {
            return []
        }
        return try state.names().sorted().filter { $0.hasPrefix(Self.prefix) }
            .compactMap { try entry(named: $0, state) }
    }

    /// The file in which an entry lies.
    func file(of entry: Entry) throws -> String {
        folder.appendingName(try Self.name(of: entry.path))
    }
}
