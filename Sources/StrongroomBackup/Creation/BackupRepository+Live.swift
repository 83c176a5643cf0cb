public import StrongroomCore

extension BackupRepository {
    /// Stores the current state of a queue's or pool's database, with its own key.
    ///
    /// It reads on a separate connection, so accesses of the queue or pool continue.
    ///
    /// - Throws: as ``backUp(_:tag:authenticating:full:authority:threads:progress:)``; also `DatabaseError`
    ///   SQLITE_MISUSE for a database in memory, or if `prepareDatabase` gives no key.
    @discardableResult
    public func backUp(
        _ reader: some DatabaseReader, tag: String? = nil, authenticating: Bool = true,
        full: Bool = false, authority: BackupAuthority = .known, threads: Int? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> Backup {
        try backUp(
            DatabaseFile(openIn: reader), tag: tag, authenticating: authenticating, full: full,
            authority: authority, threads: threads, progress: progress)
    }
}

extension BackupRepository {
    /// The pages of a database, with settings that are found if those that were given do not open it.
    func committedPages(of file: DatabaseFile, _ operation: LongOperation) throws
        -> CommittedPages
    {
        do {
            return try CommittedPages(of: file, check: operation.check)
        } catch let error as DatabaseFileError where error.code == .wrongKey {
            return try CommittedPages(of: file.withFoundSettings(), check: operation.check)
        }
    }
}
