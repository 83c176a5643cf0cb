import StrongroomCore

// The copies of a repository, as far as a host has seen them: `copies/ID` in the memory is a folder with an empty
// file for each place of the repository ID, of the name of what is remembered of that place.
//
// 1. A place is named before anything is remembered of it. So only what is named has to be read.
// 2. The folder `copies` is made of all that is remembered, if it is missing: it may be removed at any time.
// 3. A name is a hint: what it leads to counts only if it is of that repository.

extension BackupMemory {
    static let copies = "copies"
    private static let newCopies = copies + ".new"

    /// What is remembered of a repository at other places than one.
    func entries(of repository: String, besides path: String) -> [Entry] {
        guard let state = try? RepositoryFolder(path: folder, .system),
            let own = try? Self.name(of: path)
        else { return [] }
        return names(of: repository, state).filter { $0 != own }.sorted()
            .compactMap { try? entry(named: $0, state) }.filter { $0.repository == repository }
    }

    private func names(of repository: String, _ state: RepositoryFolder) -> [String] {
        guard let copies = try? state.folder(Self.copies) else {
            return ((try? state.names()) ?? []).filter { $0.hasPrefix(Self.prefix) }
        }
        return (try? copies.folder(repository).names()) ?? []
    }

    /// Names a place of a repository of which something is to be remembered.
    ///
    /// - Parameter isNew: Whether nothing is remembered of the repository at that place so far.
    func noteCopy(
        _ name: String, of repository: String, isNew: Bool, _ state: RepositoryFolder
    ) throws {
        if try !state.contains(Self.copies) { try makeCopies(state) }
        if isNew { try Self.note(name, of: repository, in: state.folder(Self.copies)) }
    }

    /// Several processes may do so at the same time: they write the same.
    private func makeCopies(_ state: RepositoryFolder) throws {
        try Self.makeFolder(Self.newCopies, in: state)
        do {
            let copies = try state.folder(Self.newCopies)
            for name in try state.names() where name.hasPrefix(Self.prefix) {
                guard let entry = try? entry(named: name, state) else { continue }
                try Self.note(name, of: entry.repository, in: copies)
            }
            try state.rename(Self.newCopies, to: state, as: Self.copies)
        } catch let error as SystemError {
            guard try state.contains(Self.copies) else { throw error }
        }
    }

    private static func note(
        _ name: String, of repository: String, in copies: RepositoryFolder
    ) throws {
        guard repository.utf8.allSatisfy(Hexadecimal.isLowercaseDigit) else { return }
        try makeFolder(repository, in: copies)
        let places = try copies.folder(repository)
        if try !places.contains(name) {
            places.fileSystem.close(try places.openOrCreate(name))
        }
    }

    private static func makeFolder(_ name: String, in folder: RepositoryFolder) throws {
        do {
            try folder.makeFolder(name)
        } catch let error as SystemError where error.number == SystemError.fileExists {}
    }

    /// Removes the name of a place of which nothing is remembered any more.
    func forgetCopy(_ name: String, of repository: String, _ state: RepositoryFolder) {
        try? state.folder(Self.copies).folder(repository).remove(name)
    }
}
