extension DatabaseQueue {
    /// Copies a file into a database in memory, which forgets it when it closes.
    ///
    /// The file stays as it is. An encrypted one needs its passphrase in the configuration, under
    /// which the copy is encrypted too.
    ///
    ///     let copy = try DatabaseQueue.inMemoryCopy(fromPath: "fixture.sqlite")
    ///
    /// - Parameters:
    ///   - path: The path of the file to copy.
    ///   - configuration: With `readonly` the copy refuses writes.
    /// - Throws: `SQLITE_CANTOPEN` when there is no such file; `SQLITE_NOTADB` when its key is wrong
    ///   or missing.
    public static func inMemoryCopy(
        fromPath path: String, configuration: Configuration = Configuration()
    ) throws -> DatabaseQueue {
        try copy(of: path, to: ":memory:", configuration)
    }

    /// Copies a file into a temporary database without a name, which goes when it closes.
    ///
    /// It is in memory where SQLCipher is built to keep temporary databases there, as Debian's is;
    /// elsewhere its pages go to a nameless file, encrypted if those of the file are.
    /// <https://www.sqlite.org/inmemorydb.html#temporary_databases>
    ///
    ///     let copy = try DatabaseQueue.temporaryCopy(fromPath: "fixture.sqlite")
    ///
    /// - Parameters:
    ///   - path: The path of the file to copy.
    ///   - configuration: With `readonly` the copy refuses writes.
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
