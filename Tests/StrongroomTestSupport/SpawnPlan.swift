import Foundation

/// What `posix_spawn` is to do in a new process before the program starts.
///
/// All descriptors are close-on-exec, so that a program started by another test at the same time does
/// not keep them open; a lock holds between the creation of a pipe and the moment it becomes so.
struct SpawnPlan {
    // Not of Void: the thread sanitizer takes the address of a value without size for another one.
    private static let lock = Locked(false)

    private var actions: posix_spawn_file_actions_t
    private var attributes: posix_spawnattr_t
    private var childEnds: [Int32] = []

    init() throws {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        try check("posix_spawn_file_actions_init", posix_spawn_file_actions_init(&actions))
        try check("posix_spawnattr_init", posix_spawnattr_init(&attributes))
        self.actions = actions
        self.attributes = attributes
        try useDefaultSignals()
    }

    // The tests ignore SIGPIPE, and a new program would inherit that.
    private mutating func useDefaultSignals() throws {
        var all = sigset_t()
        sigfillset(&all)
        sigdelset(&all, SIGKILL)
        sigdelset(&all, SIGSTOP)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        try check("posix_spawnattr_setflags", posix_spawnattr_setflags(&attributes, flags))
    }

    /// The end to write to; the program reads the other one as descriptor `number`.
    mutating func pipeToChild(as number: Int32) throws -> Int32 {
        let (reading, writing) = try pipe()
        try give(reading, as: number)
        return try neverBlocking(writing)
    }

    /// The end to read from; the program writes to the other one as descriptor `number`.
    mutating func pipeFromChild(as number: Int32) throws -> Int32 {
        let (reading, writing) = try pipe()
        try give(writing, as: number)
        return try neverBlocking(reading)
    }

    mutating func close(_ number: Int32) throws {
        try check("addclose", posix_spawn_file_actions_addclose(&actions, number))
    }

    mutating func spawn(
        _ program: String, _ arguments: [String], environment: [String: String]
    ) throws -> pid_t {
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for string in argv + envp { free(string) } }
        var identifier: pid_t = 0
        let code = Self.lock.withLock { _ in
            posix_spawnp(&identifier, program, &actions, &attributes, &argv, &envp)
        }
        guard code == 0 else { throw SystemCallError("posix_spawn", path: program, code: code) }
        return identifier
    }

    /// Gives up this process's side of what the program got.
    mutating func closeChildEnds() {
        for descriptor in childEnds { _ = Foundation.close(descriptor) }
        childEnds = []
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    private mutating func give(_ descriptor: Int32, as number: Int32) throws {
        childEnds.append(descriptor)
        try check("adddup2", posix_spawn_file_actions_adddup2(&actions, descriptor, number))
    }

    /// A pipe whose ends lie above the descriptors that programs are given by number.
    private func pipe() throws -> (reading: Int32, writing: Int32) {
        try Self.lock.withLock { _ in
            var ends: [Int32] = [0, 0]
            guard Foundation.pipe(&ends) == 0 else { throw SystemCallError("pipe") }
            defer { for end in ends { _ = Foundation.close(end) } }
            let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
            guard high.allSatisfy({ $0 >= 0 }) else { throw SystemCallError("fcntl") }
            return (high[0], high[1])
        }
    }

    private func neverBlocking(_ descriptor: Int32) throws -> Int32 {
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw SystemCallError("fcntl") }
        return descriptor
    }
}

private func check(_ call: String, _ code: Int32) throws {
    guard code == 0 else { throw SystemCallError(call, code: code) }
}
