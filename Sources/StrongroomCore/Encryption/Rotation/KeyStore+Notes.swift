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
    ///
    /// - Parameter isNew: Whether there is no database yet. If one is noted, it was lost, and is created anew.
    func note(database: String, has key: StoredKey, isNew: Bool = false, if isTrue: () -> Bool) {
        let place = (try? fileSystem.resolve(database)) ?? database
        let known = KeyFolder(path, fileSystem).note(ofDatabase: place)
        var note = known ?? DatabaseNote(path: place, keyNumber: key.number)
        note.keyNumber = key.number
        if isNew {
            note.newSalts = known.map { _ in [] }
        } else {
            addSalt(to: &note)
        }
        write(note, after: known, if: isTrue)
    }

    /// Notes the salt of a database that was created anew: its backups under this key are backups of it.
    func noteSalt(ofDatabase database: String) {
        let place = (try? fileSystem.resolve(database)) ?? database
        guard let known = KeyFolder(path, fileSystem).note(ofDatabase: place) else { return }
        var note = known
        addSalt(to: &note)
        write(note, after: known) { true }
    }

    /// Notes that a database is not the one of which there are backups under its name.
    package func noteLoss(ofDatabase database: String) {
        let place = (try? fileSystem.resolve(database)) ?? database
        let known = KeyFolder(path, fileSystem).note(ofDatabase: place)
        guard let key = try? inForce().current, known?.newSalts == nil else { return }
        var note = known ?? DatabaseNote(path: place, keyNumber: key.number)
        note.newSalts = []
        addSalt(to: &note)
        write(note, after: known) { true }
    }

    private func write(_ note: DatabaseNote, after known: DatabaseNote?, if isTrue: () -> Bool) {
        guard note != known, fileSystem.mayAccess(path, .writing), isTrue() else { return }
        try? KeyFolder(path, fileSystem).write(note)
    }

    private func addSalt(to note: inout DatabaseNote) {
        guard let salts = note.newSalts, let salt = salt(ofDatabase: note.path),
            !salts.contains(salt)
        else { return }
        note.newSalts = (salts + [salt]).suffix(DatabaseNote.saltLimit)
    }

    /// The first bytes of a file, in hexadecimal digits: with a plaintext header, the salt is elsewhere.
    private func salt(ofDatabase path: String) -> String? {
        guard let descriptor = try? fileSystem.openForReading(path) else { return nil }
        defer { fileSystem.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: CipherSalt.byteCount)
        let count = try? bytes.withUnsafeMutableBytes { try fileSystem.read(descriptor, $0, 0) }
        return count == bytes.count ? Hexadecimal.text(bytes) : nil
    }

    /// The salts, in hexadecimal digits, that a database has had since it was lost and created anew.
    ///
    /// - Returns: Nil if it was not, as far as it was opened with the store.
    package func saltsSinceLoss(ofDatabase database: String) -> [String]? {
        noteSalt(ofDatabase: database)
        let place = (try? fileSystem.resolve(database)) ?? database
        return KeyFolder(path, fileSystem).note(ofDatabase: place)?.newSalts
    }

    /// The paths of databases that were opened with the store, and are still there.
    package func databases() throws(CipherKeyError) -> [String] {
        try presentDatabases().map(\.path)
    }

    /// The names of keys that those databases had when they were last opened.
    package func keysOfDatabases() throws(CipherKeyError) -> Set<String> {
        Set(try presentDatabases().map { KeyFolder.digits($0.keyNumber) })
    }

    private func presentDatabases() throws(CipherKeyError) -> [DatabaseNote] {
        try KeyFolder(path, fileSystem).databases().filter { database in
            !KeyFolder.isMissing(database.path, fileSystem)
        }
    }
}
