/// What was found in a file that a key opens, until one verdict is made of it.
struct FileFindings {
    let path: String
    let census: PageCensus
    let pages: PageSource
    var damaged = PageRanges()
    var blankInUse = PageRanges()
    /// Damaged pages for which the log has good ones.
    var damagedUnderLog = 0
    var missing: [ClosedRange<UInt32>] = []
    var expectedPageCount: UInt32?
    var isSaltDamaged = false
    var hasJournal = false
    var log: LogOwner.Verdict?
    var damagedFrame: Int?
    var endsInTornFrame = false
    var unfinishedFrameCount = 0
    /// What stands in place of a log and is none.
    var strangeLog: String?
    /// Why connections refuse a log or a journal that lies there.
    var companionProblem: String?
    /// What they refuse is a journal.
    var refusesJournal = false
    /// It is the file's own, and a part of it is missing or changed.
    var isJournalDamaged = false

    init(path: String, census: PageCensus, pages: PageSource) {
        self.path = path
        self.census = census
        self.pages = pages
    }

    /// Pages that should be there, and are neither in the file nor in the log.
    ///
    /// - Parameter logged: Pages behind the end of the file that the log has, in ascending order.
    mutating func findMissing(butFor logged: [UInt32]) {
        // A journal may have the end of the file, and the right size of it.
        guard let expectedPageCount, expectedPageCount > pages.pageCount, !hasJournal else {
            return
        }
        // Gap by gap: a log or a header may promise four billion pages.
        var last = pages.pageCount
        for page in logged where page <= expectedPageCount {
            if page > last + 1 { missing.append((last + 1)...(page - 1)) }
            last = page
        }
        if last < expectedPageCount { missing.append((last + 1)...expectedPageCount) }
    }

    func conclude(_ diagnosis: inout DatabaseDiagnosis) {
        var bad = damaged
        bad.merge(blankInUse)
        diagnosis.damagedPages = bad.ranges.map { Int($0.lowerBound)...Int($0.upperBound) }
        diagnosis.missingPages = missing.map { Int($0.lowerBound)...Int($0.upperBound) }
        diagnosis.expectedPageCount = expectedPageCount.map(Int.init)
        note(&diagnosis)
        if let logProblem { diagnosis.leftOut.append(logProblem) }
        let (verdict, summary) = verdict(diagnosis)
        diagnosis.verdict = verdict
        diagnosis.summary = summary
        diagnosis.companions = companions
    }

    private var companions: Set<DatabaseDiagnosis.Companion> {
        var all: Set<DatabaseDiagnosis.Companion> = []
        if strangeLog == nil, log == .unknownKey { all.insert(.logUnderUnknownKey) }
        if refusesJournal, logProblem == companionProblem {
            all.insert(isJournalDamaged ? .damagedJournal : .foreignJournal)
        }
        if let damagedFrameProblem, logProblem == damagedFrameProblem { all.insert(.damagedLog) }
        if hasJournal, companionProblem == nil { all.insert(.hotJournal) }
        return all
    }

    // MARK: - The verdict

    private func verdict(
        _ diagnosis: DatabaseDiagnosis
    ) -> (DatabaseDiagnosis.Verdict, String) {
        let used = census.usedKeys
        if used.count > 1 {
            return (
                .twoKeys, "the pages of \(path) have two keys: a rotation was not finished"
            )
        }
        if diagnosis.damagedPageCount > 0 {
            let count = diagnosis.damagedPageCount
            let what = count == 1 ? "1 page is" : "\(count) pages are"
            return (
                .damaged, "the key is right, but \(what) not what was written: \(list(diagnosis))"
            )
        }
        if !missing.isEmpty || isCut {
            return (.truncated, "the key is right, but the end of \(path) is missing")
        }
        if pages.trailingByteCount > 0 {
            return (
                .damaged, "the database is intact, but \(pages.trailingByteCount) bytes follow it"
            )
        }
        if isSaltDamaged {
            return (.damagedSalt, "the key is right, but the salt of \(path) is damaged")
        }
        if let problem = logProblem { return (.foreignLog, problem) }
        if let key = used.first, key > 0 {
            return (.wrongKey, "the key does not open \(path), but other key \(key) does")
        }
        if !diagnosis.settings.isEmpty {
            return (.otherSettings, "the key is right, and \(path) needs other cipher settings")
        }
        let how =
            diagnosis.isAuthenticated ? "is what was written with the key" : "can be decrypted"
        return (.sound, "every page of \(path) \(how)")
    }

