import Foundation

/// Looks for strings that must not be readable: in the files of a directory, and in files that this
/// process holds open though they have no name any more, as SQLite's temporary files do.
public struct CanaryScanner: Sendable {
    /// A place where a canary was found.
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        public var canary: String
        public var path: String
        public var offset: Int

        public var description: String { "\(canary.debugDescription) at \(offset) of \(path)" }
    }

    private let canaries: [(name: String, bytes: [Data])]

    /// Looks for each text in UTF-8 and in both orders of UTF-16.
    public init(_ canaries: [String]) {
        self.canaries = canaries.map { text in
            let encodings: [String.Encoding] = [.utf8, .utf16LittleEndian, .utf16BigEndian]
            return (text, encodings.compactMap { text.data(using: $0) })
        }
    }

    public init(_ canaries: String...) {
        self.init(canaries)
    }

    /// Every regular file under the directory. A directory without one is an error: a scan that
    /// looks at nothing proves nothing.
    public func findings(inDirectory path: String) throws -> [Finding] {
        guard let enumerator = FileManager.default.enumerator(atPath: path) else {
            throw SystemCallError("opendir", path: path)
        }
        var findings: [Finding] = []
        var fileCount = 0
        for case let name as String in enumerator {
            let file = "\(path)/\(name)"
            guard let content = try regularFile(file) else { continue }
            fileCount += 1
            findings += find(in: content, path: file)
        }
        guard fileCount > 0 else { throw SystemCallError("no file", path: path, code: ENOENT) }
        return findings
    }

    /// One file.
    public func findings(inFile path: String) throws -> [Finding] {
        guard let content = try regularFile(path) else {
            throw SystemCallError("open", path: path, code: ENOENT)
        }
        return find(in: content, path: path)
    }

    /// Every regular file that this process holds open and that lies in the directory, or has lain
    /// there before it was unlinked; all of them when no directory is given. Linux only.
    ///
    /// They are read through the descriptors that there are. To open a file once more and close it
    /// would drop the locks that other tests have on it, and make them find it in use.
    public func findingsInOpenFiles(of directory: String? = nil) throws -> [Finding] {
        let descriptors = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: descriptors).flatMap { name in
            let link = "\(descriptors)/\(name)"
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
                target.hasPrefix(directory ?? "/"), let number = Int32(name),
                let content = try content(ofDescriptor: number) ?? writeOnlyFile(number, link)
            else { return [Finding]() }
            return find(in: content, path: target)
        }
    }

    // nil for what is no regular file, cannot be read, or has been closed since it was listed.
    private func content(ofDescriptor descriptor: Int32) throws -> Data? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(content.count))
            if count == 0 { return content }
            guard count > 0 else {
                if errno == EINTR { continue }
                if errno == EBADF || errno == ESPIPE || errno == EISDIR { return nil }
                throw SystemCallError("pread", path: "descriptor \(descriptor)")
            }
            content.append(contentsOf: buffer[..<count])
        }
    }

    // SQLite has none of these.
    private func writeOnlyFile(_ descriptor: Int32, _ link: String) throws -> Data? {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE == O_WRONLY else { return nil }
        return try regularFile(link)
    }

    // nil for what is no regular file, and for what has gone since it was listed.
    private func regularFile(_ path: String) throws -> Data? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENXIO { return nil }
            throw SystemCallError("open", path: path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemCallError("fstat", path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try FileHandle(fileDescriptor: descriptor).readToEnd() ?? Data()
    }

    private func find(in content: Data, path: String) -> [Finding] {
        canaries.flatMap { canary in
            canary.bytes.compactMap { bytes in
                content.range(of: bytes).map {
                    Finding(canary: canary.name, path: path, offset: $0.lowerBound)
                }
            }
        }
    }
}
