extension DatabaseFile {
    /// Refuses a database whose journal would have SQLite remove a file of any name, or fill a disk.
    ///
    /// A transaction over several databases has a file of its own, which every journal of it names at
    /// its end, and which goes when the last of them was played back. SQLite gives these files the
    /// name of the main database, `-mj` and nine digits. A journal from a stranger may name any file.
    /// <https://www.sqlite.org/atomiccommit.html#_the_super_journal_file>
    ///
    /// A journal also says how many pages the database had, and SQLite makes the file as large before
    /// it puts pages back: terabytes, if a stranger says so. SQLite itself makes a file smaller only
    /// when the journal is gone.
    func requireHarmlessJournal() throws {
        guard let resolved = try? fileSystem.resolve(path) else { return }
        try requireCompleteJournal(resolved)
        let hint = "find out where it comes from; without it, the database can be opened"
        if let name = try? superJournalName(in: resolved + "-journal"), !Self.isSuperJournal(name) {
            throw DatabaseFileError(
                .failed, path,
                "\(path)-journal has SQLite delete a file that is not one of its journals",
                hint: hint)
        }
        if let size = try? databaseByteCount(accordingTo: resolved + "-journal"),
            let here = try? fileSystem.status(resolved).byteCount, size / 2 > UInt64(here) + 1 << 20
        {
            throw DatabaseFileError(
                .failed, path,
                "\(path)-journal says that the database had \(size) bytes; it has \(here)",
                hint: hint)
        }
    }

    /// Refuses a journal next to a plaintext file that would undo a part of a transaction. Next to an
    /// encrypted one, ``CompanionCheck`` does.
    func requireCompleteJournal(_ resolved: String) throws {
        guard key == nil, let problem = try journalProblem(resolved),
            try journalProblem(resolved) == problem
        else { return }
        throw DatabaseFileError(
            .foreignLog, path,
            "\(path)-journal is damaged: \(problem). Nothing was changed",
            hint: "keep both files, and look for a backup")
    }

    private func journalProblem(_ resolved: String) throws -> String? {
        try JournalFile(resolved + "-journal", fileSystem)?.problem
    }

    /// How large a journal makes the database when it is played back; nil if it says nothing of it.
    private func databaseByteCount(accordingTo path: String) throws -> UInt64? {
        guard let status = try fileSystem.statusIfPresent(path), status.kind == .file,
            status.byteCount >= 28, let descriptor = try fileSystem.openIfPresent(path)
        else { return nil }
        defer { fileSystem.close(descriptor) }
        let header = try bytes(28, of: descriptor, at: 0)
        guard header.starts(with: JournalFile.magic) else { return nil }
        // The journals of versions before 3.5.8 say 0: the pages are as large as the database's.
        return UInt64(header.number32(at: 16)) * UInt64(max(header.number32(at: 24), 512))
    }

    /// What the end of a journal names; nil if it names nothing.
    private func superJournalName(in path: String) throws -> [UInt8]? {
        guard let status = try fileSystem.statusIfPresent(path), status.kind == .file,
            status.byteCount >= 16, let descriptor = try fileSystem.openIfPresent(path)
        else { return nil }
        defer { fileSystem.close(descriptor) }
        let tail = try bytes(16, of: descriptor, at: status.byteCount - 16)
        let length = Int64(tail.number32(at: 0))
        guard Array(tail[8...]) == JournalFile.magic, length > 0,
            length <= min(4096, status.byteCount - 16)
        else { return nil }
        return try bytes(Int(length), of: descriptor, at: status.byteCount - 16 - length)
    }

    private func bytes(
        _ count: Int, of descriptor: FileSystem.Descriptor, at offset: Int64
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        _ = try bytes.withUnsafeMutableBytes {
            try fileSystem.readAll(descriptor, $0, at: offset)
        }
        return bytes
    }

    private static func isSuperJournal(_ name: [UInt8]) -> Bool {
        let digits = name.suffix(9)
        // SQLite reads a name to its first NUL.
        return !name.contains(0) && digits.count == 9
            && name.dropLast(9).suffix(3).elementsEqual("-mj".utf8)
            && digits.allSatisfy(Hexadecimal.isDigit)
    }

    /// A rollback journal that the next opening would play back.
    func hasHotJournal() throws -> Bool {
        let path = try fileSystem.resolve(path) + "-journal"
        guard let status = try fileSystem.statusIfPresent(path), status.byteCount >= 512,
            let descriptor = try fileSystem.openIfPresent(path)
        else { return false }
        defer { fileSystem.close(descriptor) }
        return try bytes(8, of: descriptor, at: 0) == JournalFile.magic
    }
}
