import LibC
import StrongroomCore

/// A running shell command whose standard output is read through a pipe.
struct ChildProcess {
    enum Ending: Equatable, CustomStringConvertible {
        case exited(Int32)
        case killed(Int32)

        var description: String {
            switch self {
            case .exited(let status): "failed with exit status \(status)"
            case .killed(let signal): "was killed by signal \(signal)"
            }
        }
    }

    let output: Descriptor
    private let id: pid_t

    /// - Parameter keys: What it does not inherit.
    init(shellCommand: String, withholding keys: WithheldKeys) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .last("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let writer = Descriptor(number: ends[1])
        output = Descriptor(number: ends[0])
        defer { writer.close() }
        do throws(SystemError) {
            id = try Self.spawn(["/bin/sh", "-c", shellCommand], output: writer, keys)
        } catch {
            output.close()
            throw error
        }
    }

    func terminate() {
        kill(id, SIGTERM)
    }

    func wait() -> Ending {
        output.close()
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        // WIFEXITED, WEXITSTATUS and WTERMSIG are macros, which Swift does not import.
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
    }

    /// The variables of this process but for some; the strings that are added are the caller's.
    static func environment(
        without names: Set<String>, adding more: [UnsafeMutablePointer<CChar>?] = []
    ) -> [UnsafeMutablePointer<CChar>?] {
        var entries: [UnsafeMutablePointer<CChar>?] = []
        var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
        while let entry = next.pointee {
            let isWithheld = names.contains { name in
                strncmp(entry, name + "=", name.utf8.count + 1) == 0
            }
            if !isWithheld { entries.append(entry) }
            next += 1
        }
        return entries + more + [nil]
    }

    private static func spawn(
        _ arguments: [String], output: Descriptor, _ keys: WithheldKeys
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
        posix_spawn_file_actions_adddup2(&actions, output.number, 1)
        if keys.descriptors.contains(0) {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        for number in keys.descriptors where number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What this process blocks and ignores is its own affair.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var broken = sigset_t()
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        sigaddset(&broken, SIGXFSZ)
        posix_spawnattr_setsigdefault(&attributes, &broken)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let words = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        var id: pid_t = 0
        let error = posix_spawn(
            &id, arguments[0], &actions, &attributes, words + [nil],
            environment(without: keys.variables))
        guard error == 0 else { throw SystemError("posix_spawn", arguments[0], number: error) }
        return id
    }
}
