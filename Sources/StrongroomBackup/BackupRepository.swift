package import Foundation
package import Strongroom

/// A folder with backups of a database: plain files, as encrypted as the database itself.
///
/// ```swift
/// let repository = try BackupRepository.create(at: "/backup/shop")
/// let file = DatabaseFile(path: "shop.db", key: key)
/// try repository.backUp(file, tag: "nightly")
/// try repository.restore(to: "shop-of-today.db", key: key)
/// ```
///
/// What is written once never changes, except for one small file, `head`, that is replaced last of
/// all: what is interrupted has not happened. Errors are ``BackupError``, those of a database
/// `DatabaseFileError`, besides what a `progress` closure throws.
public struct BackupRepository: Sendable {
    /// Where the repository is.
    public let path: String

    let layout: RepositoryLayout
    /// The calls on files, which tests replace.
    package var fileSystem: FileSystem
    /// The time of day, which tests replace.
    package var now: @Sendable () -> Date = { Date() }

    /// A repository that exists; what is in it is read by the operations.
    ///
    /// - Throws: ``BackupError`` if there is none.
    public init(path: String) throws {
        try self.init(path: path, fileSystem: .system)
    }

    package init(path: String, fileSystem: FileSystem) throws {
        self.path = path
        self.fileSystem = fileSystem
        layout = RepositoryLayout(path: path)
        try explaining { _ = try readHead() }
    }

    private init(new path: String, _ fileSystem: FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
        layout = RepositoryLayout(path: path)
    }

    /// Makes an empty repository in a new folder, or in an empty one.
    ///
    /// - Throws: ``BackupError`` if the folder has anything in it.
    public static func create(at path: String) throws -> BackupRepository {
        let repository = BackupRepository(new: path, .system)
        try repository.explaining { try repository.make() }
        return repository
    }

    private func make() throws {
        if try fileSystem.statusIfPresent(path) == nil {
            try RepositoryLock.makeFolder(path)
        } else if try !fileSystem.names(path).isEmpty {
            throw BackupError(
                .exists, path, "\(path) is not empty",
                hint: "name a folder that is not there yet, or an empty one")
        }
        for folder in [layout.packs, layout.backups, layout.temporary] {
            try RepositoryLock.makeFolder(folder)
        }
        let name = (1...4).map { _ in
            let digits = String(UInt32.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        try writeHead(Head(repository: name.joined(), created: ManifestTime.text(of: now())))
        try fileSystem.synchronizeDirectory(path.splitAtLastSlash.directory)
    }

    /// Turns errors of the system into those that name the next step.
    func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SystemError {
            throw BackupError(error, path)
        } catch let error as DatabaseError {
            throw BackupError(
                .failed, path, error.message ?? "\(error)", underlying: error)
        }
    }
}

// MARK: - The head

extension BackupRepository {
    func readHead() throws -> Head {
        do {
            return try Head.decode(try readFile(layout.head), path: layout.head)
        } catch let error as SystemError where error.isMissing {
            throw BackupError(
                .notARepository, path, "\(path) is no backup repository",
                hint: "strongroom backup init makes one", underlying: error)
        }
    }

    /// The last step of whatever changes the repository.
    func writeHead(_ head: Head) throws {
        let bytes = try head.encoded()
        try write(bytes, to: layout.head)
        try fileSystem.synchronizeDirectory(path)
    }

    /// The whole of a small file.
    func readFile(_ path: String) throws -> [UInt8] {
        let descriptor = try fileSystem.openForReading(path)
        defer { fileSystem.close(descriptor) }
        let count = Int(try fileSystem.descriptorStatus(descriptor).byteCount)
        guard count <= 1 << 24 else { throw BackupError.damaged(path, "it is too long") }
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            used = try fileSystem.readAll(
                descriptor, UnsafeMutableRawBufferPointer(buffer), at: 0)
        }
    }

    /// Writes a file under a temporary name, brings it to the disk, and gives it its name.
    func write(_ bytes: [UInt8], to path: String) throws {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        let temporary = layout.temporary.appendingName(number)
        let descriptor = try fileSystem.create(temporary)
        do {
            defer { fileSystem.close(descriptor) }
            try bytes.withUnsafeBytes { try fileSystem.writeAll($0, to: descriptor) }
            try fileSystem.synchronize(descriptor)
            try fileSystem.rename(temporary, path)
        } catch {
            try? fileSystem.remove(temporary)
            throw error
        }
    }
}

// MARK: - Changing it

extension BackupRepository {
    /// Takes the lock of those who write, and removes what others have left unfinished.
    func withWriterLock<Result>(
        _ work: Work, _ body: (inout Head) throws -> Result
    ) throws -> Result {
        let lock = try RepositoryLock.take(layout.writerLock, .alone, work)
        defer { withExtendedLifetime(lock) {} }
        var head = try readHead()
        try removeLeftovers(head)
        return try body(&head)
    }

    /// What a run that did not come to its end has written: nothing refers to it.
    private func removeLeftovers(_ head: Head) throws {
        // Tools that copy repositories may leave an empty folder out.
        if try fileSystem.statusIfPresent(layout.temporary) == nil {
            try RepositoryLock.makeFolder(layout.temporary)
        }
        for name in try fileSystem.names(layout.temporary) {
            try fileSystem.remove(layout.temporary.appendingName(name))
        }
        for name in try fileSystem.names(layout.packs) {
            guard let (number, _) = PackFormat.parse(name), number >= head.nextPack else {
                continue
            }
            try fileSystem.remove(layout.packs.appendingName(name))
        }
        for name in try fileSystem.names(layout.backups) {
            guard let (number, _) = Manifest.parse(name), number > head.sequence else { continue }
            try fileSystem.remove(layout.backups.appendingName(name))
        }
    }

    /// Keeps others from removing packs meanwhile.
    func withReaderLock<Result>(_ work: Work, _ body: () throws -> Result) throws -> Result {
        let lock = try RepositoryLock.take(layout.readerLock, .shared, work)
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }
}
