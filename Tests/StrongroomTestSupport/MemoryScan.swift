public import Foundation

/// Bytes that nobody finds in memory who looks for them.
public struct MaskedBytes: Sendable {
    private static let mask: UInt8 = 0xa5
    private let masked: [UInt8]

    /// Random bytes.
    public init(count: Int, in range: ClosedRange<UInt8>) {
        masked = (0..<count).map { _ in UInt8.random(in: range) ^ Self.mask }
    }

    public init(_ bytes: UnsafeRawBufferPointer) {
        masked = bytes.map { $0 ^ Self.mask }
    }

    public func withClearBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: masked.count, alignment: 1)
        for (index, byte) in masked.enumerated() { bytes[index] = byte ^ Self.mask }
        defer { MemoryScan.free(bytes) }
        return try body(UnsafeRawBufferPointer(bytes))
    }

    /// How often the bytes are in others.
    fileprivate func count(in bytes: UnsafeRawBufferPointer) -> Int {
        guard var next = bytes.baseAddress, let first = masked.first else { return 0 }
        let end = next + bytes.count
        var count = 0
        while let found = memchr(next, Int32(first ^ Self.mask), end - next) {
            let start = UnsafeRawPointer(found)
            next = start + 1
            guard end - start >= masked.count else { break }
            // A plain loop: a debug build makes a call of each step of a closure.
            var equal = 1
            while equal < masked.count,
                start.load(fromByteOffset: equal, as: UInt8.self) == masked[equal] ^ Self.mask
            {
                equal += 1
            }
            if equal == masked.count { count += 1 }
        }
        return count
    }
}

/// A look through all writable memory of a process, by Linux's `/proc`.
public struct MemoryScan {
    /// Where bytes were found, and how often.
    public struct Findings: Sendable, Equatable {
        /// In memory that is locked against swapping and left out of core dumps.
        public var guarded = 0
        /// In memory that is locked, but not left out of core dumps.
        public var locked = 0
        /// In memory that may be swapped.
        public var open = 0

        public var count: Int { guarded + locked + open }
    }

    /// Memory of one kind, from `/proc/PID/smaps`.
    private struct Mapping {
        let start: UInt64
        let end: UInt64
        let isWritable: Bool
        var flags: [Substring] = []

        /// Nil where the line begins no mapping.
        init?(_ line: Substring) {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard words.count >= 5, ends.count == 2 else { return nil }
            (start, end) = (ends[0], ends[1])
            isWritable = words[1].hasPrefix("rw")
        }
    }

    private static let chunkByteCount = 1 << 20

    private let process: pid_t

    /// - Parameter process: One of the same user that may be looked into; this one by default.
    public init(of process: pid_t = getpid()) {
        self.process = process
    }

    /// How often bytes are in the writable memory of the process.
    public func findings(of secret: MaskedBytes) -> Findings {
        let memory = Foundation.open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
        let chunk = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.chunkByteCount, alignment: 4096)
        defer {
            close(memory)
            Self.free(chunk)
        }
        var findings = Findings()
        for mapping in mappings() where mapping.isWritable {
            let count = count(of: secret, in: mapping, memory, chunk)
            if !mapping.flags.contains("lo") {
                findings.open += count
            } else if mapping.flags.contains("dd") {
                findings.guarded += count
            } else {
                findings.locked += count
            }
        }
        return findings
    }

    private func mappings() -> [Mapping] {
        // `String(contentsOfFile:)` reads only the first page of such a file.
        let file = FileHandle(forReadingAtPath: "/proc/\(process)/smaps")
        let text = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
        var mappings: [Mapping] = []
        for line in text.split(separator: "\n") {
            if let mapping = Mapping(line) {
                mappings.append(mapping)
            } else if line.hasPrefix("VmFlags:"), !mappings.isEmpty {
                mappings[mappings.count - 1].flags = line.split(separator: " ")
            }
        }
        return mappings
    }

    private func count(
        of secret: MaskedBytes, in mapping: Mapping, _ memory: Int32,
        _ chunk: UnsafeMutableRawBufferPointer
    ) -> Int {
        var count = 0
        var offset = mapping.start
        // What was read before is no copy of the process's.
        let own = UInt64(UInt(bitPattern: chunk.baseAddress))
        let afterOwn = own + UInt64(chunk.count)
        while offset < mapping.end {
            if process == getpid(), (own..<afterOwn).contains(offset) {
                offset = afterOwn
                continue
            }
            let end = process == getpid() && offset < own ? min(own, mapping.end) : mapping.end
            let wanted = min(chunk.count, Int(end - offset))
            let read = pread(memory, chunk.baseAddress, wanted, off_t(offset))
            guard read > 0 else { break }
            count += secret.count(in: UnsafeRawBufferPointer(rebasing: chunk[..<read]))
            // What lies across the border of two chunks is in the next.
            offset += UInt64(
                read == wanted && offset + UInt64(read) < end ? read - 64 : read)
        }
        return count
    }

    fileprivate static func free(_ bytes: UnsafeMutableRawBufferPointer) {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        bytes.deallocate()
    }
}
