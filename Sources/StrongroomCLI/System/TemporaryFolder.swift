import LibC
import StrongroomCore

/// A new folder of this user's alone, for files of a moment.
struct TemporaryFolder {
    let path: String

    /// Makes one, in the place that the environment names.
    ///
    /// - Parameter places: Where to make it rather, in this order.
    init(preferring places: [String] = []) throws(SystemError) {
        let usual = getenv("TMPDIR").flatMap { PathText.text(of: $0) } ?? "/tmp"
        for place in places {
            if let path = Self.make(in: place) {
                self.path = path
                return
            }
        }
        guard let path = Self.make(in: usual) else { throw .last("mkdtemp", usual) }
        self.path = path
    }

    private static func make(in parent: String) -> String? {
        var template = "\(parent)/strongroom-XXXXXX".systemPath
        return template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { PathText.text(of: $0) }
        }
    }

    /// Removes it with the files in it; what cannot be removed stays.
    func remove() {
        for name in (try? FolderEntry.names(in: path)) ?? [] {
            unlink("\(path)/\(name)".systemPath)
        }
        rmdir(path.systemPath)
    }
}
