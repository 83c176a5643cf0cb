public import StrongroomCore

extension BackupRepository {
    /// Brings back what was damaged: from a copy of the repository, and from the database itself.
    ///
    /// Files are named after their content, so nothing is brought back but the very bytes that were
    /// there:
    /// - from the copy, manifests, packs, and single pages and nodes;
    /// - from the database, each page that it still has as it was stored. Earlier backups are healed by
    ///   that, too.
    ///
    /// At the end, a backup of the database is made, if one is given; if the damage that is left
    /// concerns the last backup, it is a full one. No backup is removed, whatever its state. What can be
    /// read of a pack stays, and a pack whose table is damaged is moved to `aside/` when another takes its
    /// place. A damaged `head` is not repaired: which head is the right one, only a person can say.
    ///
    /// - Parameters:
    ///   - copy: Another copy of the repository, older or newer; it is only read.
    ///   - database: The database, with its key.
    ///   - dryRun: Changes nothing, and reports what would be brought back. What depends on a manifest
    ///     that is damaged is then not known.
    ///   - progress: Called as the work advances. An error that it throws ends the work.
    /// - Throws: ``BackupError``, `DatabaseFileError`, or what `progress` throws. What was
    ///   repaired until then stays.
    @discardableResult
    public func repair(
        from copy: BackupRepository? = nil, database: DatabaseFile? = nil, dryRun: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> RepairReport {
        var report = RepairReport(try verify(progress: progress))
        if !report.before.isSound {
            let start = report
            report = try LongOperation.run(progress) { operation in
                try opened(operation) { repository in
                    if dryRun {
                        let head = try repository.readHead()
                        return try repair(
                            repository, head, copy, database, dryRun, operation, start)
                    }
                    return try repository.withWriterLock(operation) { head, notices in
                        var report = start
                        report.notices = notices
                        return try repair(
                            repository, head, copy, database, dryRun, operation, report)
                    }
                }
            }
            if !dryRun { report.after = try verify(progress: progress) }
        }
        guard let database, !dryRun else { return report }
        let last = try? backups().last?.number
        let isFull = last.map(report.after.damagedBackups.contains) ?? !report.isSound
        report.newBackup = try backUp(database, full: isFull, progress: progress)
        return report
    }

    private func repair(
        _ repository: OpenRepository, _ head: Head, _ copy: BackupRepository?,
        _ database: DatabaseFile?, _ dryRun: Bool, _ operation: LongOperation,
        _ start: RepairReport
    ) throws -> RepairReport {
        var report = start
        let other = try copy.map { try OpenRepository($0, operation) }
        if let other, try other.readHead().repository != head.repository {
            throw BackupError(
                .failed, other.path, "\(other.path) is no copy of \(path), but another repository",
                hint: "name a copy of this one")
        }
        let source = try database.map {
            try CommittedPages(of: $0.withFoundSettings(), check: operation.check)
        }
        defer { try? source?.close() }
        let repair = Repair(
            repository: repository, operation: operation, donors: try Donors(other, source),
            changesNothing: dryRun)
        try repair.repairManifests(head, from: other, &report)
        try repair.repairPacks(head, &report)
        return report
    }
}
