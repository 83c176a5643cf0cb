import StrongroomCore
internal import StrongroomEssentials
internal import Synchronization

/// A repository whose folders are held open, for one operation.
struct OpenRepository: Sendable {
    /// Where the repository is, for messages.
    let path: String
    let folders: RepositoryFolders
    let fileSystem: FileSystem
    let now: @Sendable () -> Date
    let keepsFormat: Bool
    let takesOtherDatabases: Bool
    let keyStore: KeyStore?
    let readsUnchangedFiles: Bool
    let refusesOlderCopies: Bool
    let doubtsKeys: Bool
    let storedKeyrings: StoredKeyrings
    let memory: BackupMemory?
    let acceptsRollback: Bool
    let current = CurrentHead()
    let held = HeldLock()
    let operation: LongOperation?

    init(_ repository: BackupRepository, _ operation: LongOperation? = nil) throws {
        self.operation = operation
        path = repository.path
        fileSystem = repository.files
        now = repository.now
        keepsFormat = repository.keepsFormat
        takesOtherDatabases = repository.takesOtherDatabases
        keyStore = repository.keyStore
        readsUnchangedFiles = repository.readsUnchangedFiles
        refusesOlderCopies = repository.refusesOlderCopies
        doubtsKeys = repository.doubtsKeys
        storedKeyrings = repository.storedKeyrings
        memory = repository.memory
        acceptsRollback = repository.acceptsRollback
        do {
            folders = try RepositoryFolders(
                path: path, isMember: repository.isMember, fileSystem)
        } catch let error as SystemError where error.isMissing {
            throw Self.notARepository(path, fileSystem, error)
        }
    }

    /// Of a folder that lacks a part: what has the others is a repository that has lost it.
    private static func notARepository(
        _ path: String, _ fileSystem: FileSystem, _ error: SystemError
    ) -> BackupError {
        let parts = [RepositoryLayout.head, RepositoryLayout.backups, RepositoryLayout.packs]
        let missing = parts.filter { (try? fileSystem.status(path + "/" + $0)) == nil }
        if BackupRepository.isUnfinished(path, fileSystem) {
            return BackupError(
                .notARepository, path, "\(path) is a repository whose creation was interrupted",
                hint: "BackupRepository.create(at:) completes it: it holds nothing yet",
                underlying: error, step: BackupStep.completeRepository)
        }
        if missing == [RepositoryLayout.head] {
            return BackupError(
                .damaged, path, "\(path) is damaged: \(missing[0]) is missing in it",
                hint:
                    "fetch head from another copy of the repository; without one, keep this "
                    + "folder, and create another repository",
                underlying: error, step: BackupStep.fetchHead)
        }
        if BackupRoot.isRepository(path, fileSystem) {
            let names = missing.joined(separator: " and ")
            return BackupError(
                .damaged, path,
                "\(path) is damaged: \(names) \(missing.count == 1 ? "is" : "are") missing in it",
                hint: "fetch \(names) from another copy of the repository", underlying: error)
        }
        return BackupError(
            .notARepository, path, "\(path) is no backup repository",
            hint: "mount its disk; if there never was one, BackupRepository.create(at:) creates it",
            underlying: error, step: BackupStep.makeRepository)
    }
}

// MARK: - Files

extension OpenRepository {
    func readHead() throws -> Head { try readHeadText().head }

    /// - Throws: ``BackupError``: `.rolledBack` if it is not what the host remembers.
    func readHeadText() throws -> HeadText {
        var refused: (digest: ContentDigest, error: BackupError)?
        var looks = 0
        while true {
            let text = try headText()
            // A server may have ever other heads.
            if let refused, refused.digest == text.digest || looks == Self.mostLooks {
                throw refused.error
            }
            looks += 1
            do {
                try compareWithMemory(text)
                current.value = text
                return text
            } catch let error as BackupError where error.code == .rolledBack {
                // Another process may have written a later one since, and remember that.
                refused = (text.digest, error)
            }
        }
    }

    private static var mostLooks: Int { 8 }

    private func headText() throws -> HeadText {
        let name = RepositoryLayout.head
        do {
            let bytes = try folders.root.content(of: name, limit: HeadText.largestByteCount)
            return try HeadText(bytes, path: folders.root.path(of: name))
        } catch let error as SystemError where error.isMissing {
            throw Self.notARepository(path, fileSystem, error)
        }
    }

