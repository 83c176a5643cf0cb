extension DatabaseFile {
    /// Checks the whole file: every page, its size, its structure, its foreign keys.
    ///
    /// Other connections can keep using the database.
    ///
    /// - Parameters:
    ///   - quick: Leaves out the comparison of indexes with tables, and the foreign keys.
    ///   - runningModules: Whether SQLite's modules also check full-text and other virtual tables.
    ///     A crafted file can exploit a defect in the module that reads it: use this only if you
    ///     trust the file's author.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Returns: What was found, also if the file is damaged.
    /// - Throws: ``DatabaseFileError`` if the file cannot be checked, for example because the key
    ///   is wrong.
    public func check(
        quick: Bool = false, runningModules: Bool = false,
        progress: OperationProgress.Handler? = nil
    ) throws -> IntegrityReport {
        var file = self
        file.runsModules = runningModules
        return try file.check(quick: quick, authenticating: true, progress: progress)
    }

    /// - Parameter authenticating: Whether every page is authenticated to begin with; who has done
    ///   so can spare that. SQLCipher authenticates the pages that SQLite reads in any case.
    package func check(
        quick: Bool, authenticating: Bool, progress: OperationProgress.Handler?
    ) throws -> IntegrityReport {
        try LongOperation.run(progress) { operation in
            try check(quick: quick, authenticating: authenticating, operation)
        }
    }

    private func check(
        quick: Bool, authenticating: Bool, _ operation: LongOperation
    ) throws -> IntegrityReport {
        do {
            try requireDatabase()
            try requireNoInterruptedTransaction()
            try undoTransactionBeforeChecking()
            let database = try makeConnection(.reading)
            defer { try? database.close() }
            let examination = Examination(
                file: self, database: database, operation: operation,
                fileByteCount: try requireDatabase().byteCount)
            try examination.run(quick: quick, authenticating: authenticating)
            return try addingSalt(of: database, to: examination.report)
        } catch {
            throw explain(error)
        }
    }

    /// What is judged before a transaction that a crash interrupted is undone, is not what readers
    /// will see. Neither a wrong key nor damage stands in the way: the examination reports those.
    private func undoTransactionBeforeChecking() throws {
        guard try hasHotJournal() else { return }
        let reader = try makeConnection(.reading)
        defer { try? reader.close() }
        if let error = reader.firstPageError(), error.resultCode == .SQLITE_READONLY { throw error }
    }
}

/// One examination of one file, on one connection that has not read anything yet.
///
/// A connection that has met a page which is not authentic gives other errors from then on, and
/// each version of SQLCipher others of its own. What it has said first is kept, and it is asked no
/// more. (`Documentation/SQLCipher.md`, "Failure and tamper")
private final class Examination {
    let file: DatabaseFile
    let database: Database
    let operation: LongOperation
    let fileByteCount: Int64
    private(set) var report = IntegrityReport()
    /// The key of the pages, where our own page codec has found them all authentic.
    private var pageKey: PageKey?
    /// What reading the first page gave: a key and a file that do not fit show here.
    private lazy var firstPageError = database.firstPageError()

    /// What was found is to be found by SQLCipher, too.
    private struct Unconfirmed: Error {}

    /// More problems than these tell nothing new.
    private let foreignKeyLimit = 100
    init(file: DatabaseFile, database: Database, operation: LongOperation, fileByteCount: Int64) {
        self.file = file
        self.database = database
        self.operation = operation
        self.fileByteCount = fileByteCount
    }

    func run(quick: Bool, authenticating: Bool) throws {
        try operation.begin(.checking, totalByteCount: fileByteCount)
        if authenticating { try file.requireKeyOfSomePage(database) }
        // Before the structure, because it is the only one that a damaged first page does not stop.
        if file.key != nil, authenticating { try checkCipherIfAuthenticated() }
        guard try checkFirstPage() else { return }
        try database.holdingSnapshot {
            try checkSize()
            if let pageKey, !report.isDamaged, !file.runsModules {
                try checkContentInClear(pageKey, quick: quick)
            } else {
                try checkContent(of: database, quick: quick)
            }
            try checkLog()
        }
    }

