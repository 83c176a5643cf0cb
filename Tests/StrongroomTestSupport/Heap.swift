#if canImport(Glibc)
import Foundation

/// The heap of the C library, in which Swift's objects lie as well.
public enum Heap {
    /// The bytes that are in use now, in all threads' parts of the heap.
    ///
    /// Unlike the memory of the process, it does not depend on how many pages the code, the stacks
    /// and the allocator's reserves take.
    ///
    /// - Throws: A text when the C library has no `malloc_info`, or writes something unknown.
    public static func byteCount() throws -> Int {
        typealias MallocInfo =
            @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
        guard let symbol = dlsym(nil, "malloc_info") else { throw Unknown(text: "malloc_info") }
        var bytes: UnsafeMutablePointer<CChar>?
        var count = 0
        guard let file = open_memstream(&bytes, &count) else { throw Unknown(text: "no memory") }
        let result = unsafeBitCast(symbol, to: MallocInfo.self)(0, file)
        fclose(file)
        defer { free(bytes) }
        guard result == 0, let bytes else { throw Unknown(text: "\(result)") }
        // The sums of all parts stand after the last of them.
        let text = String(cString: bytes)
        let sums = text.components(separatedBy: "</heap>").last ?? text
        func size(_ pattern: String) throws -> Int {
            let expression = try Regex(
                "\(pattern).*? size=\"([0-9]+)\"", as: (Substring, Substring).self)
            guard let match = sums.firstMatch(of: expression), let size = Int(match.1) else {
                throw Unknown(text: sums)
            }
            return size
        }
        return try size("system type=\"current\"") + size("type=\"mmap\"")
            - size("type=\"fast\"") - size("type=\"rest\"")
    }

    struct Unknown: Error { let text: String }
}
#endif
