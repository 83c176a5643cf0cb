internal import Dispatch
package import StrongroomCore

/// A hub in a folder, which several machines reach.
///
/// It lies on a server that they have mounted, is copied by a program such as Syncthing, or is on a stick. Each object is a file. A new one is written under a temporary name, brought to the disk, and renamed to its
/// own name if that is free. Calls run on threads of the hub's own, so that no task waits for a disk.
///
/// ```swift
/// let hub = FolderHub(path: "/mnt/share/hub")
/// ```
public struct FolderHub: SyncTransport {
    /// Where it is.
    public let path: String
    let files: FileSystem
    let pollInterval: Duration
    private let queue = DispatchQueue(label: "FolderHub", attributes: .concurrent)

    /// What is older is nobody's any more: no object takes as long to write.
    private static let leftoverAge: Int64 = 3_600_000_000_000

    /// Describes the hub of a folder, which has to exist when it is used.
    ///
    /// - Parameters:
    ///   - path: The folder. Links in the path are followed, and no others.
    ///   - pollInterval: How often ``wait(for:atMost:)`` looks for what other machines have written.
    public init(path: String, pollInterval: Duration = .seconds(2)) {
        self.init(path: path, pollInterval: pollInterval, files: .system)
    }

    /// The same on another file system, such as a server's.
    package init(path: String, pollInterval: Duration = .seconds(2), files: FileSystem) {
        self.path = path
        self.pollInterval = pollInterval
        self.files = files
    }

    // MARK: - Calls

    public func status() async throws -> HubStatus {
        try await run("") { files in
            let folder = try HubFolder(path: path, files)
            _ = try folder.time()
            return HubStatus(availableByteCount: try? files.availableByteCount(path))
        }
    }

    public func put(_ body: [UInt8], under name: String) async throws {
        try await write(body, to: name, replacing: false)
    }

    public func replace(_ name: String, with body: [UInt8]) async throws {
        guard HubObject.mayBeReplaced(name) else {
            throw HubError(.refused, name, "\(name) is written once")
        }
        try await write(body, to: name, replacing: true)
    }

    private func write(_ body: [UInt8], to name: String, replacing: Bool) async throws {
        try HubObject.require(name)
        try HubObject.require(body, fits: name)
        try await run(name) { files in
            let words = name.split(separator: "/").map(String.init)
            try Self.write(
                body, to: words[...], in: HubFolder(path: path, files), replacing: replacing)
        }
    }

    private static func write(
        _ body: [UInt8], to words: ArraySlice<String>, in folder: consuming HubFolder,
        replacing: Bool
    ) throws {
        guard let word = words.first else { return }
        if words.count == 1 {
            try folder.write(body, to: word, replacing: replacing)
        } else {
            try write(
                body, to: words.dropFirst(), in: folder.makingFolder(word), replacing: replacing)
        }
    }

    public func get(_ name: String) async throws -> [UInt8] {
        try HubObject.require(name)
        return try await run(name) { files in
            let words = name.split(separator: "/").map(String.init)
            let body = try withFolder(words.dropLast(), files) { folder in
                try folder.content(of: words[words.count - 1], limit: HubObject.byteLimit(of: name))
            }
            guard let body = body ?? nil else { throw HubError.notFound(name) }
            return body
        }
    }

    public func delete(_ name: String) async throws {
        try HubObject.require(name)
        try await run(name) { files in
            let words = name.split(separator: "/").map(String.init)
            _ = try withFolder(words.dropLast(), files) { folder in
                do throws(SystemError) {
                    try folder.remove(words[words.count - 1])
                } catch {
                    guard error.number == SystemError.noSuchFile else { throw error }
                }
            }
        }
    }

    public func clock() async throws -> Int64? {
        try await run("") { files in
            try HubFolder(path: path, files).time().map { $0 / 1_000_000 }
        }
    }

    /// Removes the temporary files that processes which were killed have left in a space, more than an hour ago by the
    /// hub's own clock.
    ///
    /// - Returns: How many.
    package func removeLeftovers(of space: SpaceID) async throws -> Int {
        try await run("") { files in
            let root = try HubFolder(path: path, files)
            guard let now = try root.time() else { return 0 }
            let age = now - Self.leftoverAge
            var count = try root.removeLeftovers(writtenBefore: age)
            if let folder = try root.folder(space.hexadecimal) {
                count += try Self.removeLeftovers(in: folder, writtenBefore: age, depth: 3)
            }
            return count
        }
    }

    private static func removeLeftovers(
        in folder: borrowing HubFolder, writtenBefore time: Int64, depth: Int
    ) throws -> Int {
        var count = try folder.removeLeftovers(writtenBefore: time)
        guard depth > 0 else { return count }
        var folders: [String] = []
        try folder.forEachEntry { if $1.kind == .directory { folders.append($0) } }
        for name in folders {
            guard let inner = try folder.folder(name) else { continue }
            count += try removeLeftovers(in: inner, writtenBefore: time, depth: depth - 1)
        }
        return count
    }

    // MARK: - Folders and threads

    /// Calls a closure with the folder that some names lead to; nil if it is not there.
    func withFolder<Result>(
        _ names: ArraySlice<String>, _ files: FileSystem,
        _ body: (borrowing HubFolder) throws -> Result
    ) throws -> Result? {
        try Self.withFolder(names, in: HubFolder(path: path, files), body)
    }

    private static func withFolder<Result>(
        _ names: ArraySlice<String>, in folder: borrowing HubFolder,
        _ body: (borrowing HubFolder) throws -> Result
    ) throws -> Result? {
        guard let name = names.first else { return try body(folder) }
        guard let inner = try folder.folder(name) else { return nil }
        return try withFolder(names.dropFirst(), in: inner, body)
    }

    /// Runs calls that may wait for a disk or a network, and says what their errors mean.
    func run<Result: Sendable>(
        _ name: String, _ body: @escaping @Sendable (FileSystem) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [files, path] in
                continuation.resume(
                    with: Swift.Result {
                        do {
                            return try body(files)
                        } catch let error as SystemError {
                            throw Self.error(error, name.isEmpty ? path : name)
                        }
                    })
            }
        }
    }

    private static func error(_ error: SystemError, _ name: String) -> HubError {
        guard error.number != SystemError.loop, error.number != SystemError.notADirectory else {
            return HubError(
                .damaged, name, "something on the way to \(name) is not a folder of the hub",
                hint: "find out who put it there, and remove it", underlying: error)
        }
        return HubError(error, name)
    }
}
