import StrongroomCore
internal import StrongroomSFTP

// A repository that is removed whole has no head that could be compared with what a host remembers: only
// its path is left, in the memory.

extension BackupRoot {
    /// The repositories that a host remembers in a folder, and that are not there any more.
    ///
    /// - Parameters:
    ///   - path: A root, or a repository that has taken the place of one.
    ///   - accepting: Whether they are forgotten instead.
    /// - Returns: Also why a part of the memory cannot be read, because it may be of one of them; of a repository
    ///   that is there, its own status says so.
    /// - Throws: ``BackupError`` or `SystemError` if the memory cannot be read at all.
    package static func missing(
        below path: String, from memory: BackupMemory, accepting: Bool
    ) throws -> [BackupError] {
        let server = try RemoteServer.leading(to: path)
        let place = try server?.place.text ?? FileSystem.system.resolve(path)
        let fileSystem = server?.fileSystem(over: .system) ?? .system
        let names = (try? fileSystem.names(path)) ?? []
        let present = Set(try names.map { try BackupMemory.name(of: place.appendingName($0)) })
        let (entries, unreadable) = try memory.entries(below: place, besides: present)
        let missing =
            entries
            .filter { entry in
                let place = path.appendingName(entry.name)
                return !(isRepository(place, fileSystem) || isClosed(place, fileSystem))
                    || isRepository(path, fileSystem)
            }
            .sorted { $0.path < $1.path }
        guard !accepting else {
            for entry in missing { try memory.forget(entry) }
            return unreadable
        }
        return unreadable
            + missing.map { entry in
                let path = path.appendingName(entry.name)
                let count = entry.sequence == 1 ? "1 backup" : "\(entry.sequence) backups"
                return BackupError(
                    .rolledBack, path,
                    "\(path) is gone: it had \(count) when this host used it last",
                    hint: "find out who has removed it; if it was you, accept it once",
                    step: BackupStep.acceptRemoval)
            }
    }
}

extension BackupMemory.Entry {
    /// The name of the repository's folder.
    fileprivate var name: String { String(path.split(separator: "/").last ?? "") }
}

extension BackupMemory {
    /// What is remembered of the repositories that lie in a folder.
    ///
    /// - Parameters:
    ///   - path: Where the folder is, without links.
    ///   - present: The names of files that are not to be looked at if they cannot be read.
    fileprivate func entries(
        below path: String, besides present: Set<String>
    ) throws -> (entries: [Entry], unreadable: [BackupError]) {
        let state: RepositoryFolder
        do {
            state = try RepositoryFolder(path: folder, .system)
        } catch let error as SystemError where error.isMissing {
            return ([], [])
        }
        var entries: [Entry] = []
        var unreadable: [BackupError] = []
        for name in try state.names().sorted() where name.hasPrefix(Self.prefix) {
            do {
                guard let entry = try entry(named: name, state),
                    path.appendingName(entry.name) == entry.path
                else { continue }
                entries.append(entry)
            } catch let error as BackupError {
                if !present.contains(name) { unreadable.append(error) }
            }
        }
        return (entries, unreadable)
    }

    /// Forgets a repository that is gone for good.
    fileprivate func forget(_ entry: Entry) throws {
        let state = try RepositoryFolder(path: folder, .system)
        let lock = try RepositoryLock.take(
            RepositoryLayout.writerLock, in: state, .alone, LongOperation(), patience: .seconds(5))
        defer { withExtendedLifetime(lock) {} }
        let name = try Self.name(of: entry.path)
        try state.remove(name)
        forgetCopy(name, of: entry.repository, state)
    }
}
