internal import LibC

/// What processes have open, as `/proc` shows it to this one.
///
/// It is read with the system's own calls: there may be a hundred thousand descriptors on a machine, and
/// each is looked at several times in a rotation.
enum OpenDescriptors {
    /// The processes that there are, in order; none where there is no `/proc`.
    static func processes() -> [Int32] {
        var processes: [Int32] = []
        forEachNumber(in: "/proc") { _, _, process in processes.append(process) }
        return processes.sorted()
    }

    /// How many descriptors a process has on one of the files, whatever names these have by now.
    static func count(of process: Int32, on files: Set<FileStatus.Identity>) -> Int {
        var count = 0
        forEachNumber(in: "/proc/\(process)/fd") { folder, name, _ in
            var status = stat()
            guard fstatat(folder, name, &status, 0) == 0, status.st_mode & S_IFMT == S_IFREG
            else { return }
            if files.contains(FileStatus(status).identity) { count += 1 }
        }
        return count
    }

    /// Calls a closure for each name in a folder that is a number.
    private static func forEachNumber(
        in path: String,
        _ body: (_ folder: Int32, _ name: UnsafePointer<CChar>, _ number: Int32) -> Void
    ) {
        guard let stream = opendir(path) else { return }
        defer { closedir(stream) }
        let folder = dirfd(stream)
        while let entry = readdir(stream) {
            withUnsafePointer(to: &entry.pointee.d_name) { characters in
                characters.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    var end: UnsafeMutablePointer<CChar>?
                    let number = strtol(name, &end, 10)
                    guard end?.pointee == 0, let number = Int32(exactly: number) else { return }
                    body(folder, name, number)
                }
            }
        }
    }
}
