/// Copies one state of an encrypted database into another encrypted file whose pages have the same
/// layout: page by page, under another key and another salt.
struct PageCopy {
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

    func run(_ temporary: FileReplacement.Temporary) throws -> VerifiedCopy.Result {
        let content = try DatabaseContent(of: committed.database, operation: operation)
        return try pages.run(in: temporary) { copy in
            try destination.requireSound(StructureCheck(of: copy, quick: true, operation))
            return try VerifiedCopy.Result(of: copy, equalTo: content, destination, operation)
        }
    }
}
