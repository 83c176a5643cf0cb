/// A folder with the keys of a database: the current key, and every earlier one.
///
/// ```swift
/// let store = KeyStore(folder: "shop.keys")
/// var configuration = Configuration()
/// configuration.prepareDatabase { db in try db.useKey(from: store) }
/// let dbPool = try DatabasePool(path: "shop.db", configuration: configuration)
/// try dbPool.rotateKey(in: store)
/// ```
///
/// The store creates the folder and the first key when a new database is opened. It never overwrites a
/// key file, and deletes none unless you ask it to.
///
/// A store belongs to one database, or to databases whose key the tool rotates together. You can
/// use it on any thread and from several processes. Errors are ``CipherKeyError``.
public struct KeyStore: Sendable {
    // 1. A key file is complete and on the disk before it has its name, and its content never changes.
    // 2. The key of the largest number is the current one; those before it are retired.
    // 3. A key is pending (`.next`) until a database is known to have it. Then one rename makes it the
    //    current one.
    // 4. The database decides: a pending key counts if, and only if, it opens the file.

    /// The path of the folder.
    public let path: String

    /// The key that came before all keys of the folder, if it is kept elsewhere.
    let firstKey: CipherKey?

    /// The calls on files, which tests replace.
    package var fileSystem = FileSystem.system

    /// Creates a store in a folder, which is created with the first key.
    ///
    /// Other users must not have access to the folder.
    ///
    ///     let credential = try CipherKey(contentsOfFile: "/run/credentials/shop.service/shop.key")
    ///     let store = KeyStore(folder: "/var/lib/shop/keys", startingWith: credential)
    ///
    /// - Parameters:
    ///   - path: The folder. Nothing is read or written yet.
    ///   - key: The database's key, if the store does not contain it: one that can only be read,
    ///     such as a systemd credential. It is the current key until the first rotation, and a
    ///     retired key from then on. Keep passing it as long as backups need it.
    public init(folder path: String, startingWith key: CipherKey? = nil) {
        self.path = path
        firstKey = key
    }

    /// A key of a store, and what the key is for.
    public struct StoredKey: Sendable, Identifiable {
        /// What a key is for.
        public enum State: Sendable {
            /// No longer the database's key; backups may need it.
            case retired
            /// The key of the database.
            case current
            /// A key that the next rotation uses, unless the database already has it.
            case pending
        }

        /// The name of the key in its store, such as `0003`. It reveals nothing about the key.
        public let id: String
        /// What the key is for.
        public let state: State
        /// The key itself.
        public let key: CipherKey

        let number: Int
    }
}

// MARK: - Reading

extension KeyStore {
    /// All keys, the oldest first.
    ///
    /// - Throws: ``CipherKeyError``: `.cannotRead` if the folder or one of its keys cannot be read.
    public func keys() throws(CipherKeyError) -> [StoredKey] {
        let folder = KeyFolder(path, fileSystem)
        return try folder.stable { listing throws(CipherKeyError) in
            try keys(listing, in: folder, of: listing.numbers)
        }
    }

    /// The key of the database.
    ///
    /// After an interrupted rotation, the database may already have the pending key. To open the
    /// database, use `useKey(from:)`, which finds out.
    ///
    /// - Throws: ``CipherKeyError``: `.lost` if the store has none yet, `.cannotRead` if it cannot be read.
    public func currentKey() throws(CipherKeyError) -> CipherKey {
        guard let current = try inForce().current else {
            throw CipherKeyError(
                .lost, "\(path) holds no key",
                hint: "opening a new database with useKey(from:) creates the first one")
        }
        return current.key
    }

    /// The current key and the pending one, as far as they are there. No other key is read.
    package func inForce() throws(CipherKeyError) -> (current: StoredKey?, pending: StoredKey?) {
        let folder = KeyFolder(path, fileSystem)
        return try folder.stable { listing throws(CipherKeyError) in
            let numbers = [listing.current, listing.pending].compactMap { $0 }
            let keys = try keys(listing, in: folder, of: numbers)
            return (
                keys.first { $0.state == .current }, keys.first { $0.state == .pending }
            )
        }
    }

