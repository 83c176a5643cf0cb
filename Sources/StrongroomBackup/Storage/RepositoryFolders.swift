import StrongroomCore

/// The folders of a repository, held open for one operation.
struct RepositoryFolders: Sendable {
    let root: RepositoryFolder
    let packs: RepositoryFolder
    let backups: RepositoryFolder

    /// - Parameter isMember: Whether the last name of the path may not be a link.
    init(path: String, isMember: Bool = false, _ fileSystem: FileSystem) throws {
        if isMember {
            let place = path.splitAtLastSlash
            root = try RepositoryFolder(path: place.directory, fileSystem).folder(place.name)
        } else {
            root = try RepositoryFolder(path: path, fileSystem)
        }
        packs = try Self.folder(RepositoryLayout.packs, in: root)
        backups = try Self.folder(RepositoryLayout.backups, in: root)
    }

    /// Makes a folder that is missing because it was empty: object stores have no empty folders, and tools that copy
    /// repositories may leave them out.
    private static func folder(
        _ name: String, in root: RepositoryFolder
    ) throws -> RepositoryFolder {
        do {
            return try root.folder(name)
        } catch let error as SystemError where error.isMissing {
            guard isWithoutBackup(root), (try? root.makeFolderUnlessThere(name)) != nil else {
                throw error
            }
            return try root.folder(name)
        }
    }

    private static func isWithoutBackup(_ root: RepositoryFolder) -> Bool {
        let name = RepositoryLayout.head
        guard let bytes = try? root.content(of: name, limit: HeadText.largestByteCount),
            let text = try? HeadText(bytes, path: root.path(of: name))
        else { return false }
        return text.head.sequence == 0
    }

    /// What is being written; tools that copy repositories may leave an empty folder out.
    func temporary() throws -> RepositoryFolder {
        if try !root.contains(RepositoryLayout.temporary) {
            try root.makeFolder(RepositoryLayout.temporary)
        }
        return try root.folder(RepositoryLayout.temporary)
    }
}
