/// Authenticates a log and a journal under the key of the database next to which they lie, before
/// SQLite plays them back.
///
/// 1. Nothing is written and nothing is locked. What changes meanwhile is looked at again.
/// 2. A frame counts if its page is the last of its number in a committed transaction; a record of a
///    journal, if SQLite would play it back.
/// 3. Of a long log, ``sampleCount`` pages all over it are authenticated. If one of them is not
///    authentic, or if the log was cut by a crash, every page that counts is.
/// 4. A log of another state of the same database is authentic. An older one is refused where the size or the
///    schema shows it (`Age`), a newer one if the file lacks pages; what shows it nowhere cannot be told.
struct CompanionCheck {
    enum Verdict: Equatable {
        /// Whatever lies there is the database's own.
        case ours
        /// Neither the file nor what lies next to it was written with the key.
        case keyUnproven
        /// The file at the path is not the database's own, for the reason.
        case refused(String, String)
        /// The file at the path is the database's own, and a part of it is missing or changed.
        case damaged(String, String)
    }

    /// How many pages of a log are authenticated at most, unless something is wrong with it: 8 MB at
    /// the usual size of pages, which takes a tenth of the time in which SQLite reads a log of 64 MB.
    static let sampleCount = 2048
    private static let batchCount = 64
    private static let changedPages = "pages in it are not what was written"
    private static let noRecords = "it ends before the pages that it should hold"
    private static let noPage = "none of its pages was written with the key of this database"

    let files: CompanionFiles
    /// The first page of the file, as it lies there.
    let firstPage: [UInt8]
    let fileByteCount: Int64
    /// Whether a transaction is being written, so that a journal is not for this connection to play
    /// back.
    let isReserved: () -> Bool
    private let pages: Pages

    init(
        _ files: CompanionFiles, key: PageKey, firstPage: [UInt8], fileByteCount: Int64,
        isReserved: @escaping () -> Bool
    ) throws(DatabaseError) {
        self.files = files
        self.firstPage = firstPage
        self.fileByteCount = fileByteCount
        self.isReserved = isReserved
        pages = try Pages(key)
    }

    func verdict() throws -> Verdict {
        let log = try files.settled(files.log) { try onLog() }
        let journal = try files.settled(files.journal) { try onJournal() }
        guard log != .nothing || journal != .nothing else { return .ours }
        let isProven = try pages.prove(firstPage)
        guard isProven || log.provesKey || journal.provesKey else { return .keyUnproven }
        for (path, finding) in [(files.log, log), (files.journal, journal)] {
            switch finding {
            case .nothing, .ours: break
            case .otherKey: return .keyUnproven
            // With another plaintext header than the file's, page 1 alone is not authentic, here and there.
            case .otherFirstPage:
                return isProven ? .refused(path, Self.changedPages) : .keyUnproven
            case .foreign(let reason), .unusable(let reason), .wrong(let reason):
                return .refused(path, reason)
            case .cut(let reason, _): return .damaged(path, reason)
            }
        }
        return .ours
    }

    private var pageSize: Int { pages.pageSize }
}

// MARK: - A log

extension CompanionCheck {
    private func onLog() throws -> CompanionFiles.Finding {
        guard let descriptor = try files.fileSystem.openIfPresent(files.log) else {
            return .nothing
        }
        defer { files.fileSystem.close(descriptor) }
        let status = try files.fileSystem.descriptorStatus(descriptor)
        guard status.kind == .file, status.byteCount > 0 else { return .nothing }
        let bytes = try files.fileSystem.bytes(LogFile.headerByteCount, of: descriptor, at: 0)
        guard let header = LogFile.Header(bytes) else {
            // A loss of power can leave zeros, where SQLite finds no log.
            return bytes.allSatisfy { $0 == 0 } ? .nothing : .unusable("it is no log of SQLite's")
        }
        let sketch = try LogSketch(header, descriptor, status.byteCount, files.fileSystem)
        guard !sketch.frames.isEmpty else { return .nothing }
        guard header.pageSize == pageSize else {
            return try LogFile(files.log, files.fileSystem)?.commitCount ?? 0 == 0
                ? .nothing : .foreign("its pages have another size")
        }
        let places = sketch.sample(Self.sampleCount).map { (number: $0.page, offset: $0.offset) }
        let count = try authenticCount(of: places, in: descriptor)
        if count == places.count {
            let first = sketch.frames.first { $0.page == 1 }?.offset
            let finding = try age(
                of: first, pageCount: sketch.pageCount, isComplete: sketch.isComplete, descriptor)
            // What lies behind a gap is older, and does not count.
            guard finding == .ours else { return try onWholeLog(descriptor) }
            return try missingPages(header, descriptor).map {
                .wrong(
                    "it belongs to a later state of the database: pages \($0.lowerBound) to \($0.upperBound) "
                        + "are in neither of them")
            } ?? .ours
        }
        // The key may well be wrong.
        if count == 0, try !pages.prove(firstPage) { return .foreign(Self.noPage) }
        return try onWholeLog(descriptor)
    }

    /// The log frame by frame, as SQLite reads it.
    private func onWholeLog(
        _ descriptor: FileSystem.Descriptor
    ) throws -> CompanionFiles.Finding {
        guard let log = try LogFile(files.log, files.fileSystem), log.committedFrameCount > 0 else {
            return .nothing
        }
        let places = log.offsets.map { (number: $0.key, offset: $0.value) }.sorted {
            $0.offset < $1.offset
        }
        let count = try authenticCount(of: places, in: descriptor)
        if count == places.count {
            return try age(
                of: log.offsets[1], pageCount: log.pageCount, isComplete: log.isComplete, descriptor
            )
        }
        guard count == 0 else { return try changed(places, count, in: descriptor) }
        guard log.isComplete, let first = log.offsets[1],
            try files.fileSystem.bytes(CipherSalt.byteCount, of: descriptor, at: first)
                == Array(firstPage.prefix(CipherSalt.byteCount))
        else { return .foreign(Self.noPage) }
        return .otherKey
    }

