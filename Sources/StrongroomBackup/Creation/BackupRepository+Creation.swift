public import StrongroomCore
internal import StrongroomEssentials
import StrongroomKeyrings
internal import Synchronization

extension BackupRepository {
    /// Stores the current committed state: the pages that changed since the last backup.
    ///
    /// If there is no backup with the same key and salt, it stores all pages.
    ///
    /// With a write-ahead log, other connections can read and write during the backup; with a
    /// rollback journal, writers wait. Pages are stored in their encrypted form.
    ///
    /// It builds on the last kept backup of the same key, if that key has sealed its manifest. It
    /// verifies each node of that backup's tree, the size and the table of each pack, the newest
    /// packs completely, and a 64th of the older ones, in turn. If it finds a damaged page, it
    /// stores the page again, and adds a notice to ``Backup/notices``.
    ///
    /// If file and log have not changed since this host's last backup, it reads no page, unless
    /// ``readsUnchangedFiles`` is set: the new backup has the pages of that one.
    ///
    /// If the repository has only backups of another database, it throws, unless
    /// ``takesOtherDatabases`` is set.
    ///
    /// - Parameters:
    ///   - file: The database and its key. Unusual cipher settings are detected if its
    ///     `configuration` prepares nothing.
    ///   - tag: Your label for the backup.
    ///   - authenticating: Whether each page is authenticated with the key before it is stored. If
    ///     false, a first backup takes half the time, or three quarters if pages are hashed in
    ///     parallel. The key then only has to open the database: a damaged page is stored, and
    ///     found only when you verify or restore with the key.
    ///   - full: Stores every page, and depends on no other backup. Use it if other backups are
    ///     damaged.
    ///   - authority: How the key gets the right to sign the repository, if another key signed it
    ///     so far.
    ///   - threads: How many threads read in parallel; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``BackupError``, `DatabaseFileError`, or what `progress` throws; the repository is
    ///   then unchanged.
    @discardableResult
    public func backUp(
        _ file: DatabaseFile, tag: String? = nil, authenticating: Bool = true, full: Bool = false,
        authority: BackupAuthority = .known, threads: Int? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> Backup {
        try LongOperation.run(progress) { operation in
            try opened(operation) { repository in
                try repository.withWriterLock(operation) { head in
                    // Of many packs, the list takes as long as the rest.
                    let packs = PackListing(repository.folders.packs)
                    try operation.begin(.preparing)
                    let date = now()
                    let source = try committedPages(of: file, operation)
                    defer { try? source.close() }
                    let notices = try repository.clearLeftovers(head, packs.names())
                    try source.requireIntactBeginning(path, authenticating, operation)
                    let key = try BackupKey(source.key)
                    let name = file.path.splitAtLastSlash.name
                    let changes = try repository.requireKnownDatabase(file, source, key, head)
                    let summary = repository.summaryIfNeeded(head)
                    let ring = try repository.keyringToStore(
                        of: file, key, source.key, authority, head, summary,
                        unlockingWith: unlockers)
                    try repository.requireNotCreatedAnew(file, source, key, ring, head, summary)
                    try repository.authorise(
                        key, of: file.key, try authority.orKeys(of: ring.keyring, source.key),
                        &head, unlockingWith: ring.keyring == nil ? [] : unlockers)
                    let creation = try Creation(
                        repository, head, source, key, operation, authenticating: authenticating,
                        isFull: full, threads: threads ?? ThreadCount.usual)
                    let doubts = try repository.doubtsOfCopy(
                        file.path, source, since: creation.base.last(of: key))
                    var backup = try creation.run(
                        &head, date: date, tag: tag, name: name, ring.stored)
                    backup.notices = notices + changes + ring.notices + doubts + backup.notices
                    backup.notices += repository.remember(
                        source: creation.source(of: backup, at: date),
                        chain: try? repository.summary(
                            after: summary, backup, packNames: creation.packs.names),
                        database: file.path)
                    if let damage = creation.base.damage { repository.remember(damage: damage) }
                    return backup
                }
            }
        }
    }
}

/// One backup in the making.
private struct Creation {
    let repository: OpenRepository
    let source: CommittedPages
    let operation: LongOperation
    let authenticating: Bool
    let threads: Int
    let key: BackupKey
    let base: BaseBackup
    let packs: PackWriter

    init(
        _ repository: OpenRepository, _ head: Head, _ source: CommittedPages, _ key: BackupKey,
        _ operation: LongOperation, authenticating: Bool, isFull: Bool, threads: Int
    ) throws {
        self.repository = repository
        self.source = source
        self.operation = operation
        self.authenticating = authenticating
        self.threads = threads
        self.key = key
        base = try BaseBackup(
            in: repository, head, key, Manifest.Cipher(source.settings, salt: source.key.salt),
            isFull: isFull)
        packs = try PackWriter(repository.folders, firstNumber: head.nextPack)
    }

    /// What is to be remembered of the database; nil if it could change and still seem the same.
    func source(of backup: Backup, at date: Date) -> BackupMemory.Entry.Source? {
        let time = Int64(exactly: (date.timeIntervalSince1970 * 1e9).rounded()) ?? 0
        guard source.footprint.isSettled(at: time) else { return nil }
        return BackupMemory.Entry.Source(
            manifest: backup.hash, footprint: source.footprint.digest.hexadecimal)
    }

