extension CipherKey {
    /// More than any key that people use; what is longer was not meant to be one.
    private static let limitInBytes = 4096

    /// Reads a key file, in the format of ``init(parsing:)`` and ``write(toNewFile:)``.
    ///
    /// ```swift
    /// let key = try CipherKey(contentsOfFile: "app.key")
    /// ```
    ///
    /// The bytes are only in memory that is wiped. This does not check who else can read the file.
    ///
    /// - Throws: ``CipherKeyError``: `.cannotRead` if the file does not exist or is too long for a
    ///   key; otherwise what ``init(parsing:)`` throws, with the name of the file.
    public convenience init(contentsOfFile path: String) throws(CipherKeyError) {
        try self.init(contentsOfFile: path, fileSystem: .system)
    }

    package convenience init(
        contentsOfFile path: String, fileSystem: FileSystem
    ) throws(CipherKeyError) {
        let content = try Self.content(ofFile: path, fileSystem)
        let key = try content.withUnsafeBytes { bytes throws(CipherKeyError) in
            do throws(CipherKeyError) {
                return try CipherKey(parsing: bytes)
            } catch {
                throw CipherKeyError(error.code, "\(path): \(error.message)", hint: error.hint)
            }
        }
        self.init(copying: key)
    }

    private static func content(
        ofFile path: String, _ fileSystem: FileSystem
    ) throws(CipherKeyError) -> SecretBytes {
        let content: SecretBytes
        do throws(SystemError) {
            content = try bytes(ofFile: path, fileSystem)
        } catch {
            throw CipherKeyError(.cannotRead, "cannot read \(path): \(error.reason)")
        }
        guard content.count <= limitInBytes else {
            throw CipherKeyError(
                .cannotRead, "\(path) is too long for a key",
                hint: "a key file holds one key, of at most \(limitInBytes) bytes")
        }
        return content
    }

    /// The bytes of a file, up to one more than a key has.
    private static func bytes(
        ofFile path: String, _ fileSystem: FileSystem
    ) throws(SystemError) -> SecretBytes {
        let descriptor = try fileSystem.openForReading(path)
        defer { fileSystem.close(descriptor) }
        let limit = limitInBytes + 1
        var content = SecretBytes(capacity: limit)
        var before = -1
        while before < content.count, content.count < limit {
            before = content.count
            try content.append(upTo: limit - before) { (memory) throws(SystemError) in
                try fileSystem.read(descriptor, memory, Int64(before))
            }
        }
        return content
    }

    /// Creates a key file that only its owner can read, and reads it back to verify it.
    ///
    /// The file contains the key in the format of ``init(parsing:)``, and a newline. It is synced
    /// when this returns.
    ///
    ///     try CipherKey.generated().write(toNewFile: "app.key")
    ///
    /// - Throws: ``CipherKeyError``: `.fileExists` if the name is taken (a key file is never
    ///   overwritten), `.cannotWrite` if something failed; then no file is left.
    public func write(toNewFile path: String) throws(CipherKeyError) {
        try write(toNewFile: path, fileSystem: .system)
    }

    package func write(
        toNewFile path: String, fileSystem: FileSystem
    ) throws(CipherKeyError) {
        let content = fileContent()
        guard content.withUnsafeBytes({ isRepresented(by: $0) }) else {
            throw CipherKeyError(
                .cannotWrite,
                "a file with this passphrase would not be read back as the same passphrase",
                hint:
                    "choose a shorter one that neither begins like a raw key (x') nor ends in a return"
            )
        }
        let (directory, name) = path.splitAtLastSlash
        let folder: OpenFolder
        let descriptor: FileSystem.Descriptor
        do {
            folder = try OpenFolder(directory, fileSystem)
            descriptor = try folder.create(name)
        } catch  where error.number == SystemError.fileExists {
            throw CipherKeyError(
                .fileExists, "\(path) exists already",
                hint: "key files are never overwritten: choose another name")
        } catch {
            throw .cannotWrite(path, error)
        }
        defer { fileSystem.close(descriptor) }
        do throws(SystemError) {
            try content.withUnsafeBytes { (bytes) throws(SystemError) in
                try fileSystem.writeAll(bytes, to: descriptor)
            }
            try fileSystem.synchronize(descriptor)
            try verify(content.count, in: descriptor, path: path, fileSystem: fileSystem)
            try folder.synchronize()
            try folder.require(fileSystem.descriptorStatus(descriptor).identity, under: name)
        } catch {
            discard(descriptor, in: folder, name: name, fileSystem: fileSystem)
            throw .cannotWrite(path, error)
        }
    }

    /// What somebody else has put under the name stays; the key does not.
    private func discard(
        _ descriptor: FileSystem.Descriptor, in folder: OpenFolder, name: String,
        fileSystem: FileSystem
    ) {
        try? fileSystem.truncate(descriptor, 0)
        let identity = try? fileSystem.descriptorStatus(descriptor).identity
        if let identity, (try? folder.require(identity, under: name)) != nil {
            try? folder.remove(name)
        }
    }

    /// The line of a key file.
    func fileContent() -> SecretBytes {
        var content = SecretBytes()
        withSQLCipherBytes { content.append($0) }
        content.append(UInt8(ascii: "\n"))
        return content
    }

    private func isRepresented(by bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= Self.limitInBytes, let parsed = try? CipherKey(parsing: bytes) else {
            return false
        }
        return parsed.isSame(as: self)
    }

    private func verify(
        _ count: Int,
        in descriptor: FileSystem.Descriptor,
        path: String,
        fileSystem: FileSystem
    ) throws(SystemError) {
        var buffer = SecretBytes(capacity: count + 1)
        try buffer.append(upTo: count + 1) { (memory) throws(SystemError) in
            try fileSystem.read(descriptor, memory, 0)
        }
        guard buffer.withUnsafeBytes({ isRepresented(by: $0) }) else {
            throw SystemError("read back", path, number: SystemError.inputOutput)
        }
    }
}

extension CipherKeyError {
    fileprivate static func cannotWrite(_ path: String, _ error: SystemError) -> CipherKeyError {
        CipherKeyError(.cannotWrite, "cannot write \(path): \(error.reason)")
    }
}
