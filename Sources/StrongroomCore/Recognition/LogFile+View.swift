extension LogFile {
    /// Whether it holds every page of the database, as it does between a change of the key and the
    /// next checkpoint: what the file holds then counts for nothing.
    var isComplete: Bool {
        let lockBytePage = CipherSettings.lockBytePage(ofPageSize: pageSize)
        let unwrittenCount = pageCount >= lockBytePage && offsets[lockBytePage] == nil ? 1 : 0
        return pageCount > 0 && offsets.count + unwrittenCount == Int(pageCount)
    }

    /// How many bytes the database has.
    var databaseByteCount: Int64 { Int64(pageCount) * Int64(pageSize) }

    /// The database as its readers see it: the pages of the log, before those of the file.
    func view(over readFile: @escaping PageSource.Read, _ fileSystem: FileSystem) throws
        -> PageSource.Read
    {
        try PageOverlay(
            path: path, pageSize: pageSize, offsets: offsets, databaseByteCount: databaseByteCount
        ).view(over: readFile, fileSystem)
    }

    /// Whether it was begun anew since it was read: its pages are then in the file.
    func wasBegunAnew(_ fileSystem: FileSystem) throws -> Bool {
        try LogFile(path, fileSystem)?.salts != salts
    }
}
