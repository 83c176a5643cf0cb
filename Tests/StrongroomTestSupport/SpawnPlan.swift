package import Foundation
import Strongroom

/// What `posix_spawn` is to do in a new process before the program starts.
///
/// A program gets the descriptors that it is given, and no other. Of its own, a plan makes all
/// close-on-exec, and a lock holds between the creation of a pipe and the moment it becomes so; but
/// Foundation opens files without that, and a program that another test starts meanwhile would keep
/// them open, and would so be a user of a database that is to be replaced.
struct SpawnPlan {
    // Not of Void: the thread sanitizer takes the address of a value without size for another one.
    private static let lock = Locked(false)

    private var actions: posix_spawn_file_actions_t
    private var attributes: posix_spawnattr_t
    private var childEnds: [Int32] = []
    private var given: Set<Int32> = [0, 1, 2]

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
        try useDefaultSignals(&self.attributes)
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
        try closeOthers()
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
        given.insert(number)
        try check("adddup2", posix_spawn_file_actions_adddup2(&actions, descriptor, number))
    }

    private mutating func closeOthers() throws {
        let end = given.reduce(0, max) + 1
        for number in 0..<end where !given.contains(number) { try close(number) }
        try addCloseFrom(end, to: &actions)
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

#if canImport(Darwin)
package func addCloseFrom(_ number: Int32, to actions: inout posix_spawn_file_actions_t?) {}
#else
private typealias AddCloseFrom =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
// glibc has it from version 2.34, and declares it only to programs that ask for GNU extensions.
private let addCloseFrom = loadedFunction(
    "posix_spawn_file_actions_addclosefrom_np", as: AddCloseFrom.self)

/// Closes the descriptors from a number on in the new process, where the C library can do that.
package func addCloseFrom(_ number: Int32, to actions: inout posix_spawn_file_actions_t) throws {
    if let addCloseFrom { try check("addclosefrom", addCloseFrom(&actions, number)) }
}
#endif

#if canImport(Darwin)
package typealias SpawnAttributes = posix_spawnattr_t?
#else
package typealias SpawnAttributes = posix_spawnattr_t
#endif

/// Has a new program meet every signal as usual. The tests ignore SIGPIPE; those who started the tests
/// may have them ignore SIGINT and SIGHUP, as a shell does in the background and `nohup` does; and a
/// new program inherits that.
package func useDefaultSignals(
    _ attributes: inout SpawnAttributes, andFlags more: Int16 = 0
) throws {
    var all = sigset_t()
    sigfillset(&all)
    sigdelset(&all, SIGKILL)
    sigdelset(&all, SIGSTOP)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    let flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | more
    try check("posix_spawnattr_setflags", posix_spawnattr_setflags(&attributes, flags))
}

private func check(_ call: String, _ code: Int32) throws {
    guard code == 0 else { throw SystemCallError(call, code: code) }
}
