/// Writes the pages of one state of a database into a new file under another key, while SQLCipher
/// authenticates those that are written already.
struct ReencryptedCopy {
    let pages: PageSource
    let oldKey: PageKey
    let newKey: PageKey
    /// Whose pages they are.
    let source: DatabaseFile
    /// What the new file shall become, with its key.
    let destination: DatabaseFile
    /// What a connection on the new file needs besides the key.
    let adoptedSettings: [String]
    let threads: Int
    let operation: LongOperation

    /// Writes, brings to the disk, and verifies.
    ///
    /// - Parameter examine: Looks at the copy, of which every page is known to be authentic then. A
    ///   `DatabaseError` that it throws is taken for a copy that cannot be read.
    func run<T>(
        in temporary: FileReplacement.Temporary, examine: (_ copy: Database) throws -> T
    ) throws -> T {
        try destination.requireRoom(for: pages.byteCount, beside: temporary.path)
        try operation.begin(.copying, totalByteCount: pages.byteCount)
        // SQLite looks only once for the size of a file that does not change.
        try destination.fileSystem.truncate(temporary.descriptor, pages.byteCount)
        let check = CopyCheck(
            of: copyFile(in: temporary), byteCount: pages.byteCount,
            hasAuthentication: newKey.settings.authentication != .absent)
        do {
            try write(to: temporary.descriptor, check.gate)
            try operation.begin(.verifying, totalByteCount: pages.byteCount)
        } catch is CopyCheck.Failed {
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
            throw destination.unverified(error.message ?? "it cannot be read", error)
        }
    }

    /// What the copy is opened with: the new key, and nothing else of this run.
    private func copyFile(in temporary: FileReplacement.Temporary) -> DatabaseFile {
        var copyFile = destination.filled(in: temporary)
        for setting in adoptedSettings {
            copyFile.configuration.prepareDatabase { try $0.run(setting) }
        }
        return copyFile
    }

    private func write(to descriptor: FileSystem.Descriptor, _ gate: ReadGate) throws {
        do {
            try writePages(to: descriptor, gate)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            throw source.damaged(error.message ?? "a page is not what was written", error)
        }
        try operation.advance(to: pages.byteCount)
        try destination.fileSystem.synchronize(descriptor, check: operation.check)
    }

    private func writePages(to descriptor: FileSystem.Descriptor, _ gate: ReadGate) throws {
        let fileSystem = destination.fileSystem
        let behind = WriteBehind(descriptor, fileSystem)
        try pages.reencrypt(
            from: oldKey, to: newKey, threads: threads,
            progress: operation.advance(pageSize: pages.pageSize)
        ) { bytes, offset in
            guard !gate.isClosed else { throw CopyCheck.Failed() }
            try fileSystem.writeAll(bytes, to: descriptor, at: offset)
            gate.open(offset..<(offset + Int64(bytes.count)))
            behind.advance(to: gate.end)
        }
    }

    /// Pages that SQLite has never written, which `secure_delete = OFF` leaves behind, are zeros
    /// in both files; SQLCipher's check may list them.
    private func requireAuthentic(_ copy: Database, _ messages: [String]) throws {
        guard let rawCopy = try copy.withHandle({ $0.rawFile() }),
            rawCopy.byteCount == pages.byteCount
        else { throw destination.unverified("its size differs") }
        let copyPages = PageSource(
            byteCount: rawCopy.byteCount, pageSize: pages.pageSize, read: rawCopy.read)
        let bad = try messages.filter { message in
            guard let page = CipherIntegrity.page(in: message).flatMap(UInt32.init(exactly:))
            else { return true }
            return try !copyPages.isBlank(page) || !pages.isBlank(page)
        }
        guard bad.isEmpty else {
            throw destination.unverified("\(bad.count) pages are not authentic")
        }
    }
}
