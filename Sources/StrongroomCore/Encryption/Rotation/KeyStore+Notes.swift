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

    /// Notes which key a database has, and the salt of its file, unless that is noted already.
    ///
    /// Where this user cannot write to the store, the next one who can does it.
    ///
    /// - Parameters:
    ///   - salt: As ``Database/fileSalt`` reads it: nobody else may open the file.
    ///   - isNew: Whether there is no database yet. If one had a file, it was lost, and is created anew.
    func note(
        database: String, has key: StoredKey, salt: String?, isNew: Bool = false,
        if isTrue: () -> Bool
    ) {
        let (note, known) = note(of: database, key)
        var next = note
        next.keyNumber = key.number
        if isNew { next.forgetFile() } else { next.add(salt: salt) }
        write(next, after: known) { next.keyNumber == known?.keyNumber || isTrue() }
    }

    /// Notes the salt of a database that is backed up: a file that has had it is that database.
    package func note(salt: String, ofDatabase database: String) {
        guard let key = try? inForce().current else { return }
        let (note, known) = note(of: database, key)
        var next = note
        next.add(salt: salt)
        write(next, after: known) { true }
    }

    /// Notes that a database is not the one of which there are backups under its name.
    package func noteLoss(ofDatabase database: String, salt: String) {
        guard let key = try? inForce().current else { return }
        let (note, known) = note(of: database, key)
        guard !note.isCreatedAnew else { return }
        var next = note
        next.forgetBackups(salt: salt)
        write(next, after: known) { true }
    }

    /// The salts, in hexadecimal digits, that a database has had since it was lost and created anew.
    ///
    /// - Returns: Nil if it was not, as far as the store knows.
    package func saltsSinceLoss(ofDatabase database: String) -> [String]? {
        let note = KeyFolder(path, fileSystem).note(ofDatabase: place(of: database))
        return note?.isCreatedAnew == true ? note?.salts : nil
    }

    /// The salts that databases have had which were opened with the store, as far as it knows.
    package func salts() throws(CipherKeyError) -> [CipherSalt] {
        let texts = try KeyFolder(path, fileSystem).databases().flatMap(\.salts)
        return Set(texts).sorted().compactMap { Hexadecimal.bytes($0).flatMap { CipherSalt($0) } }
    }

    /// What is noted of a database, or would be.
    private func note(
        of database: String, _ key: StoredKey
    ) -> (note: DatabaseNote, known: DatabaseNote?) {
        let place = place(of: database)
        let known = KeyFolder(path, fileSystem).note(ofDatabase: place)
        return (known ?? DatabaseNote(path: place, keyNumber: key.number), known)
    }

    private func write(_ note: DatabaseNote, after known: DatabaseNote?, if isTrue: () -> Bool) {
        guard note != known, fileSystem.mayAccess(path, .writing), isTrue() else { return }
        try? KeyFolder(path, fileSystem).write(note)
    }

    /// The path of a database without links, also of one that is not there yet.
    private func place(of database: String) -> String {
        if let place = try? fileSystem.resolve(database) { return place }
        let (directory, name) = database.splitAtLastSlash
        let folder = try? fileSystem.resolve(directory.isEmpty ? "." : directory)
        return folder?.appendingName(name) ?? database
    }

    /// The paths of databases that were opened with the store, and are still there.
    package func databases() throws(CipherKeyError) -> [String] {
        try presentDatabases().map(\.path)
    }

    /// The names of keys that those databases had when they were last opened, and that their files have now: an older
    /// backup may have been restored in their place.
    package func keysOfDatabases() throws(CipherKeyError) -> Set<String> {
        let keys = try keys()
        var names: Set<String> = []
        for database in try presentDatabases() {
            names.insert(KeyFolder.digits(database.keyNumber))
            let present = keys.first { DatabaseFile(path: database.path, key: $0.key).opens() }
            if let present { names.insert(present.id) }
        }
        return names
    }

    private func presentDatabases() throws(CipherKeyError) -> [DatabaseNote] {
        try KeyFolder(path, fileSystem).databases().filter { database in
            !KeyFolder.isMissing(database.path, fileSystem)
        }
    }
}
