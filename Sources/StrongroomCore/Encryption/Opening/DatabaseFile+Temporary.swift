// SQLite opens a file by its path, also one that this process has made and holds open. Whoever owns
// the folder can put another file, or a link, under that name just before.
//
// 1. No link is followed, and no file is created.
// 2. Before anything is written, SQLite's own descriptor is proved to be one of the same file.
// 3. What is only read is opened as a file that does not change: SQLite then looks for no journal
//    and no log beside it, which could be anybody's.
// 4. A file that is being filled has no journal. In the end it may get a log, for a moment: SQLite
//    opens that by name, and follows no link either.

extension DatabaseFile {
    /// The file as the temporary one that it is filled in.
    func filled(in temporary: FileReplacement.Temporary) -> DatabaseFile {
        var file = self
        file.path = temporary.path
        file.temporary = temporary
        return file
    }

    func temporaryOpening(
        for purpose: Purpose
    ) -> (name: String, flags: ConnectionHandle.OpenFlags) {
        purpose == .filling
            ? (path, [.readWrite, .noFollow])
            : (path.immutableURI, [.readOnly, .uri, .noFollow])
    }

    /// - Throws: ``SystemError/isReplaced`` if SQLite has opened another file.
    func requireOpen(
        _ temporary: FileReplacement.Temporary, _ database: Database
    ) throws {
        let byteCount = try fileSystem.descriptorStatus(temporary.descriptor).byteCount
        let isSame =
            byteCount == 0
            ? try isFoundEmpty(temporary, database) : try isFound(temporary, database)
        guard isSame else {
            try? database.close()
            throw SystemError("compare", path, number: SystemError.replaced)
        }
    }

    /// - Throws: ``SystemError/isReplaced`` if another file stands under the temporary one's name.
    func requireInPlace() throws(SystemError) {
        guard let temporary else { return }
        guard (try? fileSystem.status(path).identity) == temporary.identity else {
            throw SystemError("compare", path, number: SystemError.replaced)
        }
    }

    /// A page as it is in the file; the salt alone makes it the only one of its kind.
    private func isFound(
        _ temporary: FileReplacement.Temporary, _ database: Database
    ) throws -> Bool {
        var own = [UInt8](repeating: 0, count: 4096)
        let count = try own.withUnsafeMutableBytes {
            try fileSystem.readAll(temporary.descriptor, $0, at: 0)
        }
        return try database.withHandle { $0.rawBytes(count: count) } == Array(own[..<count])
    }

    /// A random number that is written behind SQLite's back, where it looks for nothing yet.
    private func isFoundEmpty(
        _ temporary: FileReplacement.Temporary, _ database: Database
    ) throws -> Bool {
        let offset: Int64 = 1024
        let mark = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        try mark.withUnsafeBytes {
            try fileSystem.writeAll($0, to: temporary.descriptor, at: offset)
        }
        let found = try database.withHandle { $0.rawBytes(count: mark.count, at: offset) }
        try fileSystem.truncate(temporary.descriptor, 0)
        return found == mark
    }
}