    /// The last step of whatever changes the repository: it is done when the file has its name.
    ///
    /// - Throws: ``AfterCommit`` if the new head stands, or may stand: what it names must stay.
    /// - Parameter key: One that may sign; nothing in the first format, and for a repository that
    ///   has no backup yet.
    func writeHead(_ head: inout Head, _ key: BackupKey?) throws {
        var next = head
        next.generation = head.generation.map { $0 + 1 }
        if next.format.isSigned { next.key = key?.identifier }
        let bytes = try HeadText.encode(next, key)
        let path = folders.root.path(of: RepositoryLayout.head)
        let text = try HeadText(bytes, path: path)
        do {
            try folders.root.write(
                bytes, to: RepositoryLayout.head, by: folders.temporary(),
                after: requireUnchangedHead)
        } catch {
            // A system may have done what it reports as failed.
            guard mayBeHead(bytes) else { throw error }
            throw AfterCommit(underlying: error)
        }
        head = text.head
        current.value = text
        do {
            try folders.root.synchronize()
        } catch {
            throw AfterCommit(underlying: error)
        }
    }

    private func mayBeHead(_ bytes: [UInt8]) -> Bool {
        do {
            return try folders.root.content(
                of: RepositoryLayout.head, limit: HeadText.largestByteCount) == bytes
        } catch {
            // The first head of a repository is there, or it is not.
            return (error as? SystemError)?.isMissing != true
        }
    }

    /// Locks do not reach all who may write: another host may have its own.
    func requireUnchangedHead() throws {
        try held.value?.requireHeld()
        let path = folders.root.path(of: RepositoryLayout.head)
        guard let known = current.value?.digest else { return }
        let bytes = try folders.root.content(
            of: RepositoryLayout.head, limit: HeadText.largestByteCount)
        // Nobody has to verify again the signature of the very same.
        if let text = SealedText(bytes), text.kind == "sha256", text.seal == known,
            try text.content.withUnsafeBytes({ try ContentDigest(of: $0) }) == known
        {
            return
        }
        guard try HeadText(bytes, path: path).digest == known else {
            throw BackupError.changedMeanwhile(path)
        }
    }

    /// Writes a file under a temporary name, brings it to the disk, and gives it its name.
    func write(_ bytes: [UInt8], to name: String, in folder: RepositoryFolder) throws {
        try folder.write(bytes, to: name, by: folders.temporary())
    }
}

/// Something failed after the head was replaced, or as it was. Nothing that the new head names may be
/// removed.
struct AfterCommit: Error {
    let underlying: any Error
}

/// The head that an operation has read or written last, and what else it need not read again.
final class CurrentHead: Sendable {
    private let text = Mutex<HeadText?>(nil)
    private let entry = Mutex<BackupMemory.Entry?>(nil)
    private let names = Mutex<PackNames?>(nil)

    var value: HeadText? {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }

    /// What the host remembered when the head was read.
    var known: BackupMemory.Entry? {
        get { entry.withLock { $0 } }
        set { entry.withLock { $0 = newValue } }
    }

    /// The names of the packs, as long as nobody else may write.
    var packNames: PackNames? {
        get { names.withLock { $0 } }
        set { names.withLock { $0 = newValue } }
    }
}

/// The lock of the one that writes.
final class HeldLock: Sendable {
    private let lock = Mutex<RepositoryLock?>(nil)

    var value: RepositoryLock? {
        get { lock.withLock { $0 } }
        set { lock.withLock { $0 = newValue } }
    }
}

// MARK: - Locks

extension OpenRepository {
    /// Takes the lock of those who write, and clears away what others have left unfinished.
    func withWriterLock<Result>(
        _ operation: LongOperation,
        _ body: (_ head: inout Head, _ notices: [String]) throws -> Result
    ) throws -> Result {
        try withWriterLock(operation) { head in
            let notices = try clearLeftovers(head, PackNames(folders.packs))
            return try body(&head, notices)
        }
    }

    /// Takes the lock of those who write: the body clears away what others have left unfinished.
    func withWriterLock<Result>(
        _ operation: LongOperation, clearing body: (_ head: inout Head) throws -> Result
    ) throws -> Result {
        let lock = try RepositoryLock.take(
            RepositoryLayout.writerLock, in: folders.root, .alone, operation)
        held.value = lock
        defer { held.value = nil }
        var head = try readHead()
        return try body(&head)
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
