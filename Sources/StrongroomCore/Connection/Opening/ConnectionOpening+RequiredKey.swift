// A file that is refused without a key is not made.

extension ConnectionOpening {
    /// Whether the file is not there yet.
    var isMissing: Bool {
        guard !flags.contains(.readOnly), !path.isEmpty, !path.hasPrefix("file:") else {
            return false
        }
        return (try? FileSystem.system.statusIfPresent(path)) == .some(nil)
    }

    /// Removes the file without content that SQLite has made before it was refused.
    func removeIfEmpty() {
        guard let status = try? FileSystem.system.statusIfPresent(path), status.byteCount == 0
        else {
            return
        }
        try? FileSystem.system.remove(path)
    }
}