    /// What is read may be sound, and yet not all that was committed.
    private func checkLog() throws {
        guard let damaged = try file.damagedFrame(seenBy: database) else { return }
        report.checks.append(.log)
        report.add(.log, damaged.problem)
    }

    private func checkContentInClear(_ pageKey: PageKey, quick: Bool) throws {
        let before = report
        // Nothing is derived again.
        var keyed = file
        keyed.key = try pageKey.cipherKey()
        guard let committed = try? CommittedPages(of: keyed, check: operation.check) else {
            return try checkContent(of: database, quick: quick)
        }
        defer { try? committed.close() }
        try file.readingClear(committed.pages, key: committed.key, or: database, operation) {
            report = before
            try checkContent(of: $0, quick: quick)
            // Damage is not said without SQLCipher.
            guard $0 === database || !report.isDamaged else { throw Unconfirmed() }
        }
    }

    private func checkContent(of database: Database, quick: Bool) throws {
        try checkStructure(of: database, quick: quick)
        if !quick && !report.isDamaged { try checkForeignKeys(of: database) }
    }

    /// Pages without HMACs cannot be authenticated, which is no damage, and is said.
    private func checkCipherIfAuthenticated() throws {
        if try database.authenticatesPages() { return try checkCipher() }
        report.unexamined.append("the pages: this database has no HMACs")
    }

    private func checkCipher() throws {
        let integrity = try CipherIntegrity(
            of: database, file, byteCount: fileByteCount, operation)
        if !integrity.messages.isEmpty, try checkCipherWithLog() { return }
        // Where the header is not expected, page 1 alone seems damaged.
        let isHeaderUnexpected =
            try !integrity.messages.isEmpty && firstPageError != nil
            && file.isHeaderUnexpected(file.verdict())
        guard !integrity.isKeyWrong, !isHeaderUnexpected else {
            // Says which of wrong key, plain database and no database it is.
            throw DatabaseError(code: .SQLITE_NOTADB)
        }
        pageKey = integrity.messages.isEmpty ? integrity.pageKey : nil
        report.checks.append(.cipherIntegrity)
        report.pageCount = integrity.pageCount
        report.pageSize = integrity.pageSize
        for message in try pagesInUse(integrity.messages) {
            report.add(.cipher, page: CipherIntegrity.page(in: message), message)
        }
    }

    /// SQLCipher lists the pages that SQLite took and never wrote with the damaged ones.
    private func pagesInUse(_ messages: [String]) throws -> [String] {
        guard !messages.isEmpty, firstPageError == nil,
            let committed = try? CommittedPages(of: file)
        else { return messages }
        defer { try? committed.close() }
        let unused = UnusedPages(of: committed.pages, key: committed.key)
        return messages.filter { message in
            // A page that the end of the file cuts off cannot be read, and is no page of zeros.
            guard let page = CipherIntegrity.page(in: message).flatMap(UInt32.init(exactly:)),
                (try? committed.pages.isBlank(page)) == true
            else { return true }
            return (try? unused.contains(page)) != true
        }
    }

    /// Authenticates the pages that readers see, where some of the file have newer ones in the log:
    /// after a change of the key those of the file are all under the old one.
    ///
    /// - Returns: Whether there is a log, and the database can be read.
    private func checkCipherWithLog() throws -> Bool {
        guard firstPageError == nil, try database.text("PRAGMA journal_mode") == "wal" else {
            return false
        }
        let committed = try CommittedPages(of: file)
        defer { try? committed.close() }
        let pages = committed.pages
        let survey = try pages.survey(
            with: committed.key, progress: operation.advance(pageSize: pages.pageSize))
        report.checks.append(.cipherIntegrity)
        report.pageCount = Int(pages.pageCount)
        report.pageSize = pages.pageSize
        let unused = UnusedPages(of: pages, key: committed.key)
        var damaged = try survey.blankPages.filter { try !unused.contains($0) }
        damaged.merge(survey.damagedPages)
        for page in damaged.ranges.joined() {
            report.add(
                .cipher, page: Int(page), "HMAC verification failed for page \(page)")
        }
        return true
    }

