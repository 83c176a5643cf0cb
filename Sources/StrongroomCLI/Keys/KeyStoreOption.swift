import StrongroomCore

/// `--keys FOLDER`, in commands that change which key is the current one, or that need earlier ones.
struct KeyStoreOption {
    static let option = Option.value(
        "keys", "FOLDER", completion: .folder,
        help: "use a key store: a folder with the current key and all earlier ones")

    /// The folder; nil if it is not given.
    private let folder: String?
    /// The key that the store begins with, where one is named besides.
    private let firstKey: KeySource?

    init(_ arguments: ParsedArguments) throws(Failure) {
        folder = arguments.value(Self.option)
        if folder == "" { throw .usage("--keys needs a folder") }
        let isNamed = KeyOptions.current.isNamed(in: arguments)
        firstKey = folder != nil && isNamed ? try KeyOptions.current.source(in: arguments) : nil
    }

    var isGiven: Bool { folder != nil }

    /// - Parameter path: What the first key opens.
    func store(for path: String, _ reader: KeyReader) throws -> KeyStore? {
        guard let folder else { return nil }
        guard try !reader.hasKeyring(.opening(path: path)) else {
            throw Failure(
                .failed, path,
                "\(path) has a keyring, which gives its key, and not the key store \(folder)",
                hint:
                    "leave --keys out, and give a secret that opens the keyring: strongroom key list "
                    + "\(ShellWord.text(path)) shows its slots")
        }
        let first = try firstKey.map { try reader.key(from: $0, for: .opening(path: path)) }
        let store = KeyStore(folder: folder, startingWith: first)
        guard try store.inForce().current != nil else { throw Self.noKey(in: folder, for: path) }
        return store
    }

    /// Key files with other names than those of a store do not count.
    private static func noKey(in folder: String, for path: String) -> Failure {
        let names = (try? FolderEntry.names(in: folder)) ?? []
        guard let other = names.filter({ $0.hasSuffix(".key") }).sorted().first else {
            return Failure(
                .failed, "the key store \(folder) holds no key",
                hint: "also give the current key of \(path): --key-file PATH")
        }
        let file = folder.appendingName(other)
        return Failure(
            .failed,
            "the key store \(folder) holds no key: its keys are 0001.key, 0002.key and so on, and "
                + "\(other) is none of them",
            hint:
                "if \(other) is the current key of \(path), also pass --key-file \(ShellWord.text(file)), "
                + "or rename it to 0001.key")
    }
}

extension KeyStore {
    /// The key that a database has: the pending one if it opens the file, else the current one.
    ///
    /// Other databases may not have the pending one yet: it stays pending.
    func keyWithoutSettling(of path: String) throws -> CipherKey {
        let (current, pending) = try inForce()
        if let pending, DatabaseFile(path: path, key: pending.key).opens() { return pending.key }
        return try current?.key ?? currentKey()
    }

    /// A failure that says so if a single file has a retired key of the store.
    func explaining(_ failure: Failure, of paths: [String]) -> Failure {
        guard paths.count == 1, FolderEntry(paths[0])?.kind == .file,
            let keys = try? keys(), let current = keys.last(where: { $0.state == .current }),
            let retired = keys.last(where: {
                $0.state == .retired && DatabaseFile(path: paths[0], key: $0.key).opens()
            })
        else { return failure }
        var failure = failure
        failure.message =
            "\(paths[0]) has the retired key \(retired.id) of \(path): it is an old copy of the database, or "
            + "a rotation of several databases left it out"
        failure.hint =
            "put the newer one back, if there is one; or give this one the current key: strongroom rotate-key "
            + "\(ShellWord.text(paths[0])) --key-file \(keyFile(retired)) --new-key-file "
            + keyFile(current)
        return failure
    }

    private func keyFile(_ key: StoredKey) -> String {
        ShellWord.text("\(path)/\(key.id).key")
    }

    /// The keys that databases of the store have now.
    func keysInForce() throws -> [CipherKey] {
        let (current, pending) = try inForce()
        return [current, pending].compactMap { $0?.key }
    }
}
