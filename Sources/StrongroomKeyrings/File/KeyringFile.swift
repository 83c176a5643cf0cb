internal import LibC
import StrongroomCore

/// The file of a keyring: read as it is, and replaced as a whole.
struct KeyringFile: Sendable {
    /// The path of the database, without links.
    let database: String
    var fileSystem = FileSystem.system

    var path: String { database + DatabaseFile.keyringSuffix }
    var lockPath: String { path + ".lock" }

    /// Whether there is none, and its lock is there: it was removed, or what was to write it was interrupted.
    var isMissing: Bool {
        let isThere = try? fileSystem.statusIfPresent(path) != nil
        let isLocked = try? fileSystem.statusIfPresent(lockPath) != nil
        return isThere == false && isLocked == true
    }

    /// Where a restore keeps a keyring that it replaces.
    var keptPath: String { database + ".replaced" + DatabaseFile.keyringSuffix }

    var hasKept: Bool { (try? fileSystem.statusIfPresent(keptPath) != nil) ?? false }

    /// How long a change waits for another one, in milliseconds.
    private static let longestWait = 10_000

    /// - Parameter database: The path of the database, which need not exist; its folder does.
    init(ofDatabase database: String, fileSystem: FileSystem = .system) throws {
        self.fileSystem = fileSystem
        do throws(SystemError) {
            if try fileSystem.statusIfPresent(database) != nil {
                self.database = try fileSystem.resolve(database)
            } else {
                let (folder, name) = database.splitAtLastSlash
                self.database = try fileSystem.resolve(folder).appendingName(name)
            }
        } catch  where error.isMissing {
            throw KeyringError(
                .notFound, database, "there is no folder for \(database)", hint: "check the path",
                underlying: error)
        } catch {
            throw KeyringError(error, database)
        }
    }

    /// One that is kept somewhere else, and may have no path of the system: on another host, say.
    init(stored name: String) {
        database = name
    }

    // MARK: Reading

    /// - Returns: nil if there is none.
    func readIfPresent() throws -> KeyringText? {
        let (folder, name) = path.splitAtLastSlash
        do {
            let folder = try OpenFolder(folder, fileSystem)
            guard let status = try folder.status(name) else { return nil }
            guard status.kind == .file else {
                throw KeyringError.damaged(path, "it is not a regular file")
            }
            return try text(folder, name)
        } catch let error as SystemError {
            guard !error.isMissing else { return nil }
            let known = KeyringError(error, path)
            guard known.code == .failed else { throw known }
            throw KeyringError(
                .failed, path, "\(path) cannot be read: \(error.reason)",
                hint: "check the disk; copies and backups of the database have the keyring, too",
                underlying: error)
        }
    }

    /// A keyring that was replaced while it was read is overwritten: then the new one is read.
    private func text(_ folder: OpenFolder, _ name: String) throws -> KeyringText? {
        while true {
            let descriptor = try folder.openForReading(name)
            defer { fileSystem.close(descriptor) }
            do {
                return try KeyringText(bytes(descriptor), path: path)
            } catch {
                let identity = try fileSystem.descriptorStatus(descriptor).identity
                guard let present = try folder.status(name) else { return nil }
                if present.identity == identity { throw error }
            }
        }
    }

