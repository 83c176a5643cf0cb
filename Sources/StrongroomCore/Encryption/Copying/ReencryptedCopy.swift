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
    /// - Parameters:
    ///   - meanwhile: Called when all is written, while SQLCipher still authenticates it.
    ///   - examine: Looks at the copy, of which every page is known to be authentic then. A
    ///     `DatabaseError` that it throws is taken for a copy that cannot be read.
    func run<T>(
        in temporary: FileReplacement.Temporary, meanwhile: () -> Void = {},
        examine: (_ copy: Database) throws -> T
    ) throws -> T {
        try destination.requireRoom(for: pages.byteCount, beside: temporary.path)
        try operation.begin(.copying, totalByteCount: pages.byteCount)
        // SQLite looks only once for the size of a file that does not change.
        try destination.fileSystem.truncate(temporary.descriptor, pages.byteCount)
        let checked = CheckedFile(
            file: copyFile(in: temporary), pages: pages,
            hasAuthentication: newKey.settings.authentication != .absent, operation: operation)
        do {
            return try checked.run(
                write: { try write(to: temporary.descriptor, $0) }, meanwhile: meanwhile,
                examine: examine)
        } catch let error as UnsoundFile {
            throw destination.unverified(error.reason, error.underlying)
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
            try gate.requireOpen()
            try fileSystem.writeAll(bytes, to: descriptor, at: offset)
            gate.open(offset..<(offset + Int64(bytes.count)))
            behind.advance(to: gate.end)
        }
    }
}
