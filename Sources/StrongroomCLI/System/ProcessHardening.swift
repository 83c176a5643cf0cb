import LibC
import StrongroomCore
import Synchronization

/// What the process does to itself before it reads a key.
package enum ProcessHardening {
    private static let isLocked = Atomic(false)

    /// Whether all memory of the process is locked against swapping, and is to stay so.
    package static var locksAllMemory: Bool { isLocked.load(ordering: .relaxed) }

    static func apply() {
        AddressSpace.spare()
        forbidCoreDumps()
        forbidCrashReports()
        occupyStandardDescriptors()
    }

    /// A core dump would hold keys and decrypted pages; so could a debugger of the same user.
    private static func forbidCoreDumps() {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Darwin)
        setrlimit(RLIMIT_CORE, &limit)
        #else
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        // prctl is variadic in C, which Swift does not import; its arguments are plain words.
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        _ = loadedFunction("prctl", as: Control.self)?(PR_SET_DUMPABLE, 0, 0, 0, 0)
        #endif
    }

    /// The report that Swift's runtime writes of a crash shows registers and memory, which may hold a
    /// key: the handlers that it has installed go.
    private static func forbidCrashReports() {
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] {
            signal(number, SIG_DFL)
        }
    }

    /// What SQLCipher and libcrypto keep of a key lies in the ordinary heap. Where a process may lock
    /// all of its memory, which root may, this one does.
    ///
    /// Under a limit it would not be kept from swapping, but from getting memory. SQLCipher would
    /// unlock the pages of the heap in which it frees a key; the program keeps it from that. Help and
    /// versions, which need no key, begin without this: it takes a tenth of their time.
    static func lockMemory() {
        #if !canImport(Darwin)
        let resource = __rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        var unlimited = rlimit(rlim_cur: .max, rlim_max: .max)
        guard
            limit.rlim_cur == .max || setrlimit(resource, &unlimited) == 0
                || mayLock(byteCount: Int(limit.rlim_cur) + 1)
        else { return }
        // As it is used: what is mapped and never touched takes no memory.
        isLocked.store(
            mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0, ordering: .relaxed)
        #endif
    }

    #if !canImport(Darwin)
    /// Whether so much memory could be locked: beyond the limit, who has the capability may.
    private static func mayLock(byteCount: Int) -> Bool {
        guard let memory = mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else { return false }
        defer { munmap(memory, byteCount) }
        typealias Lock = @convention(c) (UnsafeMutableRawPointer, Int, UInt32) -> Int32
        let lock = loadedFunction("mlock2", as: Lock.self)
        return lock?(memory, byteCount, MLOCK_ONFAULT) == 0
    }
    #endif

    /// A closed descriptor 0, 1 or 2 would be given to the next file opened, and messages would then be
    /// written into it: a key file, say. The stand-ins are opened the wrong way round, so that
    /// using them fails, as using a closed descriptor does.
    private static func occupyStandardDescriptors() {
        for (number, flags) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where fcntl(number, F_GETFD) == -1 {
            let opened = open("/dev/null", flags)
            if opened >= 0, opened != number {
                dup2(opened, number)
                close(opened)
            }
        }
    }

    #if !canImport(Darwin)
    /// From <sys/prctl.h>, which Swift does not import.
    private static let PR_SET_DUMPABLE: Int32 = 4
    /// From <sys/mman.h>, of which it imports a part.
    private static let MLOCK_ONFAULT: UInt32 = 1
    #endif
}
