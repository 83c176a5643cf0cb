internal import LibC

/// What a file system keeps with a file besides its mode: labels, access control lists.
enum ExtendedAttributes {
    #if os(Linux)
    private typealias List =
        @convention(c) (UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
    private typealias Get =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
        ) -> Int
    private typealias Set =
        @convention(c) (Int32, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32) -> Int32

    // The C library has them, in a header that Swift's module of it leaves out.
    private static let list = loadedFunction("listxattr", as: List.self)
    private static let get = loadedFunction("getxattr", as: Get.self)
    private static let listOfName = loadedFunction("llistxattr", as: List.self)
    private static let getOfName = loadedFunction("lgetxattr", as: Get.self)
    private static let set = loadedFunction("fsetxattr", as: Set.self)

    /// Gives one file the attributes of another.
    ///
    /// A descriptor that only pins a file has no attributes, but its name in `/proc` leads to them.
    /// Those that only the system sets (`security.`, `trusted.`) are left out where it says no.
    static func copy(from descriptor: Int32, to destination: Int32) throws(SystemError) {
        try copy(from: "/proc/self/fd/\(descriptor)", list, get, to: destination)
    }

    /// The same of what stands under a name, where there is no `/proc`. A link is not followed.
    static func copy(ofName path: String, to destination: Int32) throws(SystemError) {
        try copy(from: path, listOfName, getOfName, to: destination)
    }

    private static func copy(
        from path: String, _ list: List?, _ get: Get?, to destination: Int32
    ) throws(SystemError) {
        guard let list, let get, let set else { return }
        let from = path.systemPath
        guard let names = try bytes("listxattr", path, { list(from, $0, $1) }) else { return }
        for bytesOfName in names.split(separator: 0) {
            // A name need not be text.
            let exactName = bytesOfName.map { CChar(bitPattern: $0) } + [0]
            guard let value = try bytes("getxattr", path, { get(from, exactName, $0, $1) }) else {
                continue
            }
            guard set(destination, exactName, value, value.count, 0) != 0 else { continue }
            let name = String(decoding: bytesOfName, as: UTF8.self)
            let isOurs = !name.hasPrefix("security.") && !name.hasPrefix("trusted.")
            if isOurs { throw SystemError("setxattr \(name)", "", number: errno) }
        }
    }

    /// What a call gives that first tells its size; nil where there are no such things.
    private static func bytes(
        _ call: String, _ path: String, _ read: (UnsafeMutableRawPointer?, Int) -> Int
    ) throws(SystemError) -> [UInt8]? {
        for _ in 0..<10 {
            let size = read(nil, 0)
            if size == 0 { return [] }
            var bytes = [UInt8](repeating: 0, count: max(0, size))
            let count = size < 0 ? -1 : bytes.withUnsafeMutableBytes { read($0.baseAddress, size) }
            if count >= 0 { return Array(bytes[..<count]) }
            switch errno {
            case ENOTSUP, ENODATA, ENOSYS: return nil
            // It has grown in between.
            case ERANGE: continue
            default: throw SystemError(call, path, number: errno)
            }
        }
        throw SystemError(call, path, number: ERANGE)
    }
    #else
    /// Elsewhere, they are left alone.
    static func copy(from: Int32, to: Int32) throws(SystemError) {}

    static func copy(ofName: String, to: Int32) throws(SystemError) {}
    #endif
}
