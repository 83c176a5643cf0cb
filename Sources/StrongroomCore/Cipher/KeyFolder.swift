/// The files of a ``KeyStore``: `0001.key`, `0002.key`, `0003.next`, and notes of who needs them.
struct KeyFolder: Sendable {
    let path: String
    let fileSystem: FileSystem

    init(_ path: String, _ fileSystem: FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
    }

    /// Which keys there are.
    struct Listing: Equatable {
        var settled: [Int] = []
        var unsettled: [Int] = []

        var numbers: [Int] { Set(settled + unsettled).sorted() }
        var current: Int? { settled.last }
        /// A key after the current one.
        var pending: Int? { unsettled.last.flatMap { $0 > settled.last ?? 0 ? $0 : nil } }
    }

    static func digits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static func name(_ number: Int, isPending: Bool) -> String {
        digits(number) + (isPending ? ".next" : ".key")
    }
}

// MARK: - Reading

extension KeyFolder {
    /// - Returns: An empty one if there is no folder.
    func listing() throws(CipherKeyError) -> Listing {
        var listing = Listing()
        for name in try names() {
            guard let (number, isPending) = Self.key(named: name) else { continue }
            if isPending {
                listing.unsettled.append(number)
            } else {
                listing.settled.append(number)
            }
        }
        listing.settled.sort()
        listing.unsettled.sort()
        return listing
    }

    func names() throws(CipherKeyError) -> [String] {
        do {
            let status = try fileSystem.statusIfPresent(path)
            guard let status else { return [] }
            try requireFolder(status)
            let names = try? fileSystem.names(path)
            try requirePrivate(status, names)
            return try names ?? fileSystem.names(path)
        } catch let error as CipherKeyError {
            throw error
        } catch let error as SystemError {
            throw CipherKeyError(.cannotRead, "cannot read \(path): \(error.reason)")
        } catch {
            throw CipherKeyError(.cannotRead, "cannot read \(path)")
        }
    }

    private func requireFolder(_ status: FileStatus) throws(CipherKeyError) {
        guard status.kind == .directory else {
            throw CipherKeyError(
                .cannotRead, "\(path) is not a folder", hint: "name a folder for the keys")
        }
    }

    /// A folder of other things is not to be closed to those who use them.
    private func requirePrivate(
        _ status: FileStatus, _ names: [String]?
    ) throws(CipherKeyError) {
        guard status.mode & 0o077 != 0 else { return }
        let holdsKeys = names.map { $0.isEmpty || $0.contains { Self.key(named: $0) != nil } }
        guard holdsKeys == false else {
            throw CipherKeyError(
                .cannotRead, "other users can look into \(path), which holds keys",
                hint: "chmod 700 \(path)")
        }
        throw CipherKeyError(
            .cannotRead,
            "\(path) holds other files and no key, and other users can look into it",
            hint: "name a separate folder for the keys, with the mode 700")
    }

    private static func key(named name: String) -> (number: Int, isPending: Bool)? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), number > 0, digits(number) == parts[0],
            parts[1] == "key" || parts[1] == "next"
        else { return nil }
        return (number, parts[1] == "next")
    }

    func key(_ number: Int, _ listing: Listing) throws(CipherKeyError) -> CipherKey {
        let name = Self.name(number, isPending: !listing.settled.contains(number))
        return try CipherKey(contentsOfFile: path.appendingName(name), fileSystem: fileSystem)
    }

    /// Reads keys, again if another process has renamed one of them meanwhile.
    func stable<Result>(
        _ body: (Listing) throws(CipherKeyError) -> Result
    ) throws(CipherKeyError) -> Result {
        var listing = try listing()
        while true {
            do throws(CipherKeyError) {
                return try body(listing)
            } catch {
                let now = try self.listing()
                if now == listing { throw error }
                listing = now
            }
        }
    }
}

// MARK: - Writing

extension KeyFolder {
    /// Creates the folder, if it is not there.
    func create() throws(CipherKeyError) {
        do {
            guard try fileSystem.statusIfPresent(path) == nil else { return }
            let place = path.splitAtLastSlash
            let parent = try fileSystem.inFolder.open(place.directory)
            defer { fileSystem.close(parent) }
            do {
                try fileSystem.inFolder.makeFolder(parent, place.name)
            } catch  where error.number == SystemError.fileExists {
                return
            }
            try fileSystem.inFolder.synchronize(parent)
        } catch {
            throw Self.cannotWrite(path, error)
        }
    }

