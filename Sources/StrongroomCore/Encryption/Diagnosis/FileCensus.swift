/// The diagnosis of a file of which at least one page is opened by a key.
struct FileCensus {
    let examination: FileExamination
    let keys: [CipherKey]
    let finding: KeyTrial.Finding
    let log: LogFile?
    /// The log that has every page that is looked at.
    var logInView: LogFile?
    /// The first 16 bytes, where they are the salt.
    let fileSalt: CipherSalt?

    /// More damaged pages than these are not read a second time.
    private static let reconsideredCount = 10_000

    private var settings: CipherSettings { finding.key.settings }

    func run(_ diagnosis: inout DatabaseDiagnosis) throws -> DiagnosedFile {
        let pages = PageSource(
            byteCount: examination.byteCount, pageSize: settings.pageSize, read: examination.read)
        diagnosis.pageSize = settings.pageSize
        diagnosis.pageCount = Int(pages.pageCount)
        diagnosis.isAuthenticated = settings.authentication != .absent && !finding.isSaltLost
        noteSettings(&diagnosis)
        if finding.isSaltLost {
            explainLostSalt(&diagnosis)
            let clear = try DecryptedPages(
                pages, keys: [finding.key], log: nil, believesAll: true, examination.file.fileSystem
            )
            let header = try clear.page(1)?.withUnsafeBytes { DatabaseHeader($0) }
            diagnosis.expectedPageCount = header?.pageCount.map(Int.init)
            if let expected = header?.pageCount, expected > pages.pageCount {
                diagnosis.missingPages = [Int(pages.pageCount) + 1...Int(expected)]
                diagnosis.notes.append("its end is also missing")
            }
            return DiagnosedFile(
                pages: pages, keys: [finding.key], log: nil, believesAll: true,
                isWhole: diagnosis.missingPages.isEmpty,
                fileSystem: examination.file.fileSystem)
        }
        let pageKeys = try pageKeys()
        let census = try takeCensus(pages, pageKeys)
        diagnosis.pagesOfKeys = census.pageCounts
        var findings = FileFindings(path: examination.file.path, census: census, pages: pages)
        findings.isSaltDamaged = isSaltDamaged
        if log == nil {
            findings.strangeLog = LogFile.problem(
                of: try examination.file.fileSystem.resolve(examination.file.path) + "-wal",
                examination.file.fileSystem)
        }
        try examine(pages, pageKeys, census, &findings, &diagnosis)
        findings.conclude(&diagnosis)
        let isWhole = diagnosis.damagedPages.isEmpty && diagnosis.missingPages.isEmpty
        return DiagnosedFile(
            pages: pages, keys: pageKeys, log: findings.log == .ours ? log : nil,
            isWhole: isWhole && (pages.trailingByteCount == 0 || !findings.isCut),
            fileSystem: examination.file.fileSystem)
    }

    /// The number of the key of the file itself is 0, if it has one.
    private func pageKeys() throws -> [PageKey] {
        try keys.enumerated().map { number, key in
            if number == finding.keyNumber { return finding.key }
            return try PageKey(key, fileSalt: key.salt ?? finding.salt, settings: settings)
        }
    }

    private func takeCensus(_ pages: PageSource, _ keys: [PageKey]) throws -> PageCensus {
        try examination.operation.begin(.checking, totalByteCount: pages.byteCount)
        var census = try pages.census(
            with: keys, threads: examination.threads,
            progress: examination.operation.advance(pageSize: pages.pageSize))
        guard census.damaged.count <= Self.reconsideredCount else { return census }
        let codecs = try PageCodecs(keys)
        var bytes = [UInt8](repeating: 0, count: pages.pageSize)
        try census.reconsider { number in
            try bytes.withUnsafeMutableBytes { buffer in
                try pages.readPage(number, to: buffer)
                return try codecs.verdict(on: UnsafeRawBufferPointer(buffer), number: number)
                    == .damaged
            }
        }
        return census
    }

    // MARK: - Salt and settings

    private var isSaltDamaged: Bool {
        fileSalt != nil && settings.hasSaltInFile && fileSalt != finding.key.salt
    }

    private func explainLostSalt(_ diagnosis: inout DatabaseDiagnosis) {
        diagnosis.verdict = .damagedSalt
        diagnosis.summary =
            "the key is right, but the salt at the beginning of \(examination.file.path) is damaged"
        diagnosis.notes.append(
            "without the salt, no page can be verified; page 1 was decrypted with the raw key")
    }

