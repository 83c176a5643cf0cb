public import StrongroomCore

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
}
