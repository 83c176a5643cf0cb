internal import Foundation
import Strongroom

/// A repository whose folders are held open, for one operation.
struct OpenRepository: Sendable {
    /// Where the repository is, for messages.
    let path: String
    let folders: RepositoryFolders
    let fileSystem: FileSystem
    let now: @Sendable () -> Date

    init(_ repository: BackupRepository) throws {
        path = repository.path
        fileSystem = repository.fileSystem
        now = repository.now
        do {
            folders = try RepositoryFolders(path: path, fileSystem)
        } catch let error as SystemError where error.isMissing {
            throw Self.notARepository(path, error)
        }
    }

    private static func notARepository(_ path: String, _ error: SystemError) -> BackupError {
        BackupError(
            .notARepository, path, "\(path) is no backup repository",
            hint: "strongroom backup init makes one", underlying: error)
    }
}

// MARK: - Files

extension OpenRepository {
    func readHead() throws -> Head {
        let name = RepositoryLayout.head
        do {
            let bytes = try readFile(name, in: folders.root)
            return try Head.decode(bytes, path: folders.root.path(of: name))
        } catch let error as SystemError where error.isMissing {
            throw Self.notARepository(path, error)
        }
    }

    /// The last step of whatever changes the repository.
    func writeHead(_ head: Head) throws {
        try write(try head.encoded(), to: RepositoryLayout.head, in: folders.root)
        try folders.root.synchronize()
    }

    /// The whole of a small file.
    func readFile(_ name: String, in folder: RepositoryFolder) throws -> [UInt8] {
        let descriptor = try folder.openForReading(name)
        defer { fileSystem.close(descriptor) }
        let count = Int(try fileSystem.descriptorStatus(descriptor).byteCount)
        guard count <= 1 << 24 else {
            throw BackupError.damaged(folder.path(of: name), "it is too long")
        }
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            used = try fileSystem.readAll(
                descriptor, UnsafeMutableRawBufferPointer(buffer), at: 0)
        }
    }

    /// Writes a file under a temporary name, brings it to the disk, and gives it its name.
    func write(_ bytes: [UInt8], to name: String, in folder: RepositoryFolder) throws {
        let temporary = try folders.temporary()
        let temporaryName = RepositoryLayout.temporaryName()
        let descriptor = try temporary.create(temporaryName)
        do {
            defer { fileSystem.close(descriptor) }
            try bytes.withUnsafeBytes { try fileSystem.writeAll($0, to: descriptor) }
            try fileSystem.synchronize(descriptor)
            try temporary.rename(temporaryName, to: folder, as: name)
        } catch {
            try? temporary.remove(temporaryName)
            throw error
        }
    }
}

// MARK: - Locks

extension OpenRepository {
    /// Takes the lock of those who write, and clears away what others have left unfinished.
    func withWriterLock<Result>(
        _ operation: LongOperation,
        _ body: (_ head: inout Head, _ notices: [String]) throws -> Result
    ) throws -> Result {
        let lock = try RepositoryLock.take(
            RepositoryLayout.writerLock, in: folders.root, .alone, operation)
        defer { withExtendedLifetime(lock) {} }
        var head = try readHead()
        let notices = try clearLeftovers(head)
        return try body(&head, notices)
    }

    /// Keeps others from removing packs meanwhile.
    func withReaderLock<Result>(_ operation: LongOperation, _ body: () throws -> Result) throws
        -> Result
    {
        let lock = try RepositoryLock.take(
            RepositoryLayout.readerLock, in: folders.root, .shared, operation)
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }
}

extension OpenRepository {
    func tree(of backup: Backup, _ store: PackStore) throws -> PageTree {
        guard let root = backup.manifest.rootReference else {
            throw BackupError.damaged(folders.backups.path, "backup \(backup.number) has no root")
        }
        return PageTree(root: root, pageCount: backup.manifest.pageCount, store: store)
    }
}
