import LibC
import StrongroomCore

/// How much memory the process may map (`ulimit -v`, `ulimit -d`).
///
/// 1. Below ``neededByteCount`` no command begins: SQLCipher, libcrypto and Swift end a process that
///    gets no memory at the wrong moment, or call pages damaged that they had no memory to read.
/// 2. Above it, memory that is not to be had is an error like others.
enum AddressSpace {
    /// With 140 MB each command ends well where two threads work (`Tests/Proofs/limits`). Up to two
    /// more take 9 MB each, for the stack and a chunk of pages, and the rest is a reserve.
    static let neededByteCount: Int64 = 192 << 20

    #if canImport(Darwin)
    /// Darwin takes these limits, and does not heed them.
    private static let limits: [(resource: Int32, option: String)] = []
    #else
    private static let limits = [
        (resource: __rlimit_resource_t(RLIMIT_AS.rawValue), option: "-v"),
        (resource: __rlimit_resource_t(RLIMIT_DATA.rawValue), option: "-d"),
    ]
    #endif

    /// The least of the limits, and the option of `ulimit` that sets it; nil without a limit.
    private static var limit: (byteCount: Int64, option: String)? {
        limits.compactMap { resource, option -> (Int64, String)? in
            var limit = rlimit()
            guard getrlimit(resource, &limit) == 0 else { return nil }
            return Int64(exactly: limit.rlim_cur).map { ($0, option) }
        }
        .min { $0.0 < $1.0 }
    }

    /// Keeps the C library from reserving 64 MB of a limited address space for each thread.
    ///
    /// Call it before the first thread starts.
    static func spare() {
        #if os(Linux)
        guard limit != nil else { return }
        let largestArenaCount: Int32 = -8  // M_ARENA_MAX of <malloc.h>
        typealias Option = @convention(c) (Int32, Int32) -> Int32
        _ = loadedFunction("mallopt", as: Option.self)?(largestArenaCount, 1)
        #endif
    }

    /// - Throws: What to do, where the limit is too low for any command.
    static func require() throws(Failure) {
        guard let (byteCount, option) = limit, byteCount < neededByteCount else { return }
        throw Failure(
            .failed,
            "this process may have no more than \(byteCount >> 10) kB of memory "
                + "(ulimit \(option)); strongroom needs \(neededByteCount >> 10) kB",
            hint: "raise the limit: ulimit \(option) unlimited")
    }
}
