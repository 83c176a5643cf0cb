import LibC
import StrongroomCore

/// A program that takes over the terminal until it ends, and reads something from a pipe.
///
/// It is in this process's group: Ctrl-C and Ctrl-Z on the terminal reach both. This process does not
/// end by Ctrl-C meanwhile, as a shell does not.
struct ForegroundProcess {
    /// Where it finds the pipe.
    static let handedDescriptor: Int32 = 3
    static let handedPath = "/dev/fd/\(handedDescriptor)"
    /// What a pipe takes before anybody reads.
    private static let pipeByteCount = 4096 * 4

    private let id: pid_t

    /// - Parameters:
    ///   - words: The program, sought in `PATH`, and its arguments.
    ///   - secret: What it reads from ``handedPath``; it is in no argument, variable or file.
    ///   - variables: What it gets besides the variables of this process.
    ///   - keys: What it does not inherit.
    init(
        _ words: [String], handing secret: borrowing SecretBytes, variables: [String: String],
        withholding keys: WithheldKeys
    ) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .last("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reader, writer) = (Descriptor(number: ends[0]), Descriptor(number: ends[1]))
        defer { reader.close() }
        guard secret.count <= Self.pipeByteCount else {
            writer.close()
            throw SystemError("write", "", number: EFBIG)
        }
        do throws(SystemError) {
            try secret.withUnsafeBytes { bytes throws(SystemError) in try writer.write(bytes) }
        } catch {
            writer.close()
            throw error
        }
        writer.close()
        id = try Self.spawn(words, reader, variables, keys)
    }

    func signal(_ number: Int32) {
        kill(id, number)
    }

    /// The exit status, or 128 and the number of the signal that ended it, as shells have it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    private static func spawn(
        _ words: [String], _ reader: Descriptor, _ variables: [String: String],
        _ keys: WithheldKeys
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
        posix_spawn_file_actions_adddup2(&actions, reader.number, handedDescriptor)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What this process blocks and ignores is its own affair.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var broken = sigset_t()
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &broken)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let arguments = words.map { strdup($0.systemPath) }
        let added = variables.map { strdup("\($0.key)=\($0.value)") }
        defer { for word in arguments + added { free(word) } }
        let environment = ChildProcess.environment(
            without: keys.variables.union(variables.keys), adding: added)
        var id: pid_t = 0
        let error = posix_spawnp(
            &id, words[0], &actions, &attributes, arguments + [nil], environment)
        guard error == 0 else { throw SystemError("posix_spawn", words[0], number: error) }
        return id
    }
}
