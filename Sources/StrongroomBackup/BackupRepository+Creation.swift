internal import Foundation
public import Strongroom
internal import Synchronization

extension BackupRepository {
    /// Stores the state that is committed now: the pages that changed since the last backup.
    ///
    /// Where there is no backup under the same key and salt, all pages are stored.
    ///
    /// Under a write-ahead log, others go on reading and writing meanwhile; under a rollback
    /// journal, writers wait. Pages are stored as they are, encrypted.
    ///
    /// - Parameters:
    ///   - file: The database and its key.
    ///   - tag: A word of yours for the backup.
    ///   - authenticating: Whether each page that is stored is authenticated with the key before.
    ///     Without it a first backup takes about half the processor time, and the key has to open
    ///     the database, no more: a damaged page is stored as it is, and found not now, but when
    ///     somebody verifies or restores with the key.
    ///   - threads: How many read at once; by default one for each processor, up to 4.
    /// - Throws: ``BackupError``, `DatabaseFileError`, or what `progress` throws; the repository is
    ///   then as it was.
    @discardableResult
    public func backUp(
        _ file: DatabaseFile, tag: String? = nil, authenticating: Bool = true,
        threads: Int? = nil, progress: BackupProgress.Handler? = nil
    ) throws -> Backup {
        try Work.run(progress) { work in
            try explaining {
                try withWriterLock(work) { head in
                    try work.begin(.preparing)
                    let date = now()
                    let source = try CommittedPages(of: file)
                    defer { try? source.close() }
                    let creation = try Creation(
                        self, head, source, work, authenticating: authenticating,
                        threads: threads ?? Self.usualThreadCount)
                    return try creation.run(
                        &head, date: date, tag: tag, name: file.path.splitAtLastSlash.name)
                }
            }
        }
    }

    static var usualThreadCount: Int {
        min(4, ProcessInfo.processInfo.activeProcessorCount)
    }
}

/// One backup in the making.
private struct Creation {
    let repository: BackupRepository
    let source: CommittedPages
    let work: Work
    let authenticating: Bool
    let threads: Int
    let key: BackupKey
    let base: Backup?
    let previous: PageTree?
    let packs: PackWriter

    init(
        _ repository: BackupRepository, _ head: Head, _ source: CommittedPages, _ work: Work,
        authenticating: Bool, threads: Int
    ) throws {
        self.repository = repository
        self.source = source
        self.work = work
        self.authenticating = authenticating
        self.threads = threads
        let key = try BackupKey(source.key)
        self.key = key
        let cipher = Manifest.Cipher(source.settings, salt: source.key.salt)
        // Another key or salt, or other settings: nothing of the old pages is left.
        base = try repository.kept(head).filter {
            $0.keyIdentifier == key.identifier && $0.manifest.cipher == cipher
        }.max { $0.number < $1.number }
        let store = try PackStore(repository.layout, repository.fileSystem)
        previous = base.flatMap { base in
            base.manifest.rootReference.map {
                PageTree(root: $0, pageCount: base.manifest.pageCount, store: store)
            }
        }
        packs = PackWriter(
            repository.layout, firstNumber: head.nextPack, fileSystem: repository.fileSystem)
    }

    func run(_ head: inout Head, date: Date, tag: String?, name: String) throws -> Backup {
        do {
            try work.begin(.storing, byteCount: source.pages.byteCount)
            let root = try storePages()
            try work.begin(.finishing)
            try packs.finish()
            try repository.fileSystem.synchronizeDirectory(repository.layout.packs)
            let totals = packs.totals
            let manifest = Manifest(
                repository: head.repository, sequence: head.sequence + 1,
                previous: head.manifest, created: ManifestTime.text(of: date), tag: tag,
                database: name, pageCount: source.pageCount,
                cipher: Manifest.Cipher(source.settings, salt: source.key.salt),
                key: key.identifier, schemaVersion: source.numbers["schema_version"] ?? 0,
                userVersion: source.numbers["user_version"] ?? 0,
                applicationID: source.numbers["application_id"] ?? 0,
                root: .init(
                    sha256: root.digest.hexadecimal, pack: root.pack, slot: root.slot),
                base: base?.manifest.sequence, firstPack: head.nextPack,
                packCount: totals.nextPack - head.nextPack, storedPageCount: totals.pageCount,
                storedByteCount: totals.byteCount, rekeyed: nil)
            var backup = try repository.commit(
                [manifest], key, nextPack: totals.nextPack, &head)[0]
            backup.madeWritersWait = !source.letsWritersGoOn
            return backup
        } catch {
            packs.discard()
            throw error
        }
    }
}

