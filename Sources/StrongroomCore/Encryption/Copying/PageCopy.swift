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

    /// What of the source could not be read.
    func notices() throws -> [String] { try committed.notices() }

    /// Lets go of the state of the source.
    func close() throws {
        try committed.close()
    }

    /// Nobody makes the file shorter while its state is held: its end was missing before.
    func refusingCutPages<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            let cause = (error as? DatabaseFileError)?.underlying ?? error
            guard let cause = cause as? DatabaseError,
                cause.extendedResultCode == .SQLITE_IOERR_SHORT_READ
            else { throw error }
            throw DatabaseFileError(
                .damaged, source.path, "\(source.path) is damaged: its end is missing",
                hint: "restore a backup, or recover what can be read with salvage(to:)",
                underlying: cause)
        }
    }

    /// Both are read by the page codec that has copied the pages: SQLCipher has authenticated all of
    /// the copy, and takes several times as long to read it. Rows are counted in the copy alone, while its structure is
    /// checked: page by page it is what the source is.
    func run(_ temporary: FileReplacement.Temporary) throws -> VerifiedCopy.Result {
        let copyFile = destination.filled(in: temporary)
        let (fileSystem, descriptor) = (destination.fileSystem, temporary.descriptor)
        let copyPages = PageSource(
            byteCount: committed.pages.byteCount, pageSize: committed.pageSize
        ) { try fileSystem.readAll(descriptor, $0, at: $1) }
        var counted: CountedContent?
        var structure: StructureCheck?
        defer { counted?.abandon() }
        return try pages.run(in: temporary) {
            counted = CountedContent(of: copyFile, copyPages, key: pages.newKey, operation)
            structure = try? ClearConnection(to: copyPages, of: copyFile, key: pages.newKey).run {
                try StructureCheck(of: $0, quick: true, operation)
            }
        } examine: { copy in
            try operation.check()
            let original = try original()
            try destination.requireSound(
                structure ?? StructureCheck(of: copy, quick: true, operation))
            let copied =
                try counted?.wait(or: copy, operation)
                ?? DatabaseContent(of: copy, operation: operation)
            return try VerifiedCopy.Result(of: copy, copied, equalTo: original, destination)
        }
    }

    /// An error is about the source, not about the copy.
    private func original() throws -> DatabaseContent {
        do {
            return try DatabaseContent(
                of: committed.database, operation: operation, countsRows: false)
        } catch let error as DatabaseError where !operation.isStopped {
            throw source.explain(error)
        }
    }
}
