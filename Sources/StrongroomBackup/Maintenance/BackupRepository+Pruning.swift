public import StrongroomCore
internal import StrongroomEssentials

extension BackupRepository {
    /// Removes the backups that a policy does not keep, and frees the space that only they needed.
    ///
    /// Kept backups do not depend on removed ones: their pages stay where they are. The manifests
    /// also stay, so that the chain of hashes does not break.
    ///
    /// - Parameters:
    ///   - policy: Which backups to keep.
    ///   - key: A key that may sign the repository: that of one of its backups. Only a repository
    ///     of the first format can be pruned without one.
    ///   - dryRun: Reports what would be removed, without changing anything; needs no key. A key
    ///     that you pass must be one with which the backups could be removed.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``BackupError``, or what `progress` throws. Kept backups are intact at every
    ///   instant; the next run frees what an interrupted one left.
    @discardableResult
    public func prune(
        keeping policy: RetentionPolicy, key: CipherKey? = nil, dryRun: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> PruningReport {
        try prune(
            keeping: policy, keys: key.map { [$0] } ?? [], dryRun: dryRun, progress: progress)
    }

    /// Removes the backups that a policy does not keep, with the right one of several keys.
    ///
    /// - Parameters:
    ///   - policy: Which backups to keep.
    ///   - keys: Keys of which one may sign the repository, such as those of several databases.
    ///   - dryRun: Reports what would be removed, without changing anything.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: As ``prune(keeping:key:dryRun:progress:)``: `.wrongKey` if no key is that of a backup.
    @discardableResult
    public func prune(
        keeping policy: RetentionPolicy, keys: [CipherKey], dryRun: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> PruningReport {
        guard !policy.keepsNothing else {
            throw BackupError(
                .failed, path, "the policy keeps no backup at all",
                hint: "keep at least the last one")
        }
        return try remove(keys: keys, dryRun: dryRun, progress) { _, backups in
            try plan(backups.all, policy)
        } free: { repository, operation, report in
            try repository.collect(report.kept, operation, &report)
        }
    }

    /// Removes what a plan says, and frees the space.
    func remove(
        keys: [CipherKey], dryRun: Bool, _ progress: OperationProgress.Handler?,
        plan: @escaping @Sendable (OpenRepository, KeptBackups) throws -> PruningReport,
        free:
            @escaping @Sendable (OpenRepository, LongOperation, inout PruningReport) throws -> Void
    ) throws -> PruningReport {
        try LongOperation.run(progress) { operation in
            try opened(operation) { repository in
                if dryRun {
                    let head = try repository.readHead()
                    if !keys.isEmpty { _ = try repository.keyForPruning(keys, head) }
                    return try plan(repository, repository.readKept(head))
                }
                return try repository.withWriterLock(operation) { head, notices in
                    let signing = try repository.keyForPruning(keys, head)
                    var report = try plan(repository, repository.readKept(head))
                    report.notices = notices
                    var next = head
                    next.prunedNumbers.formUnion(report.removed.map(\.manifest.sequence))
                    next.prunedNumbers.formUnion(report.unreadable)
                    if next != head {
                        try repository.requireRemoval()
                        try repository.writeHead(&next, signing)
                    }
                    head = next
                    try free(repository, operation, &report)
                    if !report.isDamageLeft { try repository.collectKeyrings(report.kept, head) }
                    report.notices += repository.remember()
                    return report
                }
            }
        }
    }

    /// - Throws: ``BackupError`` if a database would have no backup left: none has the tags to keep.
    private func plan(_ backups: [Backup], _ policy: RetentionPolicy) throws -> PruningReport {
        var report = PruningReport()
        report.kept = policy.kept(backups)
        let names = Set(report.kept.map(\.databaseName))
        if let lost = backups.first(where: { !names.contains($0.databaseName) }) {
            throw BackupError(
                .failed, path, "the policy keeps no backup of \(lost.databaseName) at all",
                hint: "keep at least the last one")
        }
        let numbers = Set(report.kept.map(\.number))
        report.removed = backups.filter { !numbers.contains($0.number) }
        return report
    }
}

extension OpenRepository {
    /// What signs the next head. Which backups are gone is a statement like any other: without a
    /// signature, whoever has deleted them could make it.
    fileprivate func keyForPruning(_ keys: [CipherKey], _ head: Head) throws -> BackupKey? {
        guard head.signer != nil else { return nil }
        guard let first = keys.first else {
            throw BackupError(
                .keyNeeded, path, "\(path) is signed: to prune it takes a key of its backups",
                hint: "give the key of the database; a dry run does without",
                step: BackupStep.pruneDry)
        }
        if keys.count == 1 { return try backupKey(thatSigns: first, as: .pruning, head) }
        var refusal: BackupError?
        for key in keys.rawKeysFirst {
            do {
                return try backupKey(thatSigns: key, as: .pruning, head)
            } catch let error as BackupError where error.code == .wrongKey {
                continue
            } catch let error as BackupError {
                refusal = refusal ?? error
            }
        }
        throw refusal
            ?? BackupError(
                .wrongKey, path, "none of \(keys.count) keys is that of a backup in \(path)",
                hint: "backups() shows which key each backup needs", step: BackupStep.listBackups)
    }
}
