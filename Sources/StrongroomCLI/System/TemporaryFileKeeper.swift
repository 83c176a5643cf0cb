import LibC
import StrongroomCore

/// Lets the program end at once when it leaves a large temporary file unfinished.
///
/// Whoever closes a file that has no name any more waits until the system has freed it, which takes a
/// second for some gigabytes, and so does whoever ends with it open.
///
/// 1. A shell that waits for the end of this process holds the file, and ends with it. It gets nothing else:
///    no variable, no key, no stream.
/// 2. Only temporary files are held, which nobody else uses: a database would seem to be in use.
/// 3. Where anything of that fails, the program waits.
enum TemporaryFileKeeper {
    private static let smallestByteCount: Int64 = 64 << 20
    private static let folder = "/proc/self/fd"
    private static let firstDescriptor: Int32 = 3

    /// Holds the large temporary files of this process until it has ended.
    static func hold() {
        let open = ((try? FolderEntry.names(in: folder)) ?? []).compactMap { Int32($0) }
        let files = open.filter(isTemporary)
        guard !files.isEmpty else { return }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for number in ends + open.filter({ $0 > 2 }) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        // The other end stays open as long as this process lives.
        spawn(reading: ends[0], holding: files)
        close(ends[0])
    }

    private static func isTemporary(_ number: Int32) -> Bool {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Int64(status.st_size) >= smallestByteCount,
            let path = try? FileSystem.system.linkTarget("\(folder)/\(number)")
        else { return false }
        let name = path.splitAtLastSlash.name
        return name.hasPrefix(".") && name.contains(".strongroom-")
    }

    private static func spawn(reading end: Int32, holding files: [Int32]) {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Above what is given, so that none takes another's place.
        let copies = ([end] + files).map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
        defer { for copy in copies where copy >= 0 { close(copy) } }
        guard copies.allSatisfy({ $0 >= 0 }) else { return }
        posix_spawn_file_actions_adddup2(&actions, copies[0], 0)
        for stream in [Int32(1), 2] {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
        }
        for (place, copy) in copies.dropFirst().enumerated() {
            posix_spawn_file_actions_adddup2(&actions, copy, firstDescriptor + Int32(place))
        }
        let words = ["sh", "-c", "read -r end"]
        let arguments = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        let environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var id: pid_t = 0
        _ = posix_spawn(&id, "/bin/sh", &actions, nil, arguments + [nil], environment)
    }
}