extension BackupRepository {
    /// Writes manifests, and then the head: from that instant on the backups are there.
    func commit(
        _ manifests: [Manifest], _ key: BackupKey, nextPack: UInt32, pruned: Set<UInt32>? = nil,
        _ head: inout Head
    ) throws -> [Backup] {
        var next = head
        var backups: [Backup] = []
        for var manifest in manifests {
            manifest.sequence = next.sequence + 1
            manifest.previous = next.manifest
            let bytes = try manifest.encoded(with: key)
            let digest = try bytes.withUnsafeBytes { try ContentDigest(of: $0) }
            let name = Manifest.name(manifest.sequence, digest)
            try write(bytes, to: layout.backups.appendingName(name))
            next.sequence = manifest.sequence
            next.manifest = digest.hexadecimal
            backups.append(Backup(manifest, hash: digest))
        }
        try fileSystem.synchronizeDirectory(layout.backups)
        next.nextPack = nextPack
        if let pruned { next.prunedSet = next.prunedSet.union(pruned) }
        try writeHead(next)
        head = next
        return backups
    }
}

// MARK: - Pages

extension Creation {
    /// What a thread needs for itself.
    private struct State: ~Copyable {
        var hasher: ContentHasher
        /// Nil if pages are stored unseen.
        var authenticator: PageAuthenticator?
    }

    private func storePages() throws -> PageReference {
        let assembly = Mutex(
            PageTreeAssembly(
                PageTreeWriter(pageCount: source.pageCount, previous: previous, packs: packs)))
        let settings = source.settings
        try source.pages.forEachChunk(
            threads: threads,
            makeState: { [key, authenticating] in
                try State(
                    hasher: ContentHasher(),
                    authenticator: authenticating
                        ? PageAuthenticator(key: key.bytes, settings: settings) : nil)
            }
        ) { [previous, packs, work, path = repository.path] state, chunk in
            let known =
                try previous?.references(from: chunk.firstPage, count: chunk.pageCount) ?? []
            let stored = ChunkStoring(chunk: chunk, known: known, packs: packs, path: path)
            let references = try stored.run(&state.hasher, &state.authenticator)
            try assembly.withLock { try $0.add(references, from: chunk.firstPage) }
            try work.advance(by: chunk.bytes.count)
        }
        return try assembly.withLock { try $0.finish() }
    }
}

/// Compares the pages of a chunk with those of the backup before, and stores what differs.
private struct ChunkStoring {
    let chunk: PageFile.Chunk
    let known: [PageReference]
    let packs: PackWriter
    let path: String

    func run(
        _ hasher: inout ContentHasher, _ authenticator: inout PageAuthenticator?
    ) throws -> [PageReference] {
        var references: [PageReference] = []
        references.reserveCapacity(chunk.pageCount)
        var run: [ContentDigest] = []
        for index in 0..<chunk.pageCount {
            let bytes = page(index..<(index + 1))
            let digest = try hasher.digest(of: bytes)
            if index < known.count, known[index].digest == digest {
                try store(&run, before: index, &references)
                references.append(known[index])
            } else {
                try authenticate(bytes, index, &authenticator)
                run.append(digest)
            }
        }
        try store(&run, before: chunk.pageCount, &references)
        return references
    }

    private func page(_ indexes: Range<Int>) -> UnsafeRawBufferPointer {
        let start = indexes.lowerBound * chunk.pageSize
        let end = indexes.upperBound * chunk.pageSize
        return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(chunk.bytes)[start..<end])
    }

    private func authenticate(
        _ bytes: UnsafeRawBufferPointer, _ index: Int, _ authenticator: inout PageAuthenticator?
    ) throws {
        let number = chunk.firstPage + UInt32(index)
        guard try authenticator?.verdict(on: bytes, number: number) == .damaged else { return }
        throw BackupError(
            .damaged, path, "page \(number) of the database is damaged: nothing was backed up",
            hint: "strongroom check tells what is damaged; the backups made before are as they were"
        )
    }

    private func store(
        _ run: inout [ContentDigest], before index: Int, _ references: inout [PageReference]
    ) throws {
        guard !run.isEmpty else { return }
        let first = index - run.count
        references += try packs.append(
            page(first..<index), run, page: chunk.firstPage + UInt32(first))
        run.removeAll(keepingCapacity: true)
    }
}
