/// Finds out what one file that has bytes is, and what is wrong with it.
struct FileExamination {
    let file: DatabaseFile
    let hints: DatabaseFile.DiagnosisHints
    let threads: Int
    let operation: LongOperation
    let byteCount: Int64
    let read: PageSource.Read
    /// Whether a journal was played back in memory.
    var isUndone = false

    /// The same for the database as it was before a transaction that a crash interrupted, if its
    /// journal has what it takes.
    func runUndoing() throws -> (DatabaseDiagnosis, DiagnosedFile?) {
        let path = try file.fileSystem.resolve(file.path) + "-journal"
        guard try file.hasHotJournal(), let journal = try JournalFile(path, file.fileSystem),
            journal.pageCount > 0
        else { return try run() }
        let undone = FileExamination(
            file: file, hints: hints, threads: threads, operation: operation,
            byteCount: journal.overlay.databaseByteCount,
            read: try journal.overlay.view(over: read, file.fileSystem), isUndone: true)
        let problem =
            journal.problem
            ?? (journal.passedOver.isEmpty ? nil : "pages in it are not what was written")
        // With the same key, that of another database fits to every page; its salt does not.
        let salts = try [self, undone].map {
            try FileVerdict(byteCount: $0.byteCount, read: $0.read).salt
        }
        if salts[0] != salts[1] {
            var (plain, plainFile) = try run()
            if plainFile?.isWhole == true {
                plain.leftOut.append("\(path) does not belong to the database, and was left out")
                return (plain, plainFile)
            }
        }
        var (diagnosis, diagnosed) = try undone.run()
        diagnosis.isUndone = diagnosed != nil && problem == nil
        if let problem {
            diagnosis.leftOut.append(
                "\(file.path)-journal is damaged: \(problem); a transaction was undone in part only"
            )
        }
        if diagnosed?.isWhole == true { return (diagnosis, diagnosed) }
        var (plain, plainFile) = try run()
        // A journal of another database would have overwritten pages that are whole.
        let lostCount: Int = diagnosis.damagedPageCount + diagnosis.missingPages.count
        let plainLostCount: Int = plain.damagedPageCount + plain.missingPages.count
        let isWorse = diagnosed == nil || plainLostCount < lostCount
        guard plainFile != nil, isWorse else { return (diagnosis, diagnosed) }
        plain.leftOut.append("\(path) does not belong to the database, and was left out")
        return (plain, plainFile)
    }

    /// - Returns: What is wrong, and the file itself if a key opens it.
    func run() throws -> (DatabaseDiagnosis, DiagnosedFile?) {
        let look = try FileVerdict(byteCount: byteCount, read: read)
        var diagnosis = DatabaseDiagnosis(
            path: file.path, verdict: .notADatabase, byteCount: byteCount)
        let log = try LogFile.settled(
            file.fileSystem.resolve(file.path) + "-wal", file.fileSystem)
        diagnosis.log = log?.summary
        guard look.kind != .tooSmall, look.kind != .empty else {
            // SQLite calls a file of one byte empty.
            diagnosis.byteCount = max(1, byteCount)
            diagnosis.summary =
                "\(file.path) has \(diagnosis.byteCount) bytes, and a database has 512 or more"
            return (diagnosis, nil)
        }
        let keys = [file.key].compactMap { $0 } + hints.otherKeys
        if let log, log.isComplete, let found = try examineLog(log, keys, look, diagnosis) {
            return found
        }
        if !keys.isEmpty, let found = try find(keys, look, log) {
            let census = FileCensus(
                examination: self, keys: keys, finding: found, log: log,
                fileSalt: look.beginsAsPlain ? nil : look.salt)
            let diagnosed = try census.run(&diagnosis)
            return (diagnosis, diagnosed)
        }
        explainUnopened(look, hasKey: !keys.isEmpty, log, &diagnosis)
        if log == nil,
            let problem = LogFile.problem(
                of: try file.fileSystem.resolve(file.path) + "-wal", file.fileSystem)
        {
            diagnosis.notes.append(problem)
        }
        return (diagnosis, nil)
    }

