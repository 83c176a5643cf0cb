public import StrongroomCore
public import StrongroomKeyrings

extension BackupRepository {
    /// Verifies the content of the repository with the keys of a store.
    ///
    /// Each backup is authenticated with its own key, also right after a rotation.
    ///
    ///     let store = KeyStore(folder: "shop.keys")
    ///     let report = try repository.verify(keys: store)
    ///
    /// - Parameters:
    ///   - store: The store of the database's keys.
    ///   - authority: A public key of 64 hexadecimal digits that you trust.
    ///   - sample: The part of the pages to read, chosen at random; trees and tables are always
    ///     read.
    ///   - threads: How many threads to use; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: As ``verify(key:authority:sample:threads:progress:)``; `CipherKeyError` if the store
    ///   cannot be read.
    public func verify(
        keys store: KeyStore, authority: String? = nil, sample: Double = 1, threads: Int? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> VerificationReport {
        try verify(
            key: .databases(store.keys().map(\.key)), authority: authority, sample: sample,
            threads: threads, progress: progress)
    }

    /// Verifies the content of the repository with a secret of the database's keyring.
    ///
    /// The newest stored keyring gives the keys of all backups, also right after a rotation.
    ///
    ///     let report = try repository.verify(unlockingWith: .passphrase(passphrase))
    ///
    /// - Parameters:
    ///   - unlocker: A secret that opens a slot of the newest stored keyring.
    ///   - authority: A public key of 64 hexadecimal digits that you trust.
    ///   - sample: The part of the pages to read, chosen at random; trees and tables are always
    ///     read.
    ///   - threads: How many threads to use; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: As ``verify(key:authority:sample:threads:progress:)``; ``BackupError``, `.wrongKey`, if
    ///   the secret opens no stored keyring.
    public func verify(
        unlockingWith unlocker: Unlocker, authority: String? = nil, sample: Double = 1,
        threads: Int? = nil, progress: OperationProgress.Handler? = nil
    ) throws -> VerificationReport {
        var repository = self
        let doubt = try doubt(unlockingWith: unlocker)
        repository.doubtsKeys = doubt != nil
        var report = try repository.verify(
            key: .databases(requiredKeys(unlockingWith: unlocker)), authority: authority,
            sample: sample, threads: threads, progress: progress)
        if let doubt { report.notices.append(doubt) }
        return report
    }
}
