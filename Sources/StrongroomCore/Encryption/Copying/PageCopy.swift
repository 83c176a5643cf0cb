/// Copies one state of an encrypted database into another encrypted file whose pages have the same
/// layout: page by page, under another key and another salt.
struct PageCopy {
    let source: DatabaseFile
    let destination: DatabaseFile
    let operation: LongOperation
    private let committed: CommittedPages
    private let pages: ReencryptedCopy

    /// Nil where the page codec does not know the settings of the source, where the destination has
    /// settings of its own, and where the salt is not in the file, and so not the copy's to choose.
    init?(of source: DatabaseFile, to destination: DatabaseFile, _ operation: LongOperation) throws
    {
        guard source.key != nil, let key = destination.key,
            destination.configuration.setups.isEmpty,
            let committed = try Self.committedPages(of: source, operation)
        else { return nil }
        do {
            guard committed.settings.hasSaltInFile else {
                try committed.close()
                return nil
            }
            pages = ReencryptedCopy(
                pages: committed.pages, oldKey: committed.key,
                newKey: try PageKey(key, fileSalt: .random(), settings: committed.settings),
                source: source, destination: destination,
                adoptedSettings: try committed.database.withHandle { handle throws(DatabaseError) in
                    try handle.cipherSettings()
                },
                threads: ThreadCount.usual, operation: operation)
        } catch {
            try? committed.close()
            throw error
        }
        self.source = source
        self.destination = destination
        self.operation = operation
        self.committed = committed
    }

    private static func committedPages(
        of source: DatabaseFile, _ operation: LongOperation
    ) throws -> CommittedPages? {
        do {
            return try CommittedPages(of: source, asQueried: true, check: operation.check)
        } catch let error as DatabaseFileError where error.underlying is CipherSettingsError {
            return nil
        }
    }

    /// Lets go of the state of the source.
    func close() throws {
        try committed.close()
    }

    /// Both are read by the page codec that has copied the pages: SQLCipher has authenticated all of
    /// the copy, and takes several times as long to read it.
    func run(_ temporary: FileReplacement.Temporary) throws -> VerifiedCopy.Result {
        let content = try source.readingClear(
            committed.pages, key: committed.key, or: committed.database, operation
        ) { try DatabaseContent(of: $0, operation: operation) }
        return try pages.run(in: temporary) { copy in
            guard let rawCopy = try copy.withHandle({ $0.rawFile() }) else {
                throw DatabaseError(code: .SQLITE_CANTOPEN)
            }
            let copyPages = PageSource(
                byteCount: rawCopy.byteCount, pageSize: committed.pageSize, read: rawCopy.read)
            return try destination.filled(in: temporary).readingClear(
                copyPages, key: pages.newKey, or: copy, operation
            ) { copy in
                try destination.requireSound(StructureCheck(of: copy, quick: true, operation))
                return try VerifiedCopy.Result(of: copy, equalTo: content, destination, operation)
            }
        }
    }
}
