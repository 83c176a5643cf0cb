import StrongroomBackup
import StrongroomCore
import StrongroomSFTP

/// Keys that are tried: those of several files, or of all key files in a folder.
extension KeyReader {
    /// More are not read.
    static let largestKeyCount = 1000

    /// All keys of a source that may have several.
    func keys(from source: KeySource, for role: Role) throws(Failure) -> [CipherKey] {
        source.keyPaths == nil
            ? [try key(from: source, for: role)] : try secrets(from: source, for: role)
    }

    /// The same as they are, whether a keyring stands there or not.
    func secrets(from source: KeySource, for role: Role) throws(Failure) -> [CipherKey] {
        guard let paths = source.keyPaths else { return [try secret(from: source, for: role)] }
        var files: [String] = []
        for path in paths {
            files += FolderEntry(path)?.kind == .folder ? try keyFiles(in: path) : [path]
        }
        guard files.count <= Self.largestKeyCount else {
            throw Failure(
                .failed,
                "\(files.count) keys are too many: at most \(Self.largestKeyCount) are tried",
                hint: "name fewer key files")
        }
        var keys: [CipherKey] = []
        for file in files {
            let key = try secret(from: .file(file), for: role)
            if !keys.contains(where: { $0.isSame(as: key) }) { keys.append(key) }
        }
        return keys.filter { $0.form != .passphrase } + keys.filter { $0.form == .passphrase }
    }

    /// The key files of a folder, such as those of a key store.
    private func keyFiles(in folder: String) throws(Failure) -> [String] {
        let names: [String]
        do throws(SystemError) {
            names = try FolderEntry.names(in: folder).sorted()
        } catch {
            throw Failure(.failed, "cannot read the folder of keys \(folder): \(error.reason)")
        }
        var files: [String] = []
        for name in names where name.hasSuffix(".key") || name.hasSuffix(".next") {
            let path = folder.appendingName(name)
            switch FolderEntry(path, followingLinks: false)?.kind {
            case .file: files.append(path)
            case .link:
                context.warn(
                    "\(path) is a link, which is not followed",
                    hint: "name its target: --key-file PATH")
            default: break
            }
        }
        guard !files.isEmpty else {
            throw Failure(
                .failed, "\(folder) holds no key file",
                hint: "key files in a folder must have names that end in .key")
        }
        return files
    }

    /// The one of several keys that opens what the role names.
    func chosenKey(from source: KeySource, for role: Role) throws(Failure) -> CipherKey {
        if case .making = role {
            throw .usage("a new key comes from one file", hint: "name the file")
        }
        let keys = try keys(from: source, for: role)
        if keys.count == 1 { return try unlocked(keys[0], for: role) }
        guard case .opening(let path) = role else {
            throw severalKeys(keys.count, source, role.name)
        }
        let found: CipherKey?
        do {
            found =
                if try hasKeyring(role) {
                    try unlocked(byOneOf: keys, for: role)
                } else {
                    try keyWithoutKeyring(of: path, among: keys, source)
                }
        } catch {
            throw Failure(describing: error)
        }
        if let found { return found }
        throw Failure(
            .wrongKey, "none of \(keys.count) keys opens \(path)",
            hint: "try other key files; strongroom doctor shows if a file is damaged")
    }

    private func keyWithoutKeyring(
        of path: String, among keys: [CipherKey], _ source: KeySource
    ) throws -> CipherKey? {
        if RemotePlace.isURL(path) { return try key(ofBackupsIn: path, among: keys) }
        return switch FolderEntry(path)?.kind {
        case .folder: try key(ofBackupsIn: path, among: keys)
        case .file: try key(ofDatabase: path, among: keys)
        default: throw severalKeys(keys.count, source, path)
        }
    }

    /// Several databases, which have one key between them, are no place to look for it.
    private func severalKeys(_ count: Int, _ source: KeySource, _ path: String) -> Failure {
        let message = "\(count) keys are given for \(path)"
        guard case .file(let folder) = source else {
            return Failure(.failed, message, hint: "name the one key file that opens them")
        }
        let word = ShellWord.text(folder)
        return Failure(
            .failed, message,
            hint:
                "if \(word) is a key store, use --keys \(word); if not, name the one key file in it"
        )
    }

    private func key(ofDatabase path: String, among keys: [CipherKey]) throws -> CipherKey? {
        if let key = keys.first(where: { DatabaseFile(path: path, key: $0).opens() }) { return key }
        return try keys.first { key in
            try context.cancellation.check()
            do {
                let file = DatabaseFile(path: path, key: key)
                if try context.opensWithNamedSettings(file) { return true }
                _ = try file.findingCipherSettings()
                return true
            } catch let error as DatabaseFileError where error.code == .foreignLog {
                // The key is right, and something else is in the way.
                throw error
            } catch {
                return false
            }
        }
    }

    /// The key of the last backup.
    private func key(ofBackupsIn path: String, among keys: [CipherKey]) throws -> CipherKey? {
        let repositories =
            BackupRoot.isRepository(path)
            ? [try BackupRepository(path: path)]
            : try BackupRoot(path: path).repositories()
        for repository in repositories {
            guard let last = try repository.readableBackups().backups.last else { continue }
            return try keys.first {
                try context.cancellation.check()
                return try repository.keyIdentifiers(of: $0).contains(last.keyIdentifier)
            }
        }
        return keys.first
    }
}

extension KeySource {
    /// The files and folders that may hold several keys; nil for any other source.
    var keyPaths: [String]? {
        switch self {
        case .files(let paths): paths
        case .file(let path) where FolderEntry(path)?.kind == .folder: [path]
        default: nil
        }
    }
}
