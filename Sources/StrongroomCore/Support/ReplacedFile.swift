/// The old file of a ``FileReplacement``, held open: that very file, whatever stands under its name
/// by now.
///
/// Closing it drops all locks that this process has on the file.
package final class ReplacedFile: Sendable {
    private static let spoiledByteCount = 512

    private let descriptor: FileSystem.Descriptor
    private let fileSystem: FileSystem

    init(_ descriptor: FileSystem.Descriptor, _ fileSystem: FileSystem) {
        self.descriptor = descriptor
        self.fileSystem = fileSystem
    }

    deinit {
        fileSystem.close(descriptor)
    }

    /// Overwrites its beginning, so that who still has it open reads no database, SQLITE_NOTADB, and
    /// writes nothing. The file must be locked exclusively.
    ///
    /// It does not become shorter: of an empty file SQLite would remove the log and the journal,
    /// which by then are those of the file that has its name.
    package func spoil() {
        let bytes = (0..<Self.spoiledByteCount).map { _ in UInt8.random(in: 1...255) }
        bytes.withUnsafeBytes { try? fileSystem.writeAll($0, to: descriptor, at: 0) }
    }

    /// Overwrites all of it once, if it has no name any more, and waits for the disk.
    ///
    /// The file must be locked exclusively, or nobody may depend on what is in it.
    package func overwrite() -> OldBlocks {
        let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { zeros.deallocate() }
        zeros.initializeMemory(as: UInt8.self, repeating: 0)
        do throws(SystemError) {
            let status = try fileSystem.descriptorStatus(descriptor)
            guard status.linkCount == 0 else { return .failed("the old file has another name") }
            let system = fileSystem.typeName(of: status.identity) ?? "an unknown file system"
            guard FileSystem.overwritesInPlace(system) else { return .left(fileSystem: system) }
            var offset: Int64 = 0
            while offset < status.byteCount {
                let count = min(Int64(zeros.count), status.byteCount - offset)
                try fileSystem.writeAll(
                    UnsafeRawBufferPointer(rebasing: zeros[..<Int(count)]), to: descriptor,
                    at: offset)
                offset += count
            }
            try fileSystem.synchronize(descriptor)
            return .overwritten
        } catch {
            return .failed(error.reason)
        }
    }

    /// Whether it begins with these bytes.
    func begins(with bytes: [UInt8]) throws -> Bool {
        var own = [UInt8](repeating: 0, count: bytes.count)
        let count = try own.withUnsafeMutableBytes {
            try fileSystem.readAll(descriptor, $0, at: 0)
        }
        return own[..<count].elementsEqual(bytes)
    }
}

extension FileReplacement {
    /// The file that stood under the name at the beginning; nil if there was none.
    ///
    /// - Throws: ``SystemError/isReplaced`` if something else stands there now.
    package func openExisting() throws(SystemError) -> ReplacedFile? {
        let present = try folder.status(name)
        guard present?.identity == existing?.identity else { throw replaced }
        guard existing != nil else { return nil }
        guard let descriptor = try folder.open(name) else { throw replaced }
        let file = ReplacedFile(descriptor, fileSystem)
        guard try fileSystem.descriptorStatus(descriptor).identity == existing?.identity else {
            throw replaced
        }
        return file
    }

    private var replaced: SystemError {
        SystemError("compare", target, number: SystemError.replaced)
    }
}