    /// The diagnosis of a database that is in its log as a whole, under a key that may not be the
    /// one of the file any more; nil if no key opens what is in the log.
    private func examineLog(
        _ log: LogFile, _ keys: [CipherKey], _ look: FileVerdict, _ start: DatabaseDiagnosis
    ) throws -> (DatabaseDiagnosis, DiagnosedFile)? {
        // SQLCipher takes the salt from the file.
        guard !keys.isEmpty, try look.beginsAsPlain || salt(in: log) == look.salt else {
            return nil
        }
        let view = FileExamination(
            file: file, hints: hints, threads: threads, operation: operation,
            byteCount: log.databaseByteCount, read: try log.view(over: read, file.fileSystem))
        guard let found = try view.find(keys, look, nil), !found.isSaltLost else { return nil }
        var diagnosis = start
        diagnosis.log?.isOfThisFile = true
        let census = FileCensus(
            examination: view, keys: keys, finding: found, log: nil, logInView: log,
            fileSalt: look.beginsAsPlain ? nil : look.salt)
        let diagnosed = try census.run(&diagnosis)
        diagnosis.notes.append(
            "the whole database is in \(log.path), and the next checkpoint moves it")
        // Others may have moved it meanwhile, and have written something else in its place.
        if try !diagnosed.isWhole && log.wasBegunAnew(file.fileSystem) { return nil }
        return (diagnosis, diagnosed)
    }

    // MARK: - Which key, and which settings

    private func find(
        _ keys: [CipherKey], _ look: FileVerdict, _ log: LogFile?
    ) throws -> KeyTrial.Finding? {
        let prepared = file.prepared().settings
        var trial = try trial(of: keys, look, log, prepared)
        trial.triesRareIterations = true
        if look.beginsAsPlain == !prepared.hasSaltInFile, let found = try trial.find(prepared) {
            return found
        }
        // A plain database has no key, and needs no search.
        if look.kind == .plaintext { return nil }
        if let found = try trial.findAnySettings({ try operation.advance(to: 0) }) { return found }
        if let found = try findAnyPage(trial, prepared, look) { return found }
        return look.beginsAsPlain ? nil : try trial.findWithoutSalt()
    }

    /// Whether a key opens some of the pages that are tried, with the settings of the file.
    func opensSample(_ key: CipherKey) throws -> Bool {
        let look = try FileVerdict(byteCount: byteCount, read: read)
        guard look.kind == .encrypted else { return false }
        let prepared = file.prepared().settings
        let trial = try trial(of: [key], look, nil, prepared)
        if try trial.find(prepared) != nil { return true }
        return try key.form != .passphrase && trial.findAnySettings({}) != nil
    }

    private func trial(
        of keys: [CipherKey], _ look: FileVerdict, _ log: LogFile?, _ prepared: CipherSettings
    ) throws -> KeyTrial {
        KeyTrial(
            byteCount: byteCount, read: read, keys: keys, salts: try salts(look, log),
            beginsAsPlain: look.beginsAsPlain, pageSize: look.pageSize,
            iterations: prepared.kdfIterations)
    }

    /// Where none of the sample is whole, every page is looked at.
    private func findAnyPage(
        _ trial: KeyTrial, _ settings: CipherSettings, _ look: FileVerdict
    ) throws -> KeyTrial.Finding? {
        guard settings.authentication != .absent, look.beginsAsPlain == !settings.hasSaltInFile
        else {
            return nil
        }
        let pages = PageSource(byteCount: byteCount, pageSize: settings.pageSize, read: read)
        try operation.begin(.checking, totalByteCount: byteCount)
        for (number, key) in trial.keys.enumerated() {
            for salt in trial.salts(for: key) {
                let pageKey = try PageKey(key, fileSalt: salt, settings: settings)
                let survey = try pages.survey(
                    with: pageKey, threads: threads,
                    progress: operation.advance(pageSize: settings.pageSize))
                if survey.count(.authentic) > 0 {
                    return KeyTrial.Finding(key: pageKey, salt: salt, keyNumber: number)
                }
            }
        }
        return nil
    }

    /// The salt stands at the beginning of page 1, wherever that is, unless the caller keeps it.
    private func salts(_ look: FileVerdict, _ log: LogFile?) throws -> [CipherSalt] {
        var salts: [CipherSalt] = []
        func add(_ salt: CipherSalt?) {
            if let salt, !salts.contains(salt) { salts.append(salt) }
        }
        if !look.beginsAsPlain { add(look.salt) }
        add(file.prepared().salt)
        add(try log.flatMap { try salt(in: $0) })
        for backup in hints.backups {
            let handle = try ConnectionHandle(
                path: file.fileSystem.resolve(backup), flags: .readOnly)
            add(handle.rawBytes(count: CipherSalt.byteCount).flatMap { CipherSalt($0) })
        }
        return salts
    }