    /// One that is retired is no reason to make another one.
    private func key(
        _ number: Int, _ state: StoredKey.State, _ listing: KeyFolder.Listing, in folder: KeyFolder
    ) throws(CipherKeyError) -> CipherKey {
        do throws(CipherKeyError) {
            return try folder.key(number, listing)
        } catch {
            guard state == .retired else { throw error }
            throw CipherKeyError(
                error.code, error.message,
                hint:
                    "put it back from a copy of the key store; if it is lost, move it away: backups that need this "
                    + "earlier key cannot be restored without it")
        }
    }

    private func keys(
        _ listing: KeyFolder.Listing, in folder: KeyFolder, of numbers: [Int]
    ) throws(CipherKeyError) -> [StoredKey] {
        var keys: [StoredKey] = []
        for number in numbers {
            let state: StoredKey.State =
                number == listing.current
                ? .current : number == listing.pending ? .pending : .retired
            keys.append(
                StoredKey(
                    id: KeyFolder.digits(number), state: state,
                    key: try key(number, state, listing, in: folder), number: number))
        }
        guard let firstKey, !keys.contains(where: { $0.key.isSame(as: firstKey) }) else {
            return keys
        }
        let state: StoredKey.State = listing.current == nil ? .current : .retired
        keys.insert(
            StoredKey(id: KeyFolder.digits(0), state: state, key: firstKey, number: 0), at: 0)
        return keys
    }
}

// MARK: - Writing

extension KeyStore {
    /// Creates the first key of a store that has none.
    package func makeFirstKey() throws(CipherKeyError) -> CipherKey {
        let folder = KeyFolder(path, fileSystem)
        try folder.create()
        do throws(CipherKeyError) {
            try folder.write(try CipherKey.generated(), to: KeyFolder.name(1, isPending: false))
        } catch  where error.code == .fileExists {
            // Another process was faster: its key is the one.
        }
        return try currentKey()
    }

    /// The key for the next rotation, which is on the disk when this returns.
    ///
    /// A key that an earlier rotation left pending is used again: no backup and no database has it.
    ///
    /// - Parameter keepsFirstKey: Whether ``keepFirstKey()`` follows, which needs the number before it.
    package func makePendingKey(keepsFirstKey: Bool = false) throws(CipherKeyError) -> StoredKey {
        let folder = KeyFolder(path, fileSystem)
        if let pending = try inForce().pending {
            try folder.synchronize(pending.number)
            return pending
        }
        let listing = try folder.listing()
        let first = keepsFirstKey && firstKey != nil ? 2 : 1
        let number = listing.numbers.last.map { $0 + 1 } ?? first
        try folder.write(try CipherKey.generated(), to: KeyFolder.name(number, isPending: true))
        guard let pending = try inForce().pending else {
            throw CipherKeyError(.cannotWrite, "the new key in \(path) is gone")
        }
        return pending
    }

    /// Writes the key that came before all keys of the folder into it, unless the folder has a key already.
    ///
    /// - Returns: Whether it was written.
    package func keepFirstKey() throws(CipherKeyError) -> Bool {
        let folder = KeyFolder(path, fileSystem)
        let listing = try folder.listing()
        guard let firstKey, listing.settled.isEmpty, listing.pending != 1 else { return false }
        try folder.write(firstKey, to: KeyFolder.name(1, isPending: false))
        return true
    }

    /// Makes a pending key the current one, which retires the one before it.
    package func settle(_ pending: StoredKey) throws(CipherKeyError) {
        try KeyFolder(path, fileSystem).settle(pending.number)
    }

    /// Removes the file of a retired key.
    package func remove(_ key: StoredKey) throws(CipherKeyError) {
        guard key.state == .retired, key.number > 0 else { return }
        try KeyFolder(path, fileSystem).remove(key.number)
    }

    /// Keeps other rotations of this store out.
    ///
    /// The folder is created only for a store that begins with a key from elsewhere: another one has had its
    /// key there, and an empty folder in its place would hide that it is gone.
    package func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        let folder = KeyFolder(path, fileSystem)
        if firstKey != nil { try folder.create() }
        let lock = try folder.takeLock()
        defer { fileSystem.unlock(closing: lock) }
        return try body()
    }
}
