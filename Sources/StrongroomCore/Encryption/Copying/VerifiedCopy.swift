/// Fills a temporary file with the content of a database, and reads it back.
struct VerifiedCopy {
    /// Inside one snapshot all the time.
    let source: Database
    let sourceFile: DatabaseFile
    let content: DatabaseContent
    /// What the temporary shall become.
    let destination: DatabaseFile
    let temporary: FileReplacement.Temporary
    let operation: LongOperation
    /// Whether the pages of both have different layouts, although they are of one size.
    var copiesRows = false

    /// What a verified copy holds.
    struct Result {
        let pageCount: Int
        let pageSize: Int
        let tables: [TableRowCount]
        let virtualTables: [String]

        /// - Throws: ``DatabaseFileError`` where the copy does not hold what the source does.
        init(
            of copy: Database, _ copied: DatabaseContent, equalTo content: DatabaseContent,
            _ destination: DatabaseFile
        ) throws {
            if let difference = copied.difference(from: content) {
                throw destination.unverified(difference)
            }
            pageCount = Int(try copy.number("PRAGMA page_count"))
            pageSize = Int(try copy.number("PRAGMA page_size"))
            tables = copied.tables
            virtualTables = copied.virtualTables
        }
    }

    func run() throws -> Result {
        var file = destination.filled(in: temporary)
        for setting in try adoptedSettings() {
            file.configuration.prepareDatabase { try $0.run(setting) }
        }
        try fill(file)
        return try verify(file)
    }

    /// A destination that says nothing of its own gets the source's cipher settings.
    private func adoptedSettings() throws -> [String] {
        guard sourceFile.key != nil, destination.key != nil,
            destination.configuration.setups.isEmpty
        else { return [] }
        return try source.withHandle { handle throws(DatabaseError) in
            try handle.cipherSettings()
        }
    }

    // MARK: - Writing

    private func fill(_ file: DatabaseFile) throws {
        let copy: Database
        do {
            copy = try file.makeConnection(.filling)
        } catch {
            throw explain(error)
        }
        defer { try? copy.close() }
        let behind = WriteBehind(temporary.descriptor, destination.fileSystem)
        do {
            // It is brought to the disk in steps that a caller can stop, before it has a name.
            try copy.run("PRAGMA synchronous = OFF")
            if try !copiesRows && canCopyPages(to: copy) {
                try copyPages(to: copy, behind)
            } else {
                try copyRows(to: copy, behind)
            }
            if content.isWAL, try copy.text("PRAGMA main.journal_mode") != "wal" {
                throw destination.unverified("its journal mode differs")
            }
        } catch {
            throw explain(error)
        }
    }

    /// SQLite copies pages only if both files are encrypted, or neither; encrypted ones need one
    /// page size, or nothing opens the copy.
    private func canCopyPages(to copy: Database) throws -> Bool {
        guard (sourceFile.key == nil) == (destination.key == nil) else { return false }
        let sql = "PRAGMA page_size"
        return try destination.key == nil || copy.number(sql) == source.number(sql)
    }

    private func copyPages(to copy: Database, _ behind: WriteBehind) throws {
        let pageSize = try source.number("PRAGMA page_size")
        let total = try source.number("PRAGMA page_count") * pageSize
        try destination.requireRoom(for: total, beside: temporary.path)
        try operation.begin(.copying, totalByteCount: total)
        try copy.run("PRAGMA journal_mode = OFF")
        try source.backup(to: copy, pagesPerStep: 256) { progress in
            behind.advance()
            try operation.advance(to: Int64(progress.completedPageCount) * pageSize)
        }
        // The only thing that a backup changes.
        // <https://www.sqlite.org/pragma.html#pragma_schema_version>
        let version = try source.number("PRAGMA schema_version")
        try copy.run("PRAGMA schema_version = \(version)")
    }

    private func copyRows(to copy: Database, _ behind: WriteBehind) throws {
        let pages = try source.number("PRAGMA page_count") - source.number("PRAGMA freelist_count")
        let work = ContentCopy(
            source: source, destination: copy, operation: operation,
            estimatedByteCount: try pages * source.number("PRAGMA page_size"),
            isWAL: content.isWAL, behind: behind)
        try work.run()
        if let table = try work.firstDifference() {
            throw destination.unverified("the rows of \(table) differ")
        }
    }

    // MARK: - Reading back

    private func verify(_ file: DatabaseFile) throws -> Result {
        do {
            return try examine(file)
        } catch let error as DatabaseError where !operation.isStopped {
            throw destination.unverified(error.message ?? "it cannot be read", error)
        }
    }

    private func examine(_ file: DatabaseFile) throws -> Result {
        let copy = try file.makeConnection(.verifying)
        defer { try? copy.close() }
        let byteCount = try destination.fileSystem
            .descriptorStatus(temporary.descriptor).byteCount
        try operation.begin(.verifying, totalByteCount: byteCount)
        if destination.key != nil {
            // Before anything is read: what SQLite would refuse is listed here.
            let bad = try CipherIntegrity(
                of: copy, destination, byteCount: byteCount, operation
            ).messages
            guard bad.isEmpty else {
                throw destination.unverified("\(bad.count) pages are not authentic")
            }
        }
        try copy.readFirstPage()
        try destination.requireSound(StructureCheck(of: copy, quick: true, operation))
        let copied = try DatabaseContent(of: copy, operation: operation)
        return try Result(of: copy, copied, equalTo: content, destination)
    }

    // MARK: - Errors

    /// Which of the two files an error is about.
    private func explain(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return destination.explain(error) }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_BUSY:
            return sourceFile.explain(error)
        case .SQLITE_AUTH:
            return sourceFile.hostile(error)
        case .SQLITE_FULL:
            return DatabaseFileError.diskFull(destination.path, underlying: error)
        default:
            return destination.explain(error)
        }
    }
}
