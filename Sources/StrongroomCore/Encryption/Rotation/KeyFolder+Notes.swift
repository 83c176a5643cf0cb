// A note is a small file beside the keys: `repository-ID` with the place of a repository, and `database-DIGEST` with
// the path of a database, the number of the key that it had when it was last opened, and the salts that its file has had;
// and whether that file took the place of one that was lost.

/// What is noted of a database.
struct DatabaseNote: Equatable {
    /// Of as many rotations no backup is kept.
    static let saltLimit = 128
    private static let salts = "salts"
    private static let createdAnew = "created-anew"

    var path: String
    /// Which key it has.
    var keyNumber: Int
    /// In hexadecimal digits, the last one last.
    private(set) var salts: [String] = []
    /// Whether the file that had earlier salts was lost.
    private(set) var isCreatedAnew = false

    init(path: String, keyNumber: Int) {
        self.path = path
        self.keyNumber = keyNumber
    }

    init?(_ lines: [String]) {
        guard lines.count > 1, let number = Int(lines[1]) else { return nil }
        self.init(path: lines[0], keyNumber: number)
        guard lines.count > 2 else { return }
        let words = lines[2].split(separator: " ").map(String.init)
        isCreatedAnew = words.first == Self.createdAnew
        salts = Array(words.dropFirst())
    }

    var text: String {
        let words = [isCreatedAnew ? Self.createdAnew : Self.salts] + salts
        return "\(path)\n\(keyNumber)\n\(words.joined(separator: " "))\n"
    }

    mutating func add(salt: String?) {
        guard let salt, salts.last != salt else { return }
        salts = (salts.filter { $0 != salt } + [salt]).suffix(Self.saltLimit)
    }

    /// Begins with another file, where there was one.
    mutating func forgetFile() {
        guard !salts.isEmpty else { return }
        salts = []
        isCreatedAnew = true
    }

    /// That the file is not the one of which there are backups, something else has shown.
    mutating func forgetBackups(salt: String) {
        salts = [salt]
        isCreatedAnew = true
    }
}

extension KeyFolder {
    private static let repositoryPrefix = "repository-"
    private static let databasePrefix = "database-"
    /// With more notes, those of databases that are gone are removed.
    private static let databaseLimit = 32

    func note(repository identifier: String, at place: String) throws(CipherKeyError) {
        let name = Self.repositoryPrefix + identifier
        if try names().contains(name) { return }
        do throws(CipherKeyError) {
            try write(note: place + "\n", to: name)
        } catch  where error.code == .fileExists {
            return
        }
    }

    func repositories() throws(CipherKeyError) -> [KeyStore.Repository] {
        try notes(Self.repositoryPrefix).map { identifier, lines in
            KeyStore.Repository(
                identifier: identifier, path: lines.first ?? Self.repositoryPrefix + identifier)
        }
    }

    /// Nil if it is not noted.
    func note(ofDatabase database: String) -> DatabaseNote? {
        guard let name = try? Self.name(ofDatabase: database),
            let note = DatabaseNote(lines(of: name)), note.path == database
        else { return nil }
        return note
    }

    /// Writes what is known of a database, in place of an earlier note. A folder that is not there is not created.
    func write(_ note: DatabaseNote) throws(CipherKeyError) {
        try removeNotesOfMissing()
        try write(note: note.text, to: try Self.name(ofDatabase: note.path), overwrite: true)
    }

    func databases() throws(CipherKeyError) -> [DatabaseNote] {
        try notes(Self.databasePrefix).compactMap { DatabaseNote($0.lines) }
    }

    /// False for what cannot be looked at.
    static func isMissing(_ path: String, _ fileSystem: FileSystem) -> Bool {
        do throws(SystemError) {
            return try fileSystem.statusIfPresent(path) == nil
        } catch {
            return false
        }
    }

    private static func name(ofDatabase path: String) throws(CipherKeyError) -> String {
        do {
            let digest = try Array(path.utf8).withUnsafeBytes { try ContentDigest(of: $0) }
            return databasePrefix + digest.hexadecimal.prefix(16)
        } catch {
            throw cannotWrite(path, error)
        }
    }

    /// An app that opens copies under ever new names would fill the folder.
    private func removeNotesOfMissing() throws(CipherKeyError) {
        let notes = try notes(Self.databasePrefix)
        guard notes.count > Self.databaseLimit else { return }
        for (identifier, lines) in notes {
            guard let path = lines.first, Self.isMissing(path, fileSystem) else { continue }
            try? fileSystem.remove(self.path.appendingName(Self.databasePrefix + identifier))
        }
    }

    private func notes(
        _ prefix: String
    ) throws(CipherKeyError) -> [(identifier: String, lines: [String])] {
        try names().sorted().filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".new") }.map { name in
            (String(name.dropFirst(prefix.count)), lines(of: name))
        }
    }

    private func write(
        note: String, to name: String, overwrite: Bool = false
    ) throws(CipherKeyError) {
        let bytes = Array(note.utf8)
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(CipherKeyError) in
                try write(bytes, to: path.appendingName(name), overwrite: overwrite)
            }
        }
        try result.get()
    }

    /// Empty if the note cannot be read.
    private func lines(of name: String) -> [String] {
        guard let descriptor = try? fileSystem.openForReading(path.appendingName(name)) else {
            return []
        }
        defer { fileSystem.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count =
            (try? bytes.withUnsafeMutableBytes { try fileSystem.read(descriptor, $0, 0) }) ?? 0
        return String(decoding: bytes[..<count], as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}
