/// A new file is not what was written to it.
package struct UnsoundFile: Error {
    let reason: String
    var underlying: (any Error)?
}

/// A new file that is checked by software that does not write it: SQLCipher authenticates its pages, or the
/// first ones, while they are written, and SQLite examines it afterwards.
struct CheckedFile {
    /// The temporary file, with its key and its settings.
    let file: DatabaseFile
    /// What it is made of, page for page, if under another key.
    let pages: PageSource
    let hasAuthentication: Bool
    /// How much of it SQLCipher authenticates, from the beginning.
    var checkedByteCount = Int64.max
    let operation: LongOperation

    /// - Parameters:
    ///   - write: Writes all pages, in any order, and says so to the gate. It may give up when the gate is
    ///     closed.
    ///   - meanwhile: Called when all is written, while SQLCipher still authenticates it.
    ///   - examine: Looks at the file, of which every page is known to be authentic then. A `DatabaseError`
    ///     that it throws is taken for a file that cannot be read.
    /// - Throws: ``UnsoundFile``, and what the functions throw.
    func run<T>(
        write: (ReadGate) throws -> Void, meanwhile: () -> Void = {},
        examine: (_ copy: Database) throws -> T
    ) throws -> T {
        let check = CopyCheck(
            of: file, byteCount: pages.byteCount,
            checkedByteCount: hasAuthentication ? checkedByteCount : 0)
        do {
            try write(check.gate)
            try operation.begin(.verifying, totalByteCount: pages.byteCount)
            meanwhile()
        } catch is ReadGate.Closed {
            // Verifying tells why.
        } catch {
            check.abandon()
            throw error
        }
        do {
            let (copy, messages) = try check.wait(operation)
            defer { try? copy.close() }
            try requireAuthentic(copy, messages)
            try copy.readFirstPage()
            return try examine(copy)
        } catch let error as DatabaseError where !operation.isStopped {
            throw UnsoundFile(reason: error.message ?? "it cannot be read", underlying: error)
        }
    }

    /// Pages that SQLite has never written, which `secure_delete = OFF` leaves behind, are zeros
    /// in both; SQLCipher's check may list them.
    private func requireAuthentic(_ copy: Database, _ messages: [String]) throws {
        let copyPages = try copy.rawPages(of: pages.pageSize)
        guard copyPages.byteCount == pages.byteCount else {
            throw UnsoundFile(reason: "its size differs")
        }
        let bad = try messages.filter { message in
            guard let page = CipherIntegrity.page(in: message).flatMap(UInt32.init(exactly:))
            else { return true }
            return try !copyPages.isBlank(page) || !pages.isBlank(page)
        }
        guard bad.isEmpty else {
            throw UnsoundFile(reason: "\(bad.count) pages are not authentic")
        }
    }
}

extension DatabaseFile {
    /// Fills a temporary file with the pages of a database, and checks it: SQLCipher authenticates the
    /// pages, and SQLite checks the structure of the database.
    ///
    /// In a large file SQLCipher authenticates the beginning, while the rest is written: it takes as long for
    /// all as everything else together.
    ///
    /// - Parameters:
    ///   - key: The key of these pages, which a connection with this file's key has, too.
    ///   - write: Authenticates and writes them in any order; it says to the gate which are there, if there is
    ///     one.
    /// - Throws: What `write` throws; ``UnsoundFile``; ``DatabaseFileError`` if it cannot be checked.
    package func fill(
        _ temporary: FileReplacement.Temporary, with pages: PageSource, key: PageKey,
        _ operation: LongOperation, write: (ReadGate?) throws -> Void
    ) throws {
        let filled = filled(in: temporary)
        guard pages.byteCount > CipherIntegrity.uninterruptedByteCount else {
            try write(nil)
            try operation.begin(.verifying)
            // SQLCipher authenticates what SQLite reads; of a small file, that is hardly slower.
            let report = try filled.check(quick: true, authenticating: false) { _ in
                try operation.check()
            }
            guard report.problems.isEmpty else {
                throw UnsoundFile(reason: report.problems.map(\.message).joined(separator: "; "))
            }
            return
        }
        let checked = CheckedFile(
            file: filled, pages: pages,
            hasAuthentication: key.settings.authentication != .absent,
            checkedByteCount: CipherIntegrity.sampleByteCount, operation: operation)
        var structure: StructureCheck?
        try checked.run(write: write) {
            // Our page codec authenticates what SQLite reads. Where that fails, SQLCipher tells why.
            structure = try? filled.structureInClear(pages.pageSize, key, operation)
        } examine: { copy in
            try operation.check()
            let found = try structure ?? StructureCheck(of: copy, quick: true, operation)
            guard found.isSound else { throw UnsoundFile(reason: found.findings) }
        }
    }

    private func structureInClear(
        _ pageSize: Int, _ key: PageKey, _ operation: LongOperation
    ) throws -> StructureCheck {
        let pages = try PageSource(path: path, pageSize: pageSize, fileSystem: fileSystem)
        return try ClearConnection(to: pages, of: self, key: key).run {
            try StructureCheck(of: $0, quick: true, operation)
        }
    }
}

extension Database {
    /// The pages of the main file as they are in it.
    ///
    /// - Throws: `SQLITE_CANTOPEN` where there is no file.
    func rawPages(of pageSize: Int) throws -> PageSource {
        guard let file = try withHandle({ $0.rawFile() }) else {
            throw DatabaseError(code: .SQLITE_CANTOPEN)
        }
        return PageSource(byteCount: file.byteCount, pageSize: pageSize, read: file.read)
    }
}
