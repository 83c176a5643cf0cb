import LibC
import StrongroomCore

/// Starts programs, which inherit no keys, and no signals that this process blocks or ignores.
enum ProgramStart {
    /// - Parameters:
    ///   - words: The program, sought in `PATH` unless it names a folder, and its arguments.
    ///   - end: The end of a pipe that it gets.
    ///   - number: The number of the descriptor by which it has that end.
    ///   - variables: What it gets besides the variables of this process.
    ///   - input: What it gets as standard input instead of this process's.
    ///   - hidesInput: Whether it gets an empty standard input instead of this process's.
    ///   - keys: What it does not inherit.
    static func spawn(
        _ words: [String], handing end: Descriptor, as number: Int32,
        variables: [String: String] = [:], input: Descriptor? = nil, hidesInput: Bool = false,
        withholding keys: WithheldKeys
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
        for number in keys.descriptors where number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        posix_spawn_file_actions_adddup2(&actions, end.number, number)
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.number, 0)
        } else if hidesInput {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        sigaddset(&defaults, SIGXFSZ)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let arguments = words.map { strdup($0.systemPath) }
        let added = variables.map { strdup("\($0.key)=\($0.value)") }
        defer { for word in arguments + added { free(word) } }
        var id: pid_t = 0
        let error = posix_spawnp(
            &id, words[0], &actions, &attributes, arguments + [nil],
            environment(without: keys.variables.union(variables.keys), adding: added))
        guard error == 0 else { throw SystemError("posix_spawn", words[0], number: error) }
        return id
    }

    /// The variables of this process but for some; the strings that are added are the caller's.
    private static func environment(
        without names: Set<String>, adding more: [UnsafeMutablePointer<CChar>?]
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
}

/// Waits until a process that this one started ends.
///
/// - Returns: Its exit status, and the signal that ended it, or 0.
func waitForEnd(of id: pid_t) -> (status: Int32, signal: Int32) {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    // WIFEXITED, WEXITSTATUS and WTERMSIG are macros, which Swift does not import.
    return (status >> 8 & 0xFF, status & 0x7F)
}