    /// The first 16 bytes of page 1 in a log.
    func salt(in log: LogFile) throws -> CipherSalt? {
        guard let offset = log.offsets[1] else { return nil }
        let pages = try PageSource(path: log.path, pageSize: 512, fileSystem: file.fileSystem)
        var bytes = [UInt8](repeating: 0, count: CipherSalt.byteCount)
        let count = try bytes.withUnsafeMutableBytes { try pages.read($0, offset) }
        return CipherSalt(bytes[..<count])
    }

    // MARK: - What no key opens

    private func explainUnopened(
        _ look: FileVerdict, hasKey: Bool, _ log: LogFile?, _ diagnosis: inout DatabaseDiagnosis
    ) {
        let path = file.path
        switch look.kind {
        case .plaintext: return explainPlaintext(look, log, &diagnosis)
        case .damagedPlaintext:
            diagnosis.summary = "\(path) begins like a database that is not encrypted, but is none"
            return
        case .empty, .tooSmall, .encrypted, .plaintextHeader, .unknown: break
        }
        if explainStart(look, &diagnosis) { return }
        let hasWholePages = look.endsWithPage || look.beginsAsPlain
        guard look.mayBeEncrypted, hasKey || hasWholePages else {
            diagnosis.summary = "\(path) is no database, encrypted or not"
            return
        }
        if !look.endsWithPage {
            diagnosis.notes.append(
                "\(byteCount) bytes are not a whole number of pages: the file is truncated, or is not a "
                    + "database")
        }
        if look.kind == .plaintextHeader {
            diagnosis.pageSize = look.pageSize
            diagnosis.lacksSalt = file.prepared().salt == nil
            diagnosis.notes.append(
                "it is encrypted with a plaintext header: its salt is not in the file; give it with "
                    + "the key")
        }
        if hasKey {
            diagnosis.verdict = hasWholePages ? .wrongKey : .notADatabase
            diagnosis.summary =
                hasWholePages
                ? "the key opens no page of \(path) with any known settings"
                : "\(path) is no database that the key opens"
            if look.isSaltSuspicious {
                diagnosis.notes.append(
                    "its first 16 bytes, the salt, are all the same: they were overwritten")
            }
        } else {
            diagnosis.verdict = .keyNeeded
            diagnosis.summary = "\(path) seems to be encrypted; it takes the key to find out more"
            diagnosis.pageSize = look.pageSize ?? log?.pageSize
        }
    }

    /// Of a file whose other pages look encrypted: whether its beginning tells more.
    private func explainStart(_ look: FileVerdict, _ diagnosis: inout DatabaseDiagnosis) -> Bool {
        if let format = look.knownFormat {
            diagnosis.summary =
                "\(file.path) begins as \(format.rawValue) do: it is very likely no database"
            diagnosis.notes.append(
                "fewer than one in 1,000,000,000 encrypted databases begin like this by chance")
            return true
        }
        guard look.isStartBlank, look.kind == .encrypted, look.endsWithPage else { return false }
        diagnosis.verdict = .damaged
        diagnosis.summary =
            "page 1 of \(file.path) is all zeros, and its salt with it: SQLCipher never writes that"
        diagnosis.notes.append(
            "without the salt, no page can be authenticated, and a wrong key looks like the right "
                + "one")
        return true
    }

    private func explainPlaintext(
        _ look: FileVerdict, _ log: LogFile?, _ diagnosis: inout DatabaseDiagnosis
    ) {
        diagnosis.verdict = .plaintext
        diagnosis.summary = "\(file.path) is a database that is not encrypted"
        diagnosis.pageSize = look.pageSize
        // A log or a journal may have the end of the file.
        guard look.isCutPlaintext, log == nil, (try? file.hasHotJournal()) == false,
            let pageSize = look.pageSize, let promised = look.promisedPageCount.map(Int.init)
        else { return }
        let count = Int(byteCount) / pageSize
        diagnosis.pageCount = count
        diagnosis.expectedPageCount = promised
        diagnosis.missingPages = [count + 1...promised]
        diagnosis.summary += ", and its end is missing"
    }
}

extension LogFile {
    var summary: DatabaseDiagnosis.Log? {
        guard committedFrameCount > 0 || gap != nil else { return nil }
        return DatabaseDiagnosis.Log(
            frameCount: committedFrameCount, transactionCount: commitCount, isOfThisFile: nil)
    }
}
