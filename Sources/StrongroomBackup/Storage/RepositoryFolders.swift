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
        packs = try root.folder(RepositoryLayout.packs)
        backups = try root.folder(RepositoryLayout.backups)
    }

    /// What is being written; tools that copy repositories may leave an empty folder out.
    func temporary() throws -> RepositoryFolder {
        if try !root.contains(RepositoryLayout.temporary) {
            try root.makeFolder(RepositoryLayout.temporary)
        }
        return try root.folder(RepositoryLayout.temporary)
    }
}
