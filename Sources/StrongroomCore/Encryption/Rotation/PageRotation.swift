/// Writes the pages of a database that nobody else can use under another key, page by page, and
/// has SQLCipher verify what was written.
struct PageRotation {
    /// Holds the file exclusively; its log is empty.
    let source: Database
    let file: DatabaseFile
    let newKey: CipherKey
    let threads: Int
    let operation: LongOperation

    let pages: PageSource
    let oldPageKey: PageKey
    let newPageKey: PageKey
    /// What a connection without settings of its own needs besides the key.
    private let adoptedSettings: [String]

    /// Nil where the page codec does not know the settings of the file, or where a change of
    /// settings changes the layout of its pages.
    init?(
        of source: Database, _ file: DatabaseFile, key: CipherKey, to newKey: CipherKey,
        changing change: CipherChange? = nil, threads: Int, _ operation: LongOperation
    ) throws {
        self.source = source
        self.file = file
        self.newKey = newKey
        self.threads = threads
        self.operation = operation
        guard let settings = try? source.cipherSettings(),
            let salt = try Self.salt(of: source),
            let rawFile = try source.withHandle({ $0.rawFile() })
        else { return nil }
        pages = PageSource(
            byteCount: rawFile.byteCount, pageSize: settings.pageSize, read: rawFile.read)
        oldPageKey = try PageKey(key, fileSalt: salt, settings: settings)
        guard let header = try Self.header(of: pages, oldPageKey) else { return nil }
        // With a plaintext header the salt is not in the file: whoever keeps it goes on using it.
        let newSalt = settings.hasSaltInFile ? try CipherSalt.random() : salt
        let newSettings = try change?.settings(after: settings) ?? settings
        // Another layout: through SQLite.
        guard newSettings.pageSize == settings.pageSize,
            newSettings.reserveByteCount <= header.reserveByteCount
        else { return nil }
        newPageKey = try PageKey(newKey, fileSalt: newSalt, settings: newSettings)
        if change != nil {
            adoptedSettings = newSettings.pragmas(salt: newKey.salt ?? newSalt)
        } else if file.configuration.setups.isEmpty {
            adoptedSettings = try source.withHandle { handle throws(DatabaseError) in
                try handle.cipherSettings()
            }
        } else {
            adoptedSettings = []
        }
    }

    static func salt(of source: Database) throws -> CipherSalt? {
        try source.withHandle { handle throws(DatabaseError) in
            try handle.keyParameters().flatMap { CipherSalt($0.salt) }
        }
    }

    /// The settings of the listing are not all that there are.
    private static func header(of pages: PageSource, _ key: PageKey) throws -> DatabaseHeader? {
        let page = UnsafeMutableRawBufferPointer.allocate(
            byteCount: pages.pageSize, alignment: 16)
        defer {
            SecretBytes.wipe(page)
            page.deallocate()
        }
        try pages.readPage(1, to: page)
        var codec = try PageCodec(key)
        let verdict = try codec.verdict(on: UnsafeRawBufferPointer(page), number: 1)
        guard verdict == .authentic || verdict == .unprotected else { return nil }
        try codec.decrypt(page, number: 1)
        return DatabaseHeader(UnsafeRawBufferPointer(page))
    }

    /// Writes, brings to the disk, and verifies.
    func run(_ temporary: FileReplacement.Temporary) throws -> RotationReport {
        var rotated = file
        rotated.key = newKey
        let copying = ReencryptedCopy(
            pages: pages, oldKey: oldPageKey, newKey: newPageKey, source: file,
            destination: rotated, adoptedSettings: adoptedSettings, threads: threads,
            operation: operation)
        try copying.run(in: temporary, examine: verify)
        return RotationReport(
            pageCount: Int(pages.pageCount), pageSize: pages.pageSize, removedLeftoverCount: 0)
    }

    private func verify(_ copy: Database) throws {
        if newPageKey.settings.authentication == .absent {
            // Nothing but the structure shows then that pages are what they were.
            try file.requireSound(StructureCheck(of: copy, quick: true, operation))
        }
        for sql in ["PRAGMA page_count", "PRAGMA freelist_count", "PRAGMA schema_version"] {
            guard try copy.number(sql) == source.number(sql) else {
                throw file.unverified("\(sql.dropFirst(7)) differs")
            }
        }
        let content = try DatabaseContent(of: source, operation: operation, countsRows: false)
        let copied = try DatabaseContent(of: copy, operation: operation, countsRows: false)
        if let difference = copied.difference(from: content) {
            throw file.unverified(difference)
        }
    }
}