    private func noteSettings(_ diagnosis: inout DatabaseDiagnosis) {
        let prepared = examination.file.prepared().settings
        guard settings != prepared else { return }
        // For a raw key, derivations that differ in iterations alone are the same.
        let isRaw = keys[finding.keyNumber].form != .passphrase
        // A salt that was named for a damaged one says nothing of a plaintext header.
        if settings.hasSaltInFile, !prepared.hasSaltInFile,
            settings.hasSameLayout(as: .version(.v4)),
            isRaw || settings.kdfIterations == prepared.kdfIterations
        {
            return
        }
        if isRaw, settings.hasSameLayout(as: prepared) { return }
        diagnosis.settings = settings.shortPragmas(salt: finding.key.salt, isRaw: isRaw)
        let key = keys[finding.keyNumber]
        let isFound =
            settings.authentication != .absent
            && (isRaw || KeyTrial.isUsual(settings.kdfIterations))
            && (settings.hasSaltInFile || key.salt != nil)
        diagnosis.settingsWords = isFound ? "" : settings.words(salt: finding.key.salt)
    }

    // MARK: - Page 1, the log, and what is missing

    /// Why connections refuse what lies next to the file, if they do: as they find it themselves.
    private func companionProblem(
        _ pages: PageSource, _ keys: [PageKey]
    ) throws -> (path: String, text: String, isDamaged: Bool)? {
        let file = examination.file
        guard !examination.isUndone,
            let files = CompanionFiles(of: try file.fileSystem.resolve(file.path), file.fileSystem)
        else { return nil }
        var problem: (path: String, text: String, isDamaged: Bool)?
        for key in keys where key.settings.pageSize == pages.pageSize {
            var first = [UInt8](repeating: 0, count: pages.pageSize)
            _ = try first.withUnsafeMutableBytes { try pages.read($0, 0) }
            let check = try CompanionCheck(
                files, key: key, firstPage: first, fileByteCount: pages.byteCount
            ) { false }
            switch try check.verdict() {
            case .refused(let path, let reason):
                let text = "\(path) does not belong to \(file.path): \(reason)"
                problem = problem ?? (path, text, false)
            case .damaged(let path, let reason):
                problem = problem ?? (path, "\(path) is damaged: \(reason)", true)
            case .ours, .keyUnproven: return nil
            }
        }
        return problem
    }

    private func note(
        _ log: LogFile, _ keys: [PageKey], _ findings: inout FileFindings
    ) throws {
        findings.damagedFrame = try log.damagedFrame(
            under: keys, examination.file.fileSystem)
        findings.endsInTornFrame = log.endsInTornFrame
        findings.unfinishedFrameCount = log.unfinishedFrameCount
    }

    private func examine(
        _ pages: PageSource, _ keys: [PageKey], _ census: PageCensus,
        _ findings: inout FileFindings,
        _ diagnosis: inout DatabaseDiagnosis
    ) throws {
        var isLogOurs = false
        if let log {
            let owner = LogOwner(
                log: log, keys: keys, usedKeys: census.usedKeys,
                hasSaltOfFile: try fileSalt != nil && examination.salt(in: log) == fileSalt,
                fileSystem: examination.file.fileSystem)
            findings.log = try owner.verdict()
            isLogOurs = findings.log == .ours
            diagnosis.log = log.summary
            diagnosis.log?.isOfThisFile = isLogOurs
        }
        if let log = log ?? logInView { try note(log, keys, &findings) }
        findings.hasJournal = try !examination.isUndone && examination.file.hasHotJournal()
        let refused = try companionProblem(pages, keys)
        findings.companionProblem = refused?.text
        findings.refusesJournal = refused?.path.hasSuffix("-journal") ?? false
        findings.isJournalDamaged = refused?.isDamaged ?? false
        let database = try DecryptedPages(
            pages, keys: keys, log: isLogOurs ? log : nil, examination.file.fileSystem)
        if isLogOurs, let log { findings.expectedPageCount = log.pageCount }
        if let header = try database.page(1) {
            if findings.expectedPageCount == nil {
                findings.expectedPageCount =
                    header.withUnsafeBytes { DatabaseHeader($0) }?.pageCount
            }
            let free = try FreePages(of: database, header: header)
            findings.blankInUse = census.blank.filter {
                !free.pages.contains($0) && !database.isInLog($0)
                    && $0 <= findings.expectedPageCount ?? .max
            }
        } else {
            findings.blankInUse = census.blank
        }
        findings.damaged = census.damaged.filter { !database.isInLog($0) }
        findings.damagedUnderLog = census.damaged.count - findings.damaged.count
        findings.findMissing(butFor: database.pagesBehindFile)
    }
}
