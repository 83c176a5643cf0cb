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
    public func findingsInOpenFiles(of directory: String? = nil) throws -> [Finding] {
        let descriptors = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: descriptors).flatMap { name in
            let link = "\(descriptors)/\(name)"
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
                target.hasPrefix(directory ?? "/"), let content = try regularFile(link)
            else { return [Finding]() }
            return find(in: content, path: target)
        }
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
