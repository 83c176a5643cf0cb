internal import LibC

/// Bytes that must not outlive their use.
///
/// 1. There is one owner: the type cannot be copied, and nothing hands out its memory for longer
///    than a closure runs.
/// 2. The memory is whole pages of its own, so that locking and wiping it touches nothing else. It
///    is locked against swapping where the system permits (best effort: `ulimit -l` may be 0) and
///    left out of core dumps.
/// 3. It is overwritten before it goes back to the system, also when the buffer grows.
/// 4. It has neither description nor mirror that shows a byte.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    // Safety: only `mutating` functions write, and those have exclusive access.
    private var memory: UnsafeMutableRawBufferPointer
    package private(set) var count = 0

    /// Memory for at least `capacity` bytes; more is taken when they do not suffice.
    package init(capacity: Int = 0) {
        memory = SecretBytes.allocate(atLeast: max(capacity, 1))
    }

    package init(copying bytes: UnsafeRawBufferPointer) {
        self.init(capacity: bytes.count)
        append(bytes)
    }

    deinit {
        SecretBytes.release(memory)
    }

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(count + bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    package mutating func append(_ byte: UInt8) {
        reserve(count + 1)
        memory[count] = byte
        count += 1
    }

    /// Has bytes written right into the secret's memory, as by `read`; `fill` returns how many it
    /// wrote.
    package mutating func append<E: Error>(
        upTo limit: Int,
        _ fill: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) {
        reserve(count + limit)
        count += try fill(UnsafeMutableRawBufferPointer(rebasing: memory[count..<(count + limit)]))
    }

    /// Drops bytes at the end and overwrites them; a count beyond the present one changes nothing.
    package mutating func truncate(to newCount: Int) {
        guard newCount < count else { return }
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: memory[newCount..<count]))
        count = newCount
    }

    package func withUnsafeBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }

    /// Compares in a time that depends on the lengths alone.
    package func isEqual(to other: borrowing SecretBytes) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<count {
            difference |= memory[index] ^ other.memory[index]
        }
        return difference == 0
    }

    private mutating func reserve(_ needed: Int) {
        guard needed > memory.count else { return }
        let larger = SecretBytes.allocate(atLeast: max(needed, 2 * memory.count))
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        SecretBytes.release(memory)
        memory = larger
    }
}

extension SecretBytes {
    /// Bytes from the system's source of randomness; `nil` where it has none to give.
    package static func random(count: Int) -> SecretBytes? {
        var bytes = SecretBytes(capacity: count)
        // A call gives up to 256 bytes; no key is longer.
        guard count <= 256, getentropy(bytes.memory.baseAddress, count) == 0 else { return nil }
        bytes.count = count
        return bytes
    }

    private static func allocate(atLeast count: Int) -> UnsafeMutableRawBufferPointer {
        let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
        let size = (count + pageSize - 1) / pageSize * pageSize
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let address = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0),
            address != MAP_FAILED
        else {
            fatalError("The system has no memory left for a secret")
        }
        _ = mlock(address, size)
        #if os(Linux)
        _ = madvise(address, size, MADV_DONTDUMP)
        #endif
        return UnsafeMutableRawBufferPointer(start: address, count: size)
    }

    private static func release(_ memory: UnsafeMutableRawBufferPointer) {
        wipe(memory)
        // Unmapping unlocks.
        munmap(memory.baseAddress, memory.count)
    }
}

extension SecretBytes {
    /// Overwrites memory with zeros, in a way that the compiler may not leave out.
    package static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        guard let address = memory.baseAddress else { return }
        #if canImport(Darwin)
        memset_s(address, memory.count, 0, memory.count)
        #else
        explicit_bzero(address, memory.count)
        #endif
    }
}
