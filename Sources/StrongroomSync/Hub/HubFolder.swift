import StrongroomCore

/// A folder of a hub, held open for one call.
///
/// 1. What is done here is done in this folder, wherever its path leads to meanwhile.
/// 2. No link is followed but those in the path that the user gave for the hub.
/// 3. Only files are read: no pipes, devices or folders.
struct HubFolder: ~Copyable {
    static let temporaryMark = ".strongroom-"
    private static let digitCount = 16

    let path: String
    let files: FileSystem
    private let descriptor: FileSystem.Descriptor

    private var calls: FolderCalls { files.inFolder }

    /// The folder of a path that the user gave.
    init(path: String, _ files: FileSystem) throws(SystemError) {
        descriptor = try files.inFolder.open(path)
        self.path = path
        self.files = files
    }

    private init(
        _ name: String, in parent: borrowing HubFolder
    ) throws(SystemError) {
        descriptor = try parent.calls.openFolder(parent.descriptor, name)
        path = parent.path.appendingName(name)
        files = parent.files
    }

    deinit {
        files.close(descriptor)
    }

    /// A folder in this one; nil if there is none. A link is refused.
    func folder(_ name: String) throws(SystemError) -> HubFolder? {
        do throws(SystemError) {
            return try HubFolder(name, in: self)
        } catch {
            if error.number == SystemError.noSuchFile { return nil }
            throw error
        }
    }

    /// The same, created where it is missing: its name outlasts a loss of power before anything lies in it.
    func makingFolder(_ name: String) throws(SystemError) -> HubFolder {
        if let folder = try folder(name) { return folder }
        do throws(SystemError) {
            try calls.makeFolder(descriptor, name)
        } catch {
            // Another process has just created it.
            guard error.number == SystemError.fileExists else { throw error }
        }
        try calls.synchronize(descriptor)
        return try HubFolder(name, in: self)
    }

    // MARK: - Reading

    /// The content of a file; nil if there is none.
    func content(of name: String, limit: Int) throws -> [UInt8]? {
        let file: FileSystem.Descriptor
        do throws(SystemError) {
            file = try calls.openForReading(descriptor, name)
        } catch {
            if error.number == SystemError.noSuchFile { return nil }
            if error.number == SystemError.loop { throw Self.notAFile(name) }
            throw error
        }
        defer { files.close(file) }
        let status = try files.descriptorStatus(file)
        guard status.kind == .file else { throw Self.notAFile(name) }
        guard status.byteCount <= limit else { throw HubError.tooLarge(name, limit: limit) }
        let count = Int(status.byteCount)
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            used = try files.readAll(file, UnsafeMutableRawBufferPointer(buffer), at: 0)
        }
    }

    private static func notAFile(_ name: String) -> HubError {
        HubError(
            .damaged, name, "\(name) is not a file of the hub, but a link or something else",
            hint: "find out who put it there, and remove it")
    }

    /// Calls a closure with each name that may be an object's, and what stands under it.
    func forEachEntry(_ body: (String, FileStatus) -> Void) throws(SystemError) {
        if let forEachName = calls.forEachName {
            return try forEachName(descriptor, true) { bytes, status in
                if let status { body(PathText.text(of: bytes), status) }
            }
        }
        for name in try calls.names(descriptor) {
            if let status = try calls.status(descriptor, name) { body(name, status) }
        }
    }

    // MARK: - Writing

    /// Writes a file under a temporary name, brings it to the disk, and gives it its name.
    ///
    /// - Throws: `EEXIST` if the name is taken and nothing may be replaced.
    func write(_ bytes: [UInt8], to name: String, replacing: Bool) throws {
        let temporary = try makeTemporary(bytes)
        do {
            if replacing {
                try calls.rename(descriptor, temporary, descriptor, name)
            } else {
                try calls.renameToFreeName(descriptor, temporary, name)
            }
        } catch {
            try? calls.remove(descriptor, temporary)
            throw error
        }
        try calls.synchronize(descriptor)
    }

    private func makeTemporary(_ bytes: [UInt8]) throws -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let name =
            Self.temporaryMark
            + String(repeating: "0", count: Self.digitCount - digits.utf8.count) + digits
        let file = try calls.create(descriptor, name)
        do {
            defer { files.close(file) }
            try bytes.withUnsafeBytes { try files.writeAll($0, to: file) }
            try files.synchronize(file)
        } catch {
            try? calls.remove(descriptor, name)
            throw error
        }
        return name
    }

    /// When the file system says that a file was written just now, in nanoseconds since 1970.
    func time() throws -> Int64? {
        let name = try makeTemporary([0])
        defer { try? calls.remove(descriptor, name) }
        return try calls.status(descriptor, name)?.written
    }

    func remove(_ name: String) throws(SystemError) {
        try calls.remove(descriptor, name)
        try calls.synchronize(descriptor)
    }

    /// Removes the temporary files that processes which were killed have left, if they are older than a time.
    ///
    /// - Returns: How many.
    func removeLeftovers(writtenBefore time: Int64) throws(SystemError) -> Int {
        var names: [String] = []
        try forEachEntry { name, status in
            guard name.hasPrefix(Self.temporaryMark), status.kind == .file, status.written < time
            else { return }
            names.append(name)
        }
        return names.count { (try? calls.remove(descriptor, $0)) != nil }
    }
}
