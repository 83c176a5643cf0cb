extension Database {
    /// What other connections have committed, as far as can be known now.
    struct OtherCommits: Equatable {
        /// Another number after each commit of another connection; nil while it keeps readers out.
        let version: Int?
        /// Whether another connection is about to commit, so that the number may soon be another.
        let isAnotherWriting: Bool
    }

    /// Looks at what other connections have committed, of this process or others.
    ///
    /// Who writes holds the write lock until all connections see the commit. So, when the lock is to
    /// be had, the number is right, even where the file was written just before.
    /// <https://www.sqlite.org/pragma.html#pragma_data_version>
    func otherCommits() throws -> OtherCommits {
        let isAnotherWriting = try !isWriteLockFree()
        do {
            let version = try Int.fetchOne(self, sql: "PRAGMA data_version")
            return OtherCommits(version: version, isAnotherWriting: isAnotherWriting)
        } catch DatabaseError.SQLITE_BUSY {
            return OtherCommits(version: nil, isAnotherWriting: true)
        }
    }

    /// Takes the write lock for a moment, without waiting for it.
    private func isWriteLockFree() throws -> Bool {
        guard !isInsideTransaction else { return true }
        hooks.setBusyHandler(try connection(), nil)
        defer { try? configureBusyMode() }
        do {
            try withHandle { handle throws(DatabaseError) in
                try handle.execute("BEGIN IMMEDIATE; ROLLBACK")
            }
            return true
        } catch DatabaseError.SQLITE_BUSY {
            return false
        }
    }
}
