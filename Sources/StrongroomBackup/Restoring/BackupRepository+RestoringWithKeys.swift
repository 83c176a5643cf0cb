public import StrongroomCore

extension BackupRepository {
    /// Restores a database with the backup's key from a store.
    ///
    ///     let store = KeyStore(folder: "shop.keys")
    ///     try repository.restore("3", to: "shop-of-march.db", keys: store)
    ///
    /// - Throws: As ``restore(_:to:key:overwrite:threads:progress:)``. `CipherKeyError` if the store cannot
    ///   be read.
    @discardableResult
    public func restore(
        _ name: String? = nil, to path: String, keys store: KeyStore, overwrite: Bool = false,
        threads: Int? = nil, progress: OperationProgress.Handler? = nil
    ) throws -> Backup {
        try restore(
            name, to: path, keys: store.keys().map(\.key), overwrite: overwrite, threads: threads,
            progress: progress)
    }

    /// Restores a database with the right one of several keys.
    ///
    /// - Throws: As ``restore(_:to:key:overwrite:threads:progress:)``: `.wrongKey` if no key is the backup's.
    @discardableResult
    public func restore(
        _ name: String? = nil, to path: String, keys: [CipherKey], overwrite: Bool = false,
        threads: Int? = nil, progress: OperationProgress.Handler? = nil
    ) throws -> Backup {
        let (hash, key) = try self.key(of: name, among: keys)
        return try restore(
            hash, to: path, key: key, overwrite: overwrite, threads: threads, progress: progress)
    }

    /// A backup's hash, and the right one of several keys.
    package func key(of name: String?, among keys: [CipherKey]) throws -> (
        hash: String, key: CipherKey
    ) {
        try opened { repository in
            let backup = try repository.backup(name, in: repository.readKept(repository.readHead()))
            return (backup.hash, try repository.key(of: backup, among: keys))
        }
    }
}
