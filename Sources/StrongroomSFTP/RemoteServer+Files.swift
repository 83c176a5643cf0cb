internal import LibC
package import StrongroomCore
internal import Synchronization

// Folders and names of the server by paths and descriptors. Descriptors count from a number that the system
// gives to no process, and are never used twice.

extension RemoteServer {
    typealias Descriptor = FileSystem.Descriptor

    private static let nextDescriptor = Atomic<Descriptor>(firstDescriptor)
    private static let firstDescriptor: Descriptor = 1 << 30

    static func isRemote(_ descriptor: Descriptor) -> Bool { descriptor >= firstDescriptor }

    /// The path on the server for one that begins with the URL; nil for a path of this machine.
    func remotePath(_ text: String) -> String? {
        guard text.hasPrefix(place.text) else { return nil }
        let rest = text.dropFirst(place.text.count)
        guard rest.isEmpty || rest.hasPrefix("/") else { return nil }
        return Self.joined(place.folder, String(rest.drop { $0 == "/" }))
    }

    private static func joined(_ folder: String, _ name: String) -> String {
        if name.isEmpty { return folder.isEmpty ? "." : folder }
        return folder.isEmpty || folder == "." ? name : folder.appendingName(name)
    }

    // MARK: - Descriptors

    func insert(_ object: OpenObject) -> Descriptor {
        let descriptor = Self.nextDescriptor.wrappingAdd(1, ordering: .relaxed).oldValue
        state.withLock { $0.open[descriptor] = object }
        return descriptor
    }

    func object(_ descriptor: Descriptor) throws(SystemError) -> OpenObject {
        guard let object = state.withLock({ $0.open[descriptor] }) else {
            throw SystemError("use", place.text, number: EBADF)
        }
        return object
    }

    func path(_ folder: Descriptor, _ name: String) throws(SystemError) -> String {
        guard case .folder(let path) = try object(folder) else {
            throw SystemError("use", place.text, number: ENOTDIR)
        }
        guard !name.isEmpty, !name.contains("/"), name != "..", !name.utf8.contains(0) else {
            throw SystemError("open", place.text, number: EINVAL)
        }
        return name == "." ? path : Self.joined(path, name)
    }

    func close(_ descriptor: Descriptor) {
        switch state.withLock({ $0.open.removeValue(forKey: descriptor) }) {
        case .reading(let file): file.close()
        case .writing(let file): file.close()
        case .folder, nil: break
        }
    }

    // MARK: - Folders

    func openFolder(_ path: String) throws(SystemError) -> Descriptor {
        let real = try attempt("open", path) { client, _ throws(SFTPFailure) in
            try client.realPath(path)
        }
        return try openRealFolder(place.folder.isEmpty ? path : real)
    }

    private func openRealFolder(_ path: String) throws(SystemError) -> Descriptor {
        let attributes = try attempt("open", path) { client, _ throws(SFTPFailure) in
            try withFolder(path, client) { () throws(SFTPFailure) in try client.status(path) }
        }
        guard attributes.isFolder else {
            throw SystemError("open", shown(path), number: attributes.isLink ? ELOOP : ENOTDIR)
        }
        state.withLock { _ = $0.made.remove(path) }
        return insert(.folder(path))
    }

    func openFolder(_ folder: Descriptor, _ name: String) throws(SystemError) -> Descriptor {
        try openRealFolder(path(folder, name))
    }

    func attributes(_ path: String) throws(SystemError) -> RemoteAttributes {
        try attempt("stat", path) { client, _ throws(SFTPFailure) in try client.status(path) }
    }

    func status(_ path: String) throws(SystemError) -> FileStatus {
        FileStatus(try attributes(path))
    }

    func status(_ folder: Descriptor, _ name: String) throws(SystemError) -> FileStatus? {
        let path = try path(folder, name)
        return try FileSystem.ifPresent { () throws(SystemError) in try status(path) }
    }

    func names(_ path: String) throws(SystemError) -> [String] {
        try attempt("list", path) { client, _ throws(SFTPFailure) in
            try withFolder(path, client) { () throws(SFTPFailure) in try client.names(path) }
        }
    }

    func names(_ folder: Descriptor) throws(SystemError) -> [String] {
        try names(path(folder, "."))
    }

    func makeFolder(_ folder: Descriptor, _ name: String) throws(SystemError) {
        try makeFolder(path(folder, name))
    }

    /// - Throws: `EEXIST` if the name is taken.
    private func makeFolder(_ path: String) throws(SystemError) {
        try attempt("mkdir", path) { client, isRepeated throws(SFTPFailure) in
            do throws(SFTPFailure) {
                try withFolder(of: path, client) { () throws(SFTPFailure) in
                    try client.makeFolder(path)
                }
            } catch {
                guard isRepeated, (try? client.status(path))?.isFolder == true else { throw error }
            }
        } explaining: { client, error in
            guard case .status = error, (try? client.status(path)) != nil else { return nil }
            return EEXIST
        }
        state.withLock { _ = $0.made.insert(path) }
    }