    func run(
        _ head: inout Head, date: Date, tag: String?, name: String, _ keyring: Keyring?
    ) throws -> Backup {
        do {
            let keyringHash = try keyring.map { try repository.store($0) }
            try operation.begin(.storing, totalByteCount: source.pages.byteCount)
            let root = try unchangedRoot() ?? storePages()
            try operation.begin(.finishing)
            try packs.finish()
            let totals = packs.totals
            if totals.nextPack > head.nextPack { try repository.folders.packs.synchronize() }
            let manifest = Manifest(
                format: head.format, repository: head.repository, sequence: head.sequence + 1,
                previous: head.manifest, created: WrittenTime.text(of: date), tag: tag,
                database: name, pageCount: source.pageCount,
                cipher: Manifest.Cipher(source.settings, salt: source.key.salt),
                key: key.identifier, keyring: keyringHash,
                schemaVersion: source.numbers["schema_version"] ?? 0,
                userVersion: source.numbers["user_version"] ?? 0,
                applicationID: source.numbers["application_id"] ?? 0,
                root: .init(
                    sha256: root.digest.hexadecimal, pack: root.pack, slot: root.slot),
                base: base.backup?.manifest.sequence, firstPack: head.nextPack,
                packCount: totals.nextPack - head.nextPack, storedPageCount: totals.pageCount,
                storedByteCount: totals.byteCount, rekeyed: nil)
            let notices = try base.notices + source.notices()
            var backup = try repository.commit([manifest], key, packs, &head)[0]
            backup.madeWritersWait = !source.letsWritersGoOn
            backup.notices = notices + base.doubts(of: backup, source)
            if let last = base.last, date < last.date {
                backup.isDatedBack = true
                backup.notices.append(
                    "its date, \(WrittenTime.text(of: date)), is before that of backup "
                        + "\(last.number), \(last.dateText): the clock is wrong, or was")
            }
            return backup
        } catch {
            if !(error is AfterCommit) { packs.discard() }
            throw error
        }
    }
}

// MARK: - Pages

extension Creation {
    /// The root of the last backup's tree, if the database is as it was then, and the tree is whole.
    private func unchangedRoot() throws -> PageReference? {
        guard !repository.readsUnchangedFiles, let last = base.backup, let pages = base.pages,
            last.pageCount == source.pageCount, repository.knows(source.footprint, since: last),
            try pages.areWhole(check: operation.check)
        else { return nil }
        try operation.advance(by: Int(source.pages.byteCount))
        return last.manifest.rootReference
    }

    private func storePages() throws -> PageReference {
        let assembly = Mutex(
            PageTreeAssembly(
                PageTreeWriter(
                    pageCount: source.pageCount, previous: base.pages?.tree, packs: packs)))
        let settings = source.settings
        // Of an increment, too few pages are stored to authenticate them side by side.
        let forManyPages = base.pages == nil
        let zeros = authenticating ? try StoredZeros(source.pages, key: source.key) : nil
        try source.refusingCutPages(repository.path) {
            try source.pages.forEachChunk(
                threads: threads,
                makeState: { [key, authenticating] () -> PageAuthenticator? in
                    guard authenticating else { return nil }
                    return try PageAuthenticator(
                        key: key.bytes, settings: settings, forManyPages: forManyPages)
                }
            ) {
                [pages = base.pages, packs, operation, path = repository.path] authenticator, chunk
                in
                let storing = ChunkStoring(
                    chunk: chunk, base: pages, packs: packs, path: path, zeros: zeros)
                let references = try storing.run(&authenticator)
                try assembly.withLock { try $0.add(references, from: chunk.firstPage) }
                try operation.advance(by: chunk.bytes.count)
            }
        }
        return try assembly.withLock { try $0.finish() }
    }
}

/// Compares the pages of a chunk with those of the backup before, and stores what differs.
private struct ChunkStoring {
    let chunk: PageSource.Chunk
    let base: ReusablePages?
    let packs: PackWriter
    let path: String
    /// Nil where pages are not authenticated.
    let zeros: StoredZeros?

    func run(_ authenticator: inout PageAuthenticator?) throws -> [PageReference] {
        let digests = try ContentDigest.digests(
            ofBlocksIn: UnsafeRawBufferPointer(chunk.bytes), blockByteCount: chunk.pageSize)
        if let page = try zeros?.firstInUse(digests, firstPage: chunk.firstPage) {
            throw BackupError.damagedDatabase(path, page)
        }
        let known = base?.references(to: digests, from: chunk.firstPage) ?? []
        let isKnown = { index in index < known.count && known[index] != nil }
        let pages = chunk.pages
        try authenticate(pages.indices.filter { !isKnown($0) }.map { pages[$0] }, &authenticator)
        var references: [PageReference] = []
        references.reserveCapacity(digests.count)
        while references.count < digests.count {
            let index = references.count
            if index < known.count, let reference = known[index] {
                references.append(reference)
            } else {
                let end = (index..<digests.count).first(where: isKnown) ?? digests.count
                references += try store(index..<end, digests[index..<end])
            }
        }
        return references
    }

    private func authenticate(
        _ pages: [NumberedPage], _ authenticator: inout PageAuthenticator?
    ) throws {
        guard let verdicts = try authenticator?.verdicts(on: pages),
            let index = verdicts.firstIndex(of: .damaged)
        else { return }
        throw BackupError.damagedDatabase(path, pages[index].number)
    }

    /// Pages one after the other.
    private func store(
        _ indexes: Range<Int>, _ digests: ArraySlice<ContentDigest>
    ) throws -> [PageReference] {
        let start = indexes.lowerBound * chunk.pageSize
        let end = indexes.upperBound * chunk.pageSize
        return try packs.append(
            UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(chunk.bytes)[start..<end]),
            digests, page: chunk.firstPage + UInt32(indexes.lowerBound))
    }
}
