internal import LibC
import StrongroomCore
internal import Synchronization

// What is in files of the server.

extension RemoteServer {
    /// Files whose blocks are kept.
    private static let recentCount = 6

    func create(_ folder: Descriptor, _ name: String) throws(SystemError) -> Descriptor {
        let path = try path(folder, name)
        return insert(
            .writing(
                try attempt("create", path) { client, isRepeated throws(SFTPFailure) in
                    try withFolder(of: path, client) { () throws(SFTPFailure) in
                        try RemoteWriting(client, path, isRepeated: isRepeated)
                    }
                } explaining: { client, error in
                    guard case .status(let code, _) = error, code != SFTPFailure.noSuchFile else {
                        return nil
                    }
                    return (try? client.status(path)) != nil
                        ? EEXIST : Self.isFull(client, path) ? ENOSPC : nil
                }))
    }

    func openForReading(_ folder: Descriptor, _ name: String) throws(SystemError) -> Descriptor {
        let path = try path(folder, name)
        let attributes = try attributes(path)
        guard attributes.isFile else {
            throw SystemError("open", shown(path), number: attributes.isLink ? ELOOP : ENOTDIR)
        }
        return insert(
            .reading(
                try attempt("open", path) { client, _ throws(SFTPFailure) in
                    try RemoteReading(client, path)
                }))
    }

    func descriptorStatus(_ descriptor: Descriptor) throws(SystemError) -> FileStatus {
        switch try object(descriptor) {
        case .folder(let path): return try status(path)
        case .reading(let file): return FileStatus(file.attributes)
        case .writing(let file):
            return FileStatus(RemoteAttributes(byteCount: file.byteCount, mode: 0o100_600))
        }
    }

    func read(
        _ descriptor: Descriptor, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        guard case .reading(let file) = try object(descriptor) else {
            throw SystemError("read", place.text, number: EBADF)
        }
        keepBlocks(of: descriptor)
        return try attempt("read", file.path) { client, _ throws(SFTPFailure) in
            try file.read(buffer, at: offset, client)
        }
    }

    /// Many packs are open at a time, and few are read.
    private func keepBlocks(of descriptor: Descriptor) {
        let old = state.withLock { state -> OpenObject? in
            if state.recent.last == descriptor { return nil }
            state.recent.removeAll { $0 == descriptor }
            state.recent.append(descriptor)
            guard state.recent.count > Self.recentCount else { return nil }
            return state.open[state.recent.removeFirst()]
        }
        if case .reading(let file) = old { file.discardBlocks() }
    }

    /// - Parameter offset: Nil for the end of what was written.
    func write(
        _ descriptor: Descriptor, _ bytes: UnsafeRawBufferPointer, at offset: Int64?
    ) throws(SystemError) -> Int {
        let file = try writing(descriptor)
        try file.take(bytes, at: offset)
        try attemptWriting(file) { client throws(SFTPFailure) in try file.send(client) }
        return bytes.count
    }

    func synchronize(_ descriptor: Descriptor) throws(SystemError) {
        let file = try writing(descriptor)
        try attemptWriting(file) { client throws(SFTPFailure) in try file.finish(client) }
    }

    private func writing(_ descriptor: Descriptor) throws(SystemError) -> RemoteWriting {
        guard case .writing(let file) = try object(descriptor) else {
            throw SystemError("write", place.text, number: EBADF)
        }
        return file
    }

    private func attemptWriting(
        _ file: RemoteWriting, _ body: (Client) throws(SFTPFailure) -> Void
    ) throws(SystemError) {
        try attempt("write", file.path) { client, _ throws(SFTPFailure) in
            try body(client)
        } explaining: { client, error in
            if case .status = error, Self.isFull(client, file.path) { return ENOSPC }
            return nil
        }
    }

    /// The protocol has no number for a disk that is full.
    private static func isFull(_ client: Client, _ path: String) -> Bool {
        let space = try? client.availableByteCount(path.splitAtLastSlash.directory)
        return space.flatMap { $0 }.map { $0 < Int64(Client.pieceByteCount) } ?? false
    }

    func availableByteCount(_ path: String) throws(SystemError) -> Int64 {
        try attempt("statvfs", path) { client, _ throws(SFTPFailure) in
            try client.availableByteCount(path) ?? .max
        }
    }
}
