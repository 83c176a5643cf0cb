public import StrongroomCore
public import StrongroomKeyrings

extension BackupRepository {
    /// Removes the backups that a policy does not keep, with the key of a store that may sign.
    ///
    ///     let store = KeyStore(folder: "shop.keys")
    ///     try repository.prune(keeping: RetentionPolicy(last: 7), keys: store)
    ///
    /// - Parameters:
    ///   - policy: Which backups to keep.
    ///   - store: The store of the database's keys.
    ///   - dryRun: Reports what would be removed, without changing anything.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: As ``prune(keeping:key:dryRun:progress:)``; `CipherKeyError` if the store cannot be
    ///   read.
    @discardableResult
    public func prune(
        keeping policy: RetentionPolicy, keys store: KeyStore, dryRun: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> PruningReport {
        try prune(
            keeping: policy, keys: store.keys().reversed().map(\.key), dryRun: dryRun,
            progress: progress)
    }

    /// Removes the backups that a policy does not keep, with a secret of the database's keyring.
    ///
    ///     try repository.prune(
    ///         keeping: RetentionPolicy(last: 7), unlockingWith: .passphrase(passphrase))
    ///
    /// - Parameters:
    ///   - policy: Which backups to keep.
    ///   - unlocker: A secret that opens a slot of the newest stored keyring.
    ///   - dryRun: Reports what would be removed, without changing anything.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: As ``prune(keeping:key:dryRun:progress:)``; ``BackupError``, `.wrongKey`, if the secret
    ///   opens no stored keyring.
    @discardableResult
    public func prune(
        keeping policy: RetentionPolicy, unlockingWith unlocker: Unlocker, dryRun: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> PruningReport {
        try prune(
            keeping: policy, keys: requiredKeys(unlockingWith: unlocker), dryRun: dryRun,
            progress: progress)
    }
}
