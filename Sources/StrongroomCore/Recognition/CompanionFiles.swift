/// The files next to a database that SQLite plays back into it: its log and its journal.
///
/// SQLite takes whatever lies under the right name. The log of a file that lay here before destroys
/// the file that lies here now.
/// <https://www.sqlite.org/howtocorrupt.html#_separating_a_database_file_from_its_journal>
package struct CompanionFiles: Sendable {
    /// The path of the database, links resolved: SQLite looks for the files there.
    package let database: String
    let fileSystem: FileSystem

    /// Nil if nothing that could be played back lies next to the database.
    package init?(of database: String, _ fileSystem: FileSystem = .system) {
        guard !database.isEmpty else { return nil }
        self.database = database
        self.fileSystem = fileSystem
        guard holdsBytes(log) || holdsBytes(journal) else { return nil }
    }

    package var log: String { database + "-wal" }
    package var journal: String { database + "-journal" }

    private func holdsBytes(_ path: String) -> Bool {
        guard let status = try? fileSystem.statusIfPresent(path) else { return false }
        return status.kind == .file && status.byteCount > 0
    }

    /// What was found out about one of the two.
    enum Finding: Equatable {
        /// SQLite would play nothing back.
        case nothing
        /// Its pages were written with the key.
        case ours
        /// None of its pages was written with the key.
        case foreign(String)
        /// It is no file of SQLite's.
        case unusable(String)
        /// Its pages were written with the key, and not all of them are as they were, or it is older or
        /// younger than the file.
        case wrong(String)
        /// Its pages were written with the key, but for the first one.
        case otherFirstPage
        /// It has lost a part of what was written.
        case cut(String, provesKey: Bool)
        /// It holds all of the database, under another key.
        case otherKey

        var provesKey: Bool {
            switch self {
            case .ours, .wrong, .otherFirstPage: true
            case .cut(_, let provesKey): provesKey
            case .nothing, .foreign, .unusable, .otherKey: false
            }
        }
    }

    /// Looks at a file that others may be writing to: what is found counts only if the file begins
    /// as before at the end. A log is appended to under one beginning; a journal has its own for each
    /// transaction.
    func settled(_ path: String, _ look: () throws -> Finding) throws -> Finding {
        for _ in 0..<50 {
            let before = try beginning(of: path)
            let finding = try look()
            if finding == .ours || finding == .nothing { return finding }
            if try beginning(of: path) == before { return finding }
        }
        // A file that begins anew this often has a writer, who opened it with the key.
        return .ours
    }

    private struct Beginning: Equatable {
        let file: FileStatus.Identity
        let bytes: [UInt8]
    }

    private func beginning(of path: String) throws -> Beginning? {
        guard let descriptor = try fileSystem.openIfPresent(path) else { return nil }
        defer { fileSystem.close(descriptor) }
        return Beginning(
            file: try fileSystem.descriptorStatus(descriptor).identity,
            bytes: try fileSystem.bytes(LogFile.headerByteCount, of: descriptor, at: 0))
    }
}

extension FileSystem {
    /// As many bytes as there are at a place, up to a number.
    func bytes(
        _ count: Int, of descriptor: Descriptor, at offset: Int64
    ) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read: Result<Int, SystemError> = bytes.withUnsafeMutableBytes { buffer in
            do throws(SystemError) {
                return .success(try readAll(descriptor, buffer, at: offset))
            } catch {
                return .failure(error)
            }
        }
        return Array(bytes[..<(try read.get())])
    }
}
