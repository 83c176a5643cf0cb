public import Foundation

/// A fresh directory that disappears with the last reference to it.
///
/// Keep it as a property of the suite or of the fixture, not as a temporary value: what lies in it is
/// gone as soon as nobody holds it.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    /// - parameter parent: where to create it; the system's temporary directory by default.
    public init(in parent: String? = nil) throws {
        let parent = parent ?? FileManager.default.temporaryDirectory.path
        var template = Array("\(parent)/strongroom-test-XXXXXX".utf8CString)
        path = try template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, let name = mkdtemp(start) else {
                throw SystemCallError("mkdtemp", path: parent)
            }
            return String(cString: name)
        }
    }

    deinit {
        // A test may have taken the permission to change the directory away.
        _ = chmod(path, 0o700)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in this directory, whether it exists or not.
    public func path(of name: String) -> String {
        "\(path)/\(name)"
    }

    /// Creates a file with that content and returns its path.
    @discardableResult
    public func write(
        _ content: some DataProtocol, to name: String, mode: mode_t = 0o600
    ) throws -> String {
        let path = path(of: name)
        try Data(content).write(to: URL(fileURLWithPath: path))
        guard chmod(path, mode) == 0 else { throw SystemCallError("chmod", path: path) }
        return path
    }

    /// Creates a file with that text and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        try write(Data(text.utf8), to: name, mode: mode)
    }

    /// The names of what lies in the directory, sorted.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
