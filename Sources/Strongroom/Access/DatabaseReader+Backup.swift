extension DatabaseReader {
    /// Copies the whole database over another one.
    ///
    /// - Throws: As `Database.backup(to:pagesPerStep:progress:)`.
    public func backup(
        to writer: any DatabaseWriter, pagesPerStep: CInt = -1,
        progress: ((DatabaseBackupProgress) throws -> Void)? = nil
    ) throws {
        try unsafeRead { source in
            try writer.writeWithoutTransaction { destination in
                try source.backup(to: destination, pagesPerStep: pagesPerStep, progress: progress)
                destination.releaseMemory()
            }
        }
    }
}