    /// Writes a key under a name that is free. It is on the disk when this returns, and was read back.
    func write(_ key: CipherKey, to name: String) throws(CipherKeyError) {
        let target = path.appendingName(name)
        let content = key.fileContent()
        try content.withUnsafeBytes { (bytes) throws(CipherKeyError) in
            try write(bytes, to: target)
        }
        let written = try CipherKey(contentsOfFile: target, fileSystem: fileSystem)
        guard written.isSame(as: key) else {
            throw CipherKeyError(.cannotWrite, "\(target) does not hold what was written")
        }
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, to target: String, overwrite: Bool = false
    ) throws(CipherKeyError) {
        do {
            try replace(target, by: bytes, overwrite: overwrite)
        } catch let error as FileReplacement.NotDurable {
            throw Self.cannotWrite(target, error.underlying)
        } catch let error as SystemError where error.number == SystemError.fileExists {
            throw CipherKeyError(.fileExists, "\(target) exists already")
        } catch {
            throw Self.cannotWrite(target, error)
        }
    }

    /// Between the end of its lock and its rename, a temporary may fall to another process that removes leftovers, such
    /// as one that creates the first key, too; then there is another try.
    private func replace(
        _ target: String, by bytes: UnsafeRawBufferPointer, overwrite: Bool
    ) throws {
        func attempt() throws {
            let replacement = try FileReplacement(
                of: target, sidecarSuffixes: [], fileSystem: fileSystem)
            replacement.removeLeftovers()
            try replacement.write(
                overwrite: overwrite,
                fill: {
                    giveToOwner($0.descriptor)
                    try fileSystem.writeAll(bytes, to: $0.descriptor)
                })
        }
        for _ in 1..<100 {
            do {
                return try attempt()
            } catch let error as SystemError where error.isMissing {
                continue
            }
        }
        try attempt()
    }

    /// Gives a new file to whom the folder belongs, if this process may: what root writes for a service, the service has to
    /// read. SQLite does the same with the files that it writes beside a database (`robustFchown` in os_unix.c).
    private func giveToOwner(_ descriptor: FileSystem.Descriptor) {
        guard let folder = try? fileSystem.statusIfPresent(path),
            let file = try? fileSystem.descriptorStatus(descriptor), file.owner != folder.owner
        else { return }
        try? fileSystem.changeOwner(descriptor, folder.owner, folder.group)
    }

    /// Syncs a key that is there already, and its name.
    func synchronize(_ number: Int) throws(CipherKeyError) {
        let target = path.appendingName(Self.name(number, isPending: true))
        do throws(SystemError) {
            let descriptor = try fileSystem.openForReading(target)
            defer { fileSystem.close(descriptor) }
            try fileSystem.synchronize(descriptor)
            try fileSystem.synchronizeDirectory(path)
        } catch {
            throw Self.cannotWrite(target, error)
        }
    }

    /// Renames a pending key, unless another process has done so.
    func settle(_ number: Int) throws(CipherKeyError) {
        do throws(SystemError) {
            let folder = try OpenFolder(path, fileSystem)
            let name = Self.name(number, isPending: false)
            do throws(SystemError) {
                try folder.rename(
                    Self.name(number, isPending: true), to: name, overwrite: false)
            } catch {
                guard try folder.status(name) != nil else { throw error }
            }
            try folder.synchronize()
        } catch {
            throw Self.cannotWrite(path, error)
        }
    }

    func remove(_ number: Int) throws(CipherKeyError) {
        do throws(SystemError) {
            let folder = try OpenFolder(path, fileSystem)
            for name in try namesToRemove(number) { try folder.remove(name) }
            try folder.synchronize()
        } catch {
            throw Self.cannotWrite(path, error)
        }
    }

    /// A copy of the folder that was merged into it can bring back what a key was called before: that goes with it, unless
    /// it is another key.
    private func namesToRemove(_ number: Int) throws(SystemError) -> [String] {
        var names: [String] = []
        for isPending in [true, false] {
            let name = Self.name(number, isPending: isPending)
            if try fileSystem.statusIfPresent(path.appendingName(name)) != nil {
                names.append(name)
            }
        }
        guard names.count == 2 else { return names }
        let keys = names.map {
            try? CipherKey(contentsOfFile: path.appendingName($0), fileSystem: fileSystem)
        }
        guard let next = keys[0], let key = keys[1], key.isSame(as: next) else {
            return [names[1]]
        }
        return names
    }

    /// - Returns: A descriptor, the closing of which ends the lock.
    func takeLock() throws -> FileSystem.Descriptor {
        let descriptor: FileSystem.Descriptor
        do {
            let folder = try fileSystem.inFolder.open(path)
            defer { fileSystem.close(folder) }
            descriptor = try fileSystem.inFolder.openOrCreate(folder, "lock")
            giveToOwner(descriptor)
            if try fileSystem.lock(descriptor) { return descriptor }
        } catch {
            throw Self.cannotWrite(path, error)
        }
        fileSystem.close(descriptor)
        throw CipherKeyError(
            .inUse, "another rotation uses the keys in \(path)", hint: "wait until it has ended")
    }

    static func cannotWrite(_ path: String, _ error: any Error) -> CipherKeyError {
        let reason = (error as? SystemError)?.reason ?? "\(error)"
        return CipherKeyError(.cannotWrite, "cannot write \(path): \(reason)")
    }
}
