internal import LibC
import StrongroomCore
internal import Synchronization

/// A program that speaks SFTP on its standard input and output, which are one socket.
///
/// 1. It gets no descriptor of this process but its own three, and no variable that is withheld.
/// 2. It is in a process group of its own: an interruption from the terminal reaches this process alone, which
///    ends what it does before it lets go of the server.
/// 3. When this process ends, however it ends, the server reads the end of its input.
final class ServerProcess: Sendable {
    /// Names of variables that hold secrets, which no server inherits.
    static let withheldVariables = Mutex<Set<String>>([])

    let socket: Int32
    let errors: Int32
    private let id: pid_t

    init(_ words: [String]) throws(SystemError) {
        let (own, its) = try Self.socketPair()
        let output: (reader: Int32, writer: Int32)
        do throws(SystemError) {
            output = try Self.pipe()
        } catch {
            for end in [own, its] { close(end) }
            throw error
        }
        defer { for end in [its, output.writer] { close(end) } }
        do throws(SystemError) {
            id = try Self.spawn(words, socket: its, errors: output.writer)
        } catch {
            for end in [own, output.reader] { close(end) }
            throw error
        }
        socket = own
        errors = output.reader
        for end in [own, output.reader] {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        }
    }

    /// Lets go of the server, which has nothing more to do, and waits for its end: for a moment if it ends by
    /// itself, and no longer than it takes to kill it.
    ///
    /// - Returns: What it ended with, in words; nil for success.
    func end() -> String? {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
        close(errors)
        var status: Int32 = 0
        // The server may have to write what it has received: it gets 2 seconds, then a signal.
        for step in 0..<300 {
            let ended = waitpid(id, &status, WNOHANG)
            if ended != 0 { return ended == id ? Self.words(of: status) : nil }
            if step == 200 { kill(-id, SIGTERM) }
            usleep(10_000)
        }
        kill(-id, SIGKILL)
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return Self.words(of: status)
    }

    private static func words(of status: Int32) -> String? {
        // WIFEXITED, WEXITSTATUS and WTERMSIG are macros, which Swift does not import.
        let signal = status & 0x7F
        if signal != 0 { return "was killed by signal \(signal)" }
        let code = status >> 8 & 0xFF
        return code == 0 ? nil : "failed with exit status \(code)"
    }
}

// MARK: - Starting

extension ServerProcess {
    private static func socketPair() throws(SystemError) -> (own: Int32, its: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #endif
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw last("socketpair") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func pipe() throws(SystemError) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard LibC.pipe(&ends) == 0 else { throw last("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func last(_ call: String) -> SystemError {
        SystemError(call, "", number: errno)
    }

    private static func spawn(
        _ words: [String], socket: Int32, errors: Int32
    ) throws(SystemError) -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, 0)
        posix_spawn_file_actions_adddup2(&actions, socket, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        #if !canImport(Darwin)
        _ = closeFrom?(&actions, 3)
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGPIPE, SIGHUP, SIGINT, SIGTERM, SIGXFSZ] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
                | Int16(POSIX_SPAWN_SETPGROUP))
        let arguments = words.map { strdup($0) }
        defer { for word in arguments { free(word) } }
        var id: pid_t = 0
        let error = posix_spawnp(
            &id, words[0], &actions, &attributes, arguments + [nil], environment())
        guard error == 0 else { throw SystemError("start", words[0], number: error) }
        return id
    }

    #if !canImport(Darwin)
    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    // glibc has it from version 2.34, and declares it only to programs that ask for GNU extensions.
    private static let closeFrom = loadedFunction(
        "posix_spawn_file_actions_addclosefrom_np", as: CloseFrom.self)
    #endif

    private static func environment() -> [UnsafeMutablePointer<CChar>?] {
        let withheld = withheldVariables.withLock { $0 }
        var entries: [UnsafeMutablePointer<CChar>?] = []
        var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
        while let entry = next.pointee {
            let isWithheld = withheld.contains { strncmp(entry, $0 + "=", $0.utf8.count + 1) == 0 }
            if !isWithheld { entries.append(entry) }
            next += 1
        }
        return entries + [nil]
    }
}
