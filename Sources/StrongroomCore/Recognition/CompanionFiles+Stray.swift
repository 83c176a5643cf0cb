// A log or a journal whose database is not there, or has no content. SQLite removes it when it first reads
// the empty database that it creates, and it may hold the only copy of the last changes: those of a program
// that was killed, and whose database was moved away for a moment.

extension CompanionFiles {
    /// The path of the first of the two that holds changes of a database that is not there.
    package var stray: String? {
        let found = holdsFrames ? log : holdsFormerPages ? journal : nil
        guard let found else { return nil }
        do {
            // Last: another process that creates the database has filled it before it writes a log.
            guard let file = try fileSystem.statusIfPresent(database) else { return found }
            return file.kind == .file && file.byteCount == 0 ? found : nil
        } catch {
            // SQLite cannot open it either.
            return nil
        }
    }

    /// Whether the log has a whole frame.
    private var holdsFrames: Bool {
        guard let (byteCount, header) = beginning(of: log, LogFile.headerByteCount) else {
            return false
        }
        let pageSize = LogFile.Header(header)?.pageSize ?? FileVerdict.smallestPageSize
        return byteCount >= LogFile.offset(ofFrame: 2, pageSize: pageSize)
            && header.contains { $0 != 0 }
    }

    /// Whether the journal has pages of a database as they were. That of a transaction that creates
    /// the database has none, and one whose first byte is zero is done with.
    private var holdsFormerPages: Bool {
        guard let (_, header) = beginning(of: journal, 1), header.first != 0 else { return false }
        guard let file = try? JournalFile(journal, fileSystem) else { return true }
        return file.pageCount > 0
    }

    /// Nil for what holds no bytes; no bytes of what cannot be read.
    private func beginning(of path: String, _ count: Int) -> (byteCount: Int64, bytes: [UInt8])? {
        guard let status = try? fileSystem.statusIfPresent(path), status.kind == .file,
            status.byteCount > 0
        else { return nil }
        guard let descriptor = try? fileSystem.openForReading(path) else {
            return (status.byteCount, [1])
        }
        defer { fileSystem.close(descriptor) }
        return (
            status.byteCount, (try? fileSystem.bytes(count, of: descriptor, at: 0)) ?? [1]
        )
    }
}

extension CompanionFiles {
    /// Refuses a log or a journal whose database is not there.
    ///
    /// - Throws: `SQLITE_CANTOPEN_DIRTYWAL`.
    static func requireNoStray(of database: String) throws(DatabaseError) {
        let resolved = (try? FileSystem.system.resolve(database)) ?? database
        guard let stray = CompanionFiles(of: resolved)?.stray else { return }
        throw .strayLog(stray, of: database)
    }
}

extension DatabaseError {
    /// In the words that a copy and a restore have for it.
    fileprivate static func strayLog(_ path: String, of database: String) -> DatabaseError {
        DatabaseError(
            code: .SQLITE_CANTOPEN_DIRTYWAL,
            message: """
                \(path) is there without its database, and would be taken for a part of \(database): it may \
                hold the only copy of a database's last changes. Nothing was changed. Put that database \
                back, or move \(path.splitAtLastSlash.name) away, and keep it
                """)
    }
}