    private func bytes(_ descriptor: FileSystem.Descriptor) throws -> [UInt8] {
        let limit = KeyringContent.largestByteCount + 1
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        var count = 0
        while true {
            if count == bytes.count {
                guard count < limit else { break }
                bytes += [UInt8](repeating: 0, count: min(bytes.count, limit - count))
            }
            let before = count
            count += try bytes.withUnsafeMutableBytes {
                try fileSystem.read(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[before...]),
                    Int64(before))
            }
            if count == before { break }
        }
        return Array(bytes[..<count])
    }

    func read() throws -> KeyringText {
        guard let text = try readIfPresent() else {
            guard try hasDatabase() else {
                let isThere = try databaseIdentity() != nil
                throw KeyringError(
                    .notFound, database,
                    isThere
                        ? "\(database) is empty, and has no keyring" : "\(database) is not there",
                    hint: isThere ? "if it should hold data, look for a backup" : "check the path")
            }
            throw KeyringError(
                .notFound, path, "\(database) has no keyring",
                hint: isMissing
                    ? "strongroom key init creates one; if a restore or a copy ended before it wrote the keyring, "
                        + "run it again; one that was lost is in copies and backups of the database (strongroom "
                        + "backup keyrings)"
                    : "strongroom key init creates one; one that was lost is in copies and backups of the "
                        + "database (strongroom backup keyrings)")
        }
        return text
    }

    // MARK: Writing

    /// Calls a closure while nobody else changes the keyring.
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try takeLock()
        defer { fileSystem.unlock(closing: lock) }
        return try body()
    }

    private func takeLock() throws -> FileSystem.Descriptor {
        let (folder, name) = path.splitAtLastSlash
        let descriptor: FileSystem.Descriptor
        do throws(SystemError) {
            let parent = try fileSystem.inFolder.open(folder)
            defer { fileSystem.close(parent) }
            descriptor = try fileSystem.inFolder.openOrCreate(parent, name + ".lock")
            // Whoever may write the database may change its keyring. Only the owner can see to it.
            try? adoptOwner(descriptor)
        } catch {
            throw KeyringError(error, lockPath)
        }
        do {
            for _ in 0..<Self.longestWait {
                if try fileSystem.lock(descriptor) { return descriptor }
                usleep(1000)
            }
        } catch {
            fileSystem.close(descriptor)
            throw error
        }
        fileSystem.close(descriptor)
        throw KeyringError(
            .inUse, path, "another program changes \(path)",
            hint: "wait until it has ended, and try again")
    }

    /// Writes a keyring in place of the one that stands there, if any.
    ///
    /// - Parameter prove: Throws unless what was read back opens as it should.
    func write(
        _ text: KeyringText, replacing isThere: Bool, prove: (KeyringText) throws -> Void
    ) throws {
        do {
            let replacement = try FileReplacement(
                of: path, sidecarSuffixes: [], fileSystem: fileSystem)
            replacement.removeLeftovers()
            let old = isThere ? try replacement.openExisting() : nil
            try replacement.write(overwrite: isThere) { temporary in
                try text.bytes.withUnsafeBytes {
                    try fileSystem.writeAll($0, to: temporary.descriptor)
                }
                if !isThere { try adoptOwner(temporary.descriptor) }
                try prove(try written(temporary.descriptor, text))
            }
            // Its slots are to be gone with it, as far as the file system lets them.
            _ = old?.overwrite()
        } catch let error as FileReplacement.NotDurable {
            throw KeyringError(error.underlying, path)
        } catch let error as SystemError {
            throw KeyringError(error, path)
        }
    }

    private func written(
        _ descriptor: FileSystem.Descriptor, _ text: KeyringText
    ) throws -> KeyringText {
        guard try bytes(descriptor) == text.bytes else {
            throw SystemError("read back", path, number: SystemError.inputOutput)
        }
        return try KeyringText(text.bytes, path: path)
    }

    /// Gives a first keyring the mode and the owner of the database.
    private func adoptOwner(_ descriptor: FileSystem.Descriptor) throws {
        guard let status = try fileSystem.statusIfPresent(database) else { return }
        let own = try fileSystem.descriptorStatus(descriptor)
        if (own.owner, own.group) != (status.owner, status.group) {
            try fileSystem.changeOwner(descriptor, status.owner, status.group)
        }
        try fileSystem.changeMode(descriptor, status.mode)
    }

    /// Removes the keyring.
    func remove() throws {
        do throws(SystemError) {
            try fileSystem.remove(path)
            try fileSystem.synchronizeDirectory(path.splitAtLastSlash.directory)
        } catch {
            throw KeyringError(error, path)
        }
    }

    /// Removes the keyring, and overwrites what was in it.
    func shred() throws -> OldBlocks {
        let old: ReplacedFile?
        do throws(SystemError) {
            old = try FileReplacement(of: path, sidecarSuffixes: [], fileSystem: fileSystem)
                .openExisting()
        } catch {
            throw KeyringError(error, path)
        }
        try remove()
        return old?.overwrite() ?? .overwritten
    }
}

extension KeyringFile {
    /// Which file the database is now; nil if there is none.
    func databaseIdentity() throws -> FileStatus.Identity? {
        do throws(SystemError) {
            return try fileSystem.statusIfPresent(database)?.identity
        } catch {
            throw KeyringError(error, database)
        }
    }

    /// Whether the database exists, and has pages.
    func hasDatabase() throws -> Bool {
        do throws(SystemError) {
            for path in [database, database + "-wal"] {
                if let status = try fileSystem.statusIfPresent(path), status.byteCount > 0 {
                    return true
                }
            }
            return false
        } catch {
            throw KeyringError(error, database)
        }
    }
}
