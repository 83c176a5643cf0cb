public import StrongroomCore

extension BackupRepository {
    /// Repairs a damaged repository: from a copy of it, and from the database itself.
    ///
    /// Files are named after their content, so it puts back exactly the bytes that were there:
    /// - from the copy, manifests, keyrings, packs, and single pages and nodes;
    /// - from the database, each page that has not changed since it was stored. This also repairs
    ///   earlier backups.
    ///
    /// At the end, it backs up the database, if you pass one; if the last backup is still damaged,
    /// this backup is a full one. It creates no backup of what seems to be an older copy of the database, and
    /// says so in ``RepairReport/notices``. It never removes a backup. It keeps the readable part of a pack,
    /// and moves a pack with a damaged table to `aside/` when it writes a replacement. It does not
    /// repair a damaged `head`, because only a person can decide which head is the right one.
    ///
    /// - Parameters:
    ///   - copy: Another copy of the repository, older or newer; it is only read.
    ///   - database: The database, with its key.
    ///   - dryRun: Changes nothing, and reports what would be repaired, except for what depends on
    ///     a damaged manifest.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``BackupError``, `DatabaseFileError`, or what `progress` throws. What was already
    ///   repaired stays repaired.
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
        var repository = self
        repository.refusesOlderCopies = true
        do {
            report.newBackup = try repository.backUp(database, full: isFull, progress: progress)
        } catch let copy as OlderCopy {
            report.notices.append(
                "no backup was created, because it may be of an older copy: \(copy.reason)")
        }
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
        try repair.repairKeyrings(head, from: other, database, &report)
        try repair.repairPacks(head, &report)
        return report
    }
}
