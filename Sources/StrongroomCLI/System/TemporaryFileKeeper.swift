import LibC
import StrongroomCore
import Synchronization

/// Lets the program end at once when it leaves large files unfinished.
///
/// Whoever closes a file that has no name any more waits until the system has freed it, which takes a
/// second for some gigabytes, and so does whoever ends with it open.
///
/// 1. A shell that waits for the end of this process holds the file, and ends with it. It gets nothing else:
///    no variable, no key, no stream.
/// 2. Only files are held that nobody else uses: a database would seem to be in use. These are
///    temporary files, when the signal comes, and what is removed afterwards in a repository
///    (``FileSystem/ofRepositories``).
/// 3. Where anything of that fails, the program waits.
enum TemporaryFileKeeper {
    private struct State {
        var isEnding = false
        var removed: [Int32] = []
    }

    private static let state = Mutex(State())
    private static let smallestByteCount: Int64 = 64 << 20
    private static let folder = "/proc/self/fd"
    private static let firstDescriptor: Int32 = 3

    /// Whether the program is about to end early.
    fileprivate static var isEnding: Bool { state.withLock { $0.isEnding } }

    fileprivate static func keep(_ removed: Int32) {
        state.withLock { $0.removed.append(removed) }
    }

    /// Holds the large temporary files of this process until it has ended.
    static func hold() {
        state.withLock { $0.isEnding = true }
        raiseDescriptorLimit()
        let open = ((try? FolderEntry.names(in: folder)) ?? []).compactMap { Int32($0) }
        hold(open.filter(isTemporary), among: open)
    }

    /// Holds what was removed since ``hold()``, until this process has ended.
    static func holdRemoved() {
        let files = state.withLock { $0.removed }
        hold(files, among: files)
    }

    private static func hold(_ files: [Int32], among open: [Int32]) {
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
        let firstFree = firstDescriptor + Int32(files.count)
        let copies = ([end] + files).map { fcntl($0, F_DUPFD_CLOEXEC, firstFree) }
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

    /// A repository can have thousands of packs, and each takes two descriptors.
    private static func raiseDescriptorLimit() {
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}

extension FileSystem {
    /// For repositories: what is removed when the program is about to end early, the system frees once
    /// it has ended.
    static let ofRepositories: FileSystem = {
        var fileSystem = FileSystem.system
        let calls = fileSystem.inFolder
        fileSystem.inFolder.remove = { (folder, name) throws(SystemError) in
            let pinned = TemporaryFileKeeper.isEnding ? try? calls.pin(folder, name) : nil
            try calls.remove(folder, name)
            if let pinned { TemporaryFileKeeper.keep(pinned) }
        }
        return fileSystem
    }()
}
