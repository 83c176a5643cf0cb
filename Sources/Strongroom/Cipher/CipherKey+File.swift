extension CipherKey {
    /// Creates a key file that only its owner may read, and reads it back before it says that it is
    /// there.
    ///
    /// The file holds the key as ``init(parsing:)`` takes it, and a newline. It is on the disk when
    /// this returns.
    ///
    /// - Throws: ``CipherKeyError``: `.fileExists` if the name is taken (a key file is never
    ///   overwritten), `.cannotWrite` if something failed; nothing is left behind then.
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
                hint: "choose one that neither begins like a raw key (x') nor ends in a return")
        }
        let descriptor: FileSystem.Descriptor
        do {
            descriptor = try fileSystem.create(path)
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
            try fileSystem.synchronizeDirectory(path.splitAtLastSlash.directory)
        } catch {
            try? fileSystem.remove(path)
            throw .cannotWrite(path, error)
        }
    }

    private func fileContent() -> SecretBytes {
        var content = SecretBytes()
        withSQLCipherBytes { content.append($0) }
        content.append(UInt8(ascii: "\n"))
        return content
    }

    private func isRepresented(by bytes: UnsafeRawBufferPointer) -> Bool {
        guard let parsed = try? CipherKey(parsing: bytes) else { return false }
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