    /// Whether the last page is not all there.
    var isCut: Bool {
        pages.trailingByteCount > 0 && !hasJournal
            && expectedPageCount.map { $0 > pages.pageCount } ?? true
    }

    private func list(_ diagnosis: DatabaseDiagnosis) -> String {
        let ranges = diagnosis.damagedPages.prefix(10).map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
        }
        let more = diagnosis.damagedPages.count > 10 ? ", …" : ""
        return "page \(ranges.joined(separator: ", "))\(more)"
    }

    private var logProblem: String? {
        if let strangeLog { return strangeLog }
        return switch log {
        case .foreign: "\(path)-wal is the log of another database"
        case .unknownKey: "\(path)-wal holds the whole database under a key that was not given"
        case .otherKey: "\(path)-wal has another key than \(path)"
        case .damaged: "pages in \(path)-wal are not what was written"
        case .ours, .empty, nil:
            companionProblem ?? damagedFrameProblem
        }
    }

    private var damagedFrameProblem: String? {
        damagedFrame.map { LogFile.problem(ofFrame: $0, in: path + "-wal") }
    }

    // MARK: - What else there is to say

    private func note(_ diagnosis: inout DatabaseDiagnosis) {
        if census.usedKeys.count > 1 {
            for key in census.usedKeys {
                let name = key == 0 ? "the key" : "other key \(key)"
                let span = census.spans[key].map {
                    ", from page \($0.lowerBound) to \($0.upperBound)"
                }
                diagnosis.notes.append(
                    "\(name): \(census.pageCounts[key]) pages\(span ?? "")")
            }
        }
        if let first = missing.first, let last = missing.last {
            diagnosis.notes.append(
                "pages \(first.lowerBound) to \(last.upperBound) are missing at the end")
        }
        if !blankInUse.isEmpty {
            diagnosis.notes.append("\(blankInUse.count) of the damaged pages are all zeros")
        }
        if damagedUnderLog > 0 {
            diagnosis.notes.append(
                "\(damagedUnderLog) damaged pages are intact in the log, where SQLite reads them"
            )
        }
        if hasJournal, companionProblem == nil {
            diagnosis.notes.append(
                "a transaction was interrupted: the next opening rolls it back from \(path)-journal"
            )
        }
        noteRest(&diagnosis)
    }

    private func noteRest(_ diagnosis: inout DatabaseDiagnosis) {
        if damaged.ranges.first?.lowerBound == 1 {
            diagnosis.notes.append(
                "page 1 is damaged, so it is unknown whether pages are missing at the end")
        }
        if isSaltDamaged, diagnosis.damagedPageCount > 0 {
            diagnosis.notes.append("the salt at the beginning of the file is also damaged")
        }
        if let problem = logProblem { diagnosis.notes.append(problem) }
        if endsInTornFrame {
            diagnosis.notes.append(
                "the last frame of \(path)-wal is incomplete, as after a crash; SQLite leaves it out"
            )
        }
        if unfinishedFrameCount > 0 {
            diagnosis.notes.append(
                "the last \(unfinishedFrameCount) frames of \(path)-wal belong to a transaction "
                    + "that did not end, or whose end was cut off; SQLite leaves them out")
        }
        if !diagnosis.isAuthenticated {
            diagnosis.notes.append("pages have no HMAC, so a changed page cannot be detected")
        }
        if !diagnosis.settings.isEmpty {
            diagnosis.notes.append(
                "it opens with \(diagnosis.settings.joined(separator: "; "))")
        }
    }
}
