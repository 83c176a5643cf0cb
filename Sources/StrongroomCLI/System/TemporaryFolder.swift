import LibC
import Strongroom

/// A new folder of this user's alone, for files of a moment.
struct TemporaryFolder {
    let path: String

    /// Makes one, in the place that the environment names.
    init() throws(SystemError) {
        let parent = getenv("TMPDIR").flatMap { String(validatingCString: $0) } ?? "/tmp"
        var template = Array("\(parent)/strongroom-XXXXXX".utf8CString)
        let name = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let path = name else { throw .last("mkdtemp", parent) }
        self.path = path
    }

    /// Removes it with the files in it; what cannot be removed stays.
    func remove() {
        for name in (try? FolderEntry.names(in: path)) ?? [] where name.isUTF8 {
            unlink("\(path)/\(name.text)")
        }
        rmdir(path)
    }
}
