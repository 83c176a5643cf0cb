/// A write-ahead log, read without any key: its frames are in the clear, and their checksums are
/// over ciphertext (`Documentation/SQLCipher.md`, "The log").
///
/// The log is read through a descriptor of its own: nobody locks it.
/// <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>
struct LogFile: Sendable {
    static let headerByteCount = 32
    static let frameHeaderByteCount = 24

    /// Where a frame begins; the first is 1.
    static func offset(ofFrame number: UInt64, pageSize: Int) -> Int64 {
        Int64(headerByteCount) + Int64(number - 1) * Int64(frameHeaderByteCount + pageSize)
    }

    let path: String
    let byteCount: Int64
    let pageSize: Int
    /// Frames whose checksums are right, up to the last that ends a transaction.
    private(set) var committedFrameCount = 0
    /// How many transactions they are.
    private(set) var commitCount = 0
    /// The size of the database after the last of them, in pages.
    private(set) var pageCount: UInt32 = 0
    /// Where the last content of each page begins, in the transactions that count.
    private(set) var offsets: [UInt32: Int64] = [:]
    /// Where SQLite stops to read although commits follow.
    var gap: Gap?
    /// Whether the log ends in a frame that is incomplete, as after a crash.
    private(set) var endsInTornFrame = false
    /// How many whole frames follow the last that ends a transaction.
    private(set) var unfinishedFrameCount = 0

    /// They are others each time that the log is begun anew.
    let salts: [UInt8]
    let isBigEndian: Bool

    /// What is wrong with a file that stands in place of a log and is none; nil if it is one.
    static func problem(of path: String, _ fileSystem: FileSystem) -> String? {
        guard let status = try? fileSystem.statusIfPresent(path), status.kind == .file,
            status.byteCount > 0, (try? LogFile(path, fileSystem)) == nil
        else { return nil }
        guard status.byteCount != Int64(headerByteCount) else { return nil }
        return "\(path) is not a log: SQLite ignores its \(status.byteCount) bytes"
    }

    /// Nil where there is no log, or nothing in it that SQLite would take for one.
    init?(_ path: String, _ fileSystem: FileSystem) throws {
        guard let status = try? fileSystem.statusIfPresent(path), status.kind == .file,
            status.byteCount > Int64(Self.headerByteCount),
            let descriptor = try fileSystem.openIfPresent(path)
        else { return nil }
        defer { fileSystem.close(descriptor) }
        var header = [UInt8](repeating: 0, count: Self.headerByteCount)
        let count = try header.withUnsafeMutableBytes {
            try fileSystem.readAll(descriptor, $0, at: 0)
        }
        guard count == header.count, let known = Header(header) else { return nil }
        let size = known.pageSize
        isBigEndian = known.isBigEndian
        self.path = path
        byteCount = status.byteCount
        pageSize = size
        salts = known.salts
        try readFrames(descriptor, fileSystem, known.sum)
    }

    /// With what a log begins.
    struct Header {
        let pageSize: Int
        /// What its frames repeat.
        let salts: [UInt8]
        fileprivate let isBigEndian: Bool
        fileprivate let sum: Checksum

        /// Nil for bytes that SQLite would not take for the beginning of a log.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == LogFile.headerByteCount else { return nil }
            let magic = bytes.number32(at: 0)
            let size = Int(bytes.number32(at: 8))
            guard magic & ~1 == 0x377f_0682, bytes.number32(at: 4) == 3_007_000,
                (512...65536).contains(size), size.nonzeroBitCount == 1
            else { return nil }
            var sum = Checksum()
            bytes.withUnsafeBytes { sum.add($0[..<24], isBigEndian: magic & 1 == 1) }
            guard sum.is(bytes, at: 24) else { return nil }
            pageSize = size
            salts = Array(bytes[16..<24])
            isBigEndian = magic & 1 == 1
            self.sum = sum
        }
    }

    private mutating func readFrames(
        _ descriptor: FileSystem.Descriptor, _ fileSystem: FileSystem, _ start: Checksum
    ) throws {
        var sum = start
        var pending: [UInt32: Int64] = [:]
        var frame = [UInt8](repeating: 0, count: Self.frameHeaderByteCount + pageSize)
        var offset = Int64(Self.headerByteCount)
        var wholeCount = 0
        while offset + Int64(frame.count) <= byteCount {
            let count = try frame.withUnsafeMutableBytes {
                try fileSystem.readAll(descriptor, $0, at: offset)
            }
            guard count == frame.count else { break }
            let previous = sum
            let isOfLog = Array(frame[8..<16]) == salts
            guard isOfLog, isWhole(frame, &sum) else {
                gap = try findGap(
                    at: wholeCount + 1, frame, at: offset, after: previous, descriptor, fileSystem)
                endsInTornFrame = isOfLog && gap == nil
                break
            }
            wholeCount += 1
            let commit = frame.number32(at: 4)
            pending[frame.number32(at: 0)] = offset + Int64(Self.frameHeaderByteCount)
            if commit > 0 {
                offsets.merge(pending) { $1 }
                pending = [:]
                committedFrameCount = wholeCount
                commitCount += 1
                pageCount = commit
            }
            offset += Int64(frame.count)
        }
        if offset < byteCount, offset + Int64(frame.count) > byteCount { endsInTornFrame = true }
        unfinishedFrameCount = wholeCount - committedFrameCount
        // What a transaction has made smaller is gone.
        offsets = offsets.filter { $0.key <= pageCount }
    }

    /// Whether a frame follows from the one before it.
    func isWhole(_ frame: [UInt8], _ sum: inout Checksum) -> Bool {
        frame.withUnsafeBytes { bytes in
            sum.add(bytes[..<8], isBigEndian: isBigEndian)
            sum.add(bytes[Self.frameHeaderByteCount...], isBigEndian: isBigEndian)
        }
        return frame.number32(at: 0) > 0 && sum.is(frame, at: 16)
    }

    /// The checksum of the log, which goes on from frame to frame.
    struct Checksum {
        var one: UInt32 = 0
        var two: UInt32 = 0

        mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>, isBigEndian: Bool) {
            let bytes = UnsafeRawBufferPointer(rebasing: bytes)
            for offset in stride(from: 0, to: bytes.count, by: 8) {
                let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let second = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                one &+=
                    (isBigEndian ? UInt32(bigEndian: first) : UInt32(littleEndian: first)) &+ two
                two &+=
                    (isBigEndian ? UInt32(bigEndian: second) : UInt32(littleEndian: second)) &+ one
            }
        }

        func `is`(_ bytes: [UInt8], at offset: Int) -> Bool {
            bytes.number32(at: offset) == one && bytes.number32(at: offset + 4) == two
        }
    }
}