    /// Whether a log, all of whose pages have the key, is older than the file.
    ///
    /// - Parameters:
    ///   - offset: Where its first page is, if it has one.
    ///   - pageCount: How many pages the database has after its last commit.
    private func age(
        of offset: Int64?, pageCount: UInt32, isComplete: Bool,
        _ descriptor: FileSystem.Descriptor
    ) throws -> CompanionFiles.Finding {
        let stored = try pages.age(of: firstPage)
        var isOlder = false
        if let offset {
            let page = try files.fileSystem.bytes(pageSize, of: descriptor, at: offset)
            // Without HMACs, this alone shows another key.
            guard let logged = try pages.age(of: page) else { return .foreign(Self.noPage) }
            isOlder = stored.map { logged.schema < $0.schema } ?? false
        }
        if let stored, !isComplete, !stored.shrinks, pageCount < stored.pageCount { isOlder = true }
        return isOlder
            ? .wrong("it is older than the database: it belongs to an earlier state of it") : .ours
    }

    /// What it is of which not all pages are as they were written.
    private func changed(
        _ places: [(number: UInt32, offset: Int64)], _ count: Int,
        in descriptor: FileSystem.Descriptor
    ) throws -> CompanionFiles.Finding {
        let others = places.filter { $0.number != 1 }
        let isFirstAlone =
            try count == places.count - 1 && others.count == count
            && authenticCount(of: others, in: descriptor) == count
        return isFirstAlone ? .otherFirstPage : .wrong(Self.changedPages)
    }

    private func authenticCount(
        of places: [(number: UInt32, offset: Int64)], in descriptor: FileSystem.Descriptor
    ) throws -> Int {
        let fileSystem = files.fileSystem
        return try pages.authenticCount(of: places, in: Self.batchCount) { buffer, offset in
            try fileSystem.readAll(descriptor, buffer, at: offset)
        }
    }
}

// MARK: - A journal

extension CompanionCheck {
    private func onJournal() throws -> CompanionFiles.Finding {
        guard let descriptor = try files.fileSystem.openIfPresent(files.journal) else {
            return .nothing
        }
        defer { files.fileSystem.close(descriptor) }
        let start = try files.fileSystem.bytes(JournalFile.magic.count, of: descriptor, at: 0)
        // SQLite takes a journal that begins with a zero for one that has been played back.
        guard let first = start.first, first != 0, !isReserved() else { return .nothing }
        let isJournal = start == JournalFile.magic
        guard isJournal,
            let journal = try JournalFile(
                files.journal, databasePageSize: pageSize, files.fileSystem)
        else {
            let size = try files.fileSystem.descriptorStatus(descriptor).byteCount
            // A crash while its first bytes were written: the database was not yet touched.
            if isJournal, size < 512 {
                let start = try files.fileSystem.bytes(28, of: descriptor, at: 0)
                return JournalFile.isCut(start) ? .cut(Self.noRecords, provesKey: false) : .nothing
            }
            return isReserved() ? .nothing : .unusable("it is no journal of SQLite's")
        }
        let finding = try finding(on: journal, descriptor)
        // A writer may have begun since.
        return isReserved() ? .nothing : finding
    }

    private func finding(
        on journal: JournalFile, _ descriptor: FileSystem.Descriptor
    ) throws -> CompanionFiles.Finding {
        guard journal.pageSize == pageSize else { return .foreign("its pages have another size") }
        guard !journal.offsets.isEmpty else {
            if let problem = journal.problem { return .cut(problem, provesKey: false) }
            return try findingWithoutPages(journal)
        }
        let stored = journal.offsets.map { (number: $0.key, offset: $0.value) }
        let places = (stored + journal.passedOver).sorted { $0.offset < $1.offset }
        let count = try authenticCount(of: places, in: descriptor)
        if count == 0 { return .foreign(Self.noPage) }
        if let problem = journal.problem { return .cut(problem, provesKey: true) }
        guard count == places.count else { return try changed(places, count, in: descriptor) }
        guard let first = journal.offsets[1] else { return .ours }
        let page = try files.fileSystem.bytes(pageSize, of: descriptor, at: first)
        // With another salt in it, the database would not open any more.
        if pages.hasSaltInFile, !firstPage.starts(with: page.prefix(CipherSalt.byteCount)) {
            return .wrong("its first page has another salt")
        }
        guard let kept = try pages.age(of: page) else { return .foreign(Self.noPage) }
        if let stored = try pages.age(of: firstPage), stored.schema < kept.schema {
            return .wrong(
                "it is newer than the database file, which is an earlier state of the database")
        }
        return .ours
    }

    /// A journal without pages still says how many pages the database had, and SQLite cuts it to
    /// them.
    ///
    /// Before it has pages, nothing is written to the database; but for the transaction that creates
    /// it, which finds no page to keep. Until its next commit the counter in its header is 1.
    private func findingWithoutPages(_ journal: JournalFile) throws -> CompanionFiles.Finding {
        let pageCount = fileByteCount / Int64(pageSize)
        if journal.pageCount == pageCount { return .ours }
        let isNew = try pages.changeCounter(in: firstPage).map { $0 == 1 } ?? true
        if journal.pageCount == 0, isNew { return .ours }
        return .foreign(
            "according to it, the database had \(journal.pageCount) pages, but it has none of them")
    }
}
