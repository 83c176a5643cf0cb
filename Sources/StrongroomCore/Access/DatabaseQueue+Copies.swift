extension DatabaseQueue {
    /// Copies a file into an in-memory database, which is gone when it closes.
    ///
    /// The file does not change. If it is encrypted, the configuration must give its passphrase,
    /// with which the copy is also encrypted.
    ///
    ///     let copy = try DatabaseQueue.inMemoryCopy(fromPath: "fixture.sqlite")
    ///
    /// - Parameters:
    ///   - path: The path of the file to copy.
    ///   - configuration: With `readonly`, the copy refuses writes.
    /// - Throws: `SQLITE_CANTOPEN` if there is no such file; `SQLITE_NOTADB` if its key is wrong or
    ///   missing.
    public static func inMemoryCopy(
        fromPath path: String, configuration: Configuration = Configuration()
    ) throws -> DatabaseQueue {
        try copy(of: path, to: ":memory:", configuration)
    }

    /// Copies a file into a temporary database without a name, which is gone when it closes.
    ///
    /// It is in memory if SQLCipher was built to keep temporary databases there, like Debian's.
    /// Otherwise, its pages go to a nameless file, and are encrypted if those of the file are.
    /// <https://www.sqlite.org/inmemorydb.html#temporary_databases>
    ///
    ///     let copy = try DatabaseQueue.temporaryCopy(fromPath: "fixture.sqlite")
    ///
    /// - Parameters:
    ///   - path: The path of the file to copy.
    ///   - configuration: With `readonly`, the copy refuses writes.
    /// - Throws: As `inMemoryCopy(fromPath:configuration:)`.
    public static func temporaryCopy(
        fromPath path: String, configuration: Configuration = Configuration()
    ) throws -> DatabaseQueue {
        try copy(of: path, to: "", configuration)
    }

    private static func copy(
        of path: String, to destination: String, _ configuration: Configuration
    ) throws -> DatabaseQueue {
        var sourceConfiguration = configuration
        sourceConfiguration.readonly = true
        let source = try DatabaseQueue(path: path, configuration: sourceConfiguration)
        var copyConfiguration = configuration
        copyConfiguration.readonly = false
        // A backup writes below the level at which SQLite refuses writes.
        copyConfiguration.isQueryOnly = configuration.isQueryOnly || configuration.readonly
        // Only a file can have a write-ahead log.
        copyConfiguration.journalMode = .default
        let copy = try DatabaseQueue(path: destination, configuration: copyConfiguration)
        try source.backup(to: copy)
        try source.close()
        return copy
    }
}