    /// Creates the folder that the URL names, if it is not there.
    package func makeRoot() throws(SystemError) {
        guard let path = remotePath(place.text) else { return }
        guard try FileSystem.ifPresent({ () throws(SystemError) in try status(path) }) == nil else {
            return
        }
        try makeFolder(path)
    }

    /// Removes a folder with all that is in it.
    package func removeTree(_ text: String) throws(SystemError) {
        guard let path = remotePath(text) else { return }
        try removeTree(at: path)
    }

    private func removeTree(at path: String) throws(SystemError) {
        guard try attributes(path).isFolder else { return try remove(path) }
        for name in try names(path) { try removeTree(at: Self.joined(path, name)) }
        state.withLock { _ = $0.made.remove(path) }
        try attempt("rmdir", path) { client, _ throws(SFTPFailure) in try client.removeFolder(path)
        }
    }

    // MARK: - Names

    func remove(_ folder: Descriptor, _ name: String) throws(SystemError) {
        try remove(path(folder, name))
    }

    private func remove(_ path: String) throws(SystemError) {
        try attempt("remove", path) { client, isRepeated throws(SFTPFailure) in
            do throws(SFTPFailure) {
                try client.remove(path)
            } catch {
                guard isRepeated, case .status(SFTPFailure.noSuchFile, _) = error else {
                    throw error
                }
            }
        }
    }

    func rename(
        _ folder: Descriptor, _ name: String, _ newFolder: Descriptor, _ newName: String
    ) throws(SystemError) {
        let path = try path(folder, name)
        let newPath = try self.path(newFolder, newName)
        try attempt("rename", newPath) { client, isRepeated throws(SFTPFailure) in
            do throws(SFTPFailure) {
                try withFolder(of: newPath, client) { () throws(SFTPFailure) in
                    try client.rename(path, to: newPath)
                }
            } catch {
                guard case .status(let code, _) = error else { throw error }
                let isTaken = (try? client.status(newPath)) != nil
                // The answer to the first request was lost, and not the request.
                if isRepeated, code == SFTPFailure.noSuchFile, isTaken { return }
                guard isTaken, !client.renamesOver, code != SFTPFailure.noSuchFile,
                    code != SFTPFailure.permissionDenied
                else { throw error }
                try Self.replace(newPath, by: path, client)
            }
        }
    }

    /// Replaces a file where the server renames to free names only.
    ///
    /// A small one is overwritten by one request, so that there is no moment without it. Of a larger one, whose
    /// name has its hash, the file that is there is as good.
    private static func replace(
        _ path: String, by newPath: String, _ client: Client
    ) throws(SFTPFailure) {
        let source = try client.open(newPath, Client.Access.read)
        defer { try? client.close(source) }
        let limit = Client.pieceByteCount
        let bytes = try Client.bytes(client.beginReading(source, at: 0, limit).wait(), limit: limit)
        guard bytes.count < limit else {
            try client.remove(path)
            return try client.rename(newPath, to: path)
        }
        let old = try client.status(path).byteCount ?? 0
        let flags = Client.Access.write | (old > Int64(bytes.count) ? Client.Access.truncate : 0)
        let target = try client.open(path, flags)
        do throws(SFTPFailure) {
            try Client.requireSuccess(client.beginWriting(target, bytes, at: 0).wait())
            if client.synchronizes { try client.synchronize(target) }
        } catch {
            try? client.close(target)
            throw error
        }
        try client.close(target)
        try client.remove(newPath)
    }

    /// Makes requests, and finds the error number that the protocol does not have.
    func attempt<Result>(
        _ call: String, _ path: String,
        _ body: (Client, _ isRepeated: Bool) throws(SFTPFailure) -> Result,
        explaining number: (Client, SFTPFailure) -> Int32?
    ) throws(SystemError) -> Result {
        var found: Int32?
        do throws(SystemError) {
            return try attempt(call, path) { client, isRepeated throws(SFTPFailure) in
                do throws(SFTPFailure) {
                    return try body(client, isRepeated)
                } catch {
                    found = number(client, error)
                    throw error
                }
            }
        } catch {
            throw found.map { SystemError(call, shown(path), number: $0) } ?? error
        }
    }
}

extension FileStatus {
    init(_ attributes: RemoteAttributes) {
        let kind: Kind =
            attributes.isFolder
            ? .directory : attributes.isLink ? .link : attributes.isFile ? .file : .other
        self.init(
            kind: kind, byteCount: attributes.byteCount ?? 0, mode: attributes.mode ?? 0,
            written: (attributes.written ?? 0) &* 1_000_000_000)
    }
}