    /// Whether the database can be read at all.
    private func checkFirstPage() throws -> Bool {
        guard let error = firstPageError else { return true }
        if error.resultCode == .SQLITE_CORRUPT {
            // With authentic pages only, what remains is that some are missing at the end.
            if file.key != nil && !report.isDamaged {
                report.checks.append(.fileSize)
                report.add(
                    .size, "the file is shorter than the database in it: its end is missing")
            } else {
                report.checks.append(.quickStructure)
                report.add(
                    .structure, "the database cannot be read: \(error.message ?? "malformed")")
            }
            return false
        }
        guard error.resultCode == .SQLITE_NOTADB, report.isDamaged else { throw error }
        return false
    }

    private func checkSize() throws {
        report.pageSize = Int(try database.number("PRAGMA page_size"))
        report.pageCount = Int(try database.number("PRAGMA page_count"))
        // Pages may still be in the log alone.
        guard try database.text("PRAGMA journal_mode") != "wal" else { return }
        report.checks.append(.fileSize)
        let wanted = Int64(report.pageSize) * Int64(report.pageCount)
        if fileByteCount < wanted {
            report.add(.size, "the file has \(fileByteCount) bytes, the database in it \(wanted)")
        }
    }

    private func checkStructure(of database: Database, quick: Bool) throws {
        let check = try attempt { try StructureCheck(of: database, quick: quick, operation) }
        report.checks.append(quick ? .quickStructure : .structure)
        guard let check else { return }
        for line in check.damage { report.add(.structure, line) }
        for line in check.brokenConstraints { report.add(.constraint, line) }
        report.unexamined += check.unexamined
        if !file.runsModules { try reportVirtualTables(of: database) }
    }

    private func reportVirtualTables(of database: Database) throws {
        // Of a damaged file the schema may be lost, which has been said.
        let names =
            report.isDamaged
            ? (try? database.virtualTables()) ?? [] : try database.virtualTables()
        report.unexamined += names.map { "\($0): virtual table modules did not run" }
    }

    private func checkForeignKeys(of database: Database) throws {
        let count = try attempt {
            try operation.watching(database) { try reportForeignKeys(of: database) }
        }
        guard let count else { return }
        report.checks.append(.foreignKeys)
        if count > foreignKeyLimit {
            report.add(.foreignKey, "and \(count - foreignKeyLimit) more such rows")
        }
    }

    /// - Returns: How many rows refer to none.
    private func reportForeignKeys(of database: Database) throws -> Int {
        let rows = try Row.fetchCursor(
            database, sql: "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check")
        var count = 0
        while let row = try rows.next() {
            count += 1
            if count <= foreignKeyLimit { reportForeignKey(row) }
        }
        return count
    }

    private func reportForeignKey(_ row: Row) {
        let table: String = row[0]
        let rowID: Int64? = row[1]
        let parent: String = row[2]
        let which = rowID.map { "row \($0)" } ?? "a row"
        report.add(.foreignKey, "\(which) of \(table) refers to a missing row of \(parent)")
    }

    /// Runs an examination; that the file is too damaged for it is a finding, not an error.
    private func attempt<T>(_ examine: () throws -> T) throws -> T? {
        do {
            return try examine()
        } catch let error as DatabaseError where !operation.isStopped {
            guard report.isDamaged || error.resultCode == .SQLITE_CORRUPT else { throw error }
            report.add(
                .structure, "cannot check the structure: \(error.message ?? "malformed")")
            return nil
        }
    }
}
