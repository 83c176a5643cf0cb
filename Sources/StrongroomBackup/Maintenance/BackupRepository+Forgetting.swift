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
        try remove(keys: keys, dryRun: dryRun, progress) { repository, all in
            let unreadable = Set(names.compactMap(UInt32.init).filter { all.damage[$0] != nil })
            let numbers = Set(
                try names.filter { UInt32($0).map(unreadable.contains) != true }
                    .map { try repository.backup($0, in: all).number })
            var report = PruningReport()
            report.kept = all.readable.filter { !numbers.contains($0.number) }
            report.removed = all.readable.filter { numbers.contains($0.number) }
            report.unreadable = unreadable
            let last = RetentionPolicy(last: 1).kept(all.readable)
                .first { numbers.contains($0.number) }
            if let last, !newest {
                throw isNewest("backup \(last.number) is the newest one of \(last.databaseName)")
            }
            if let last = unreadable.max(), !newest,
                report.kept.allSatisfy({ $0.manifest.sequence < last })
            {
                throw isNewest(
                    "backup \(last) cannot be read, and may be the newest one of its database")
            }
            // What they need, nobody knows: no space is freed before they are forgotten, too.
            report.isDamageLeft = !unreadable.isSuperset(of: all.damage.keys)
            return report
        } free: { repository, operation, report in
            guard !report.isDamageLeft else {
                report.notices.append(
                    "their space is not free yet: the manifest of another backup is damaged")
                return
            }
            do {
                try repository.collect(report.kept, operation, &report, wholly: true)
            } catch let error as BackupError where error.code == .damaged {
                // They are gone. What is damaged besides, others need.
                report.notices.append("their space is not free yet: \(error.message)")
            }
        }
    }

    private func isNewest(_ message: String) -> BackupError {
        BackupError(
            .failed, path, message, hint: "create another one first, or pass newest: true",
            step: BackupStep.forgetNewest)
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
