// Who needs the keys of a store: its notes tell, when retired keys are to be removed.

extension KeyStore {
    /// A backup repository whose backups may need keys of the store.
    package struct Repository: Sendable, Hashable {
        package let identifier: String
        /// Where it was when it was first used.
        package let path: String
    }

    /// Notes a repository, before it holds the first backup under a key of the store.
    package func note(repository identifier: String, at path: String) throws {
        let folder = KeyFolder(self.path, fileSystem)
        try folder.create()
        try folder.note(repository: identifier, at: path)
    }

    /// The repositories that were ever noted.
    package func repositories() throws(CipherKeyError) -> [Repository] {
        try KeyFolder(path, fileSystem).repositories()
    }

    /// Notes which key a database has, unless that is noted already.
    ///
    /// Where this user cannot write to the store, the next one who can does it.
    func note(database: String, has key: StoredKey, if isTrue: () -> Bool) {
        let folder = KeyFolder(path, fileSystem)
        let place = (try? fileSystem.resolve(database)) ?? database
        guard folder.keyNumber(ofDatabase: place) != key.number,
            fileSystem.mayAccess(path, .writing), isTrue()
        else { return }
        try? folder.note(database: place, keyNumber: key.number)
    }

    /// The paths of databases that were opened with the store, and are still there.
    package func databases() throws(CipherKeyError) -> [String] {
        try presentDatabases().map(\.path)
    }

    /// The names of keys that those databases had when they were last opened.
    package func keysOfDatabases() throws(CipherKeyError) -> Set<String> {
        Set(try presentDatabases().map { KeyFolder.digits($0.keyNumber) })
    }

    private func presentDatabases() throws(CipherKeyError) -> [(path: String, keyNumber: Int)] {
        try KeyFolder(path, fileSystem).databases().filter { database in
            !KeyFolder.isMissing(database.path, fileSystem)
        }
    }
}
