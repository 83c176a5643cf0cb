public import StrongroomCore

extension BackupRepository {
    /// Removes single backups, such as those that are damaged beyond repair.
    ///
    /// What other backups need stays. Nothing else of the removed ones does, so that ``verify(key:authority:sample:threads:progress:)``
    /// no longer finds their damage. Backups that share a damaged page have to be removed together.
    ///
    ///     try repository.forget(["12", "13"], keys: [key])
    ///
    /// - Parameters:
    ///   - names: Their numbers or ``Backup/id``.
    ///   - keys: Keys of which one may sign the repository.
    ///   - newest: Whether to remove even the newest backup of a database.
    ///   - dryRun: Reports what would be removed, without changing anything.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``BackupError``: `.unknownBackup`; `.failed` if one is the newest of its database, and
    ///   `newest` is false; as ``prune(keeping:key:dryRun:progress:)``.
    @discardableResult
    public func forget(
        _ names: [String], keys: [CipherKey], newest: Bool = false, dryRun: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> PruningReport {
        try remove(keys: keys, dryRun: dryRun, progress) { repository, backups in
            let numbers = Set(
                try names.map { try repository.backup($0, in: backups).number })
            var report = PruningReport()
            report.kept = backups.filter { !numbers.contains($0.number) }
            report.removed = backups.filter { numbers.contains($0.number) }
            let last = RetentionPolicy(last: 1).kept(backups).first { numbers.contains($0.number) }
            if let last, !newest {
                throw BackupError(
                    .failed, path,
                    "backup \(last.number) is the newest one of \(last.databaseName)",
                    hint: "create another one first, or pass newest: true",
                    step: BackupStep.forgetNewest)
            }
            return report
        } free: { repository, operation, report in
            do {
                try repository.collect(report.kept, operation, &report, wholly: true)
            } catch let error as BackupError where error.code == .damaged {
                // They are gone. What is damaged besides, others need.
                report.notices.append("their space is not free yet: \(error.message)")
            }
        }
    }

    /// Removes single backups of a database whose keys are in a store.
    ///
    /// - Throws: As the form that takes keys; `CipherKeyError` if the store cannot be read.
    @discardableResult
    public func forget(
        _ names: [String], keys store: KeyStore, newest: Bool = false, dryRun: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> PruningReport {
        try forget(
            names, keys: store.keys().reversed().map(\.key), newest: newest, dryRun: dryRun,
            progress: progress)
    }
}
