import LibC

/// What the process does to itself before it reads a key.
enum ProcessHardening {
    static func apply() {
        forbidCoreDumps()
        lockMemory()
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
        if let address = dlsym(nil, "prctl") {
            _ = unsafeBitCast(address, to: Control.self)(PR_SET_DUMPABLE, 0, 0, 0, 0)
        }
        #endif
    }

    /// What SQLCipher and libcrypto keep of a key lies in the ordinary heap. Where a process may lock
    /// all of its memory, which root may, none of this one goes to swap.
    ///
    /// Under a limit it would not be kept from swapping, but from getting memory.
    private static func lockMemory() {
        #if !canImport(Darwin)
        let resource = __rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        var unlimited = rlimit(rlim_cur: .max, rlim_max: .max)
        guard limit.rlim_cur == .max || setrlimit(resource, &unlimited) == 0 else {
            return
        }
        // As it is used: what is mapped and never touched takes no memory.
        mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)
        #endif
    }

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
    #endif
}
