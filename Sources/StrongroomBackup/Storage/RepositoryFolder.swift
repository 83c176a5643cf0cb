import StrongroomCore

/// A folder of a repository, held open.
///
/// 1. What is done here is done in this folder, wherever its path leads to meanwhile.
/// 2. No link is followed but those in the path of the repository itself.
/// 3. Only files are opened: no pipes, devices or folders.
final class RepositoryFolder: Sendable {
    /// Where it is, for messages.
    let path: String
    let fileSystem: FileSystem
    private let descriptor: FileSystem.Descriptor

    private var calls: FolderCalls { fileSystem.inFolder }

    /// The folder of a path that the user gave.
    init(path: String, _ fileSystem: FileSystem) throws {
        descriptor = try fileSystem.inFolder.open(path)
        self.path = path
        self.fileSystem = fileSystem
    }

    private init(_ name: String, in parent: RepositoryFolder) throws(SystemError) {
        descriptor = try parent.calls.openFolder(parent.descriptor, name)
        path = parent.path(of: name)
        fileSystem = parent.fileSystem
    }

    deinit {
        fileSystem.close(descriptor)
    }

    func path(of name: String) -> String { path.appendingName(name) }

    /// A folder in this one; a link is refused.
    func folder(_ name: String) throws -> RepositoryFolder {
        do {
            return try RepositoryFolder(name, in: self)
        } catch  where SystemError.refusedLink.contains(error.number) {
            throw Self.notAsWritten(path(of: name), "a folder")
        } catch {
            throw located(error, name)
        }
    }

    func makeFolder(_ name: String) throws {
        try locating(name) { () throws(SystemError) in try calls.makeFolder(descriptor, name) }
    }

    /// The same where another process may have just done so.
    func makeFolderUnlessThere(_ name: String) throws {
        do {
            try makeFolder(name)
        } catch let error as SystemError where error.number == SystemError.fileExists {}
    }

    func names() throws -> [String] {
        try locating("") { () throws(SystemError) in try calls.names(descriptor) }
    }

    /// Calls a closure with each name as its bytes and, if asked, with what stands under it.
    func forEachName(withStatus: Bool, _ body: FolderCalls.NameBody) throws {
        if let forEachName = calls.forEachName {
            return try locating("") { () throws(SystemError) in
                try forEachName(descriptor, withStatus, body)
            }
        }
        for name in try names() {
            let status = withStatus ? try status(of: name) : nil
            PathText.bytes(of: name).withUnsafeBytes { body($0, status) }
        }
    }

    /// The size of a file; nil if that name is free, or is that of a link or a folder.
    func byteCount(of name: String) throws -> Int64? {
        let status = try status(of: name)
        return status?.kind == .file ? status?.byteCount : nil
    }

    func contains(_ name: String) throws -> Bool { try status(of: name) != nil }

    func ownStatus() throws -> FileStatus { try fileSystem.descriptorStatus(descriptor) }

    /// What stands under a name, also if it is a link; nil if it is free.
    func status(of name: String) throws -> FileStatus? {
        try locating(name) { () throws(SystemError) in try calls.status(descriptor, name) }
    }

    func create(_ name: String) throws -> FileSystem.Descriptor {
        try locating(name) { () throws(SystemError) in try calls.create(descriptor, name) }
    }

    /// Opens a file, and nothing but a file, for reading.
    func openForReading(_ name: String) throws -> FileSystem.Descriptor {
        try requireFile(name) { () throws(SystemError) in
            try calls.openForReading(descriptor, name)
        }
    }

    func openOrCreate(_ name: String) throws -> FileSystem.Descriptor {
        try requireFile(name) { () throws(SystemError) in
            try calls.openOrCreate(descriptor, name)
        }
    }

    /// The whole of a small file.
    func content(of name: String, limit: Int) throws -> [UInt8] {
        let file = try openForReading(name)
        defer { fileSystem.close(file) }
        let count = Int(try fileSystem.descriptorStatus(file).byteCount)
        guard count <= limit else {
            throw BackupError.damaged(path(of: name), "it is too long")
        }
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            used = try fileSystem.readAll(file, UnsafeMutableRawBufferPointer(buffer), at: 0)
        }
    }

    /// Writes a file under a name in another folder, brings it to the disk, and gives it its name.
    ///
    /// - Parameter check: The last look before it gets its name.
    func write(
        _ bytes: [UInt8], to name: String, by temporary: RepositoryFolder,
        after check: () throws -> Void = {}
    ) throws {
        let temporaryName = RepositoryLayout.temporaryName()
        let file = try temporary.create(temporaryName)
        do {
            defer { fileSystem.close(file) }
            try bytes.withUnsafeBytes { try fileSystem.writeAll($0, to: file) }
            try fileSystem.synchronize(file)
            try check()
            try temporary.rename(temporaryName, to: self, as: name)
        } catch {
            try? temporary.remove(temporaryName)
            throw error
        }
    }

    func rename(_ name: String, to folder: RepositoryFolder, as newName: String) throws {
        try folder.locating(newName) { () throws(SystemError) in
            try calls.rename(descriptor, name, folder.descriptor, newName)
        }
    }

    func remove(_ name: String) throws {
        try locating(name) { () throws(SystemError) in try calls.remove(descriptor, name) }
    }

    func synchronize() throws {
        try locating("") { () throws(SystemError) in try calls.synchronize(descriptor) }
    }

    // MARK: - Errors

    private func requireFile(
        _ name: String, _ open: () throws(SystemError) -> FileSystem.Descriptor
    ) throws -> FileSystem.Descriptor {
        let file: FileSystem.Descriptor
        do {
            file = try open()
        } catch  where SystemError.refusedLink.contains(error.number) {
            throw Self.notAsWritten(path(of: name), "a file")
        } catch {
            throw located(error, name)
        }
        do {
            guard try fileSystem.descriptorStatus(file).kind == .file else {
                throw Self.notAsWritten(path(of: name), "a file")
            }
            return file
        } catch {
            fileSystem.close(file)
            throw error
        }
    }

    private func locating<Result>(
        _ name: String, _ body: () throws(SystemError) -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            throw located(error, name)
        }
    }

    private func located(_ error: SystemError, _ name: String) -> SystemError {
        error.renamed(name.isEmpty ? path : path(of: name))
    }

    private static func notAsWritten(_ path: String, _ what: String) -> BackupError {
        BackupError(
            .damaged, path, "\(path) is not \(what), but a link or something else",
            hint: "a repository holds its own files and folders: put \(what) in its place")
    }
}

extension SystemError {
    /// How a system answers that a name is a link, or no folder.
    fileprivate static let refusedLink = [loop, notADirectory]
}
