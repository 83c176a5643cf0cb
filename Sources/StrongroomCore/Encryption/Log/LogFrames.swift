/// Where the pages are in a write-ahead log: the last frame of each, up to a commit.
/// <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>
struct LogFrames: Sendable {
    private let file: RawFile
    private let pageSize: Int
    /// Page and frame in one number, sorted by page; one for each page.
    private let frames: [UInt64]

    /// - Parameters:
    ///   - frameCount: How many frames count.
    ///   - salts: What they all repeat.
    init(
        of file: RawFile, upTo frameCount: UInt32, salts: [UInt8], pageSize: Int
    ) throws {
        self.file = file
        self.pageSize = pageSize
        var frames: [UInt64] = []
        frames.reserveCapacity(Int(frameCount))
        var header = [UInt8](repeating: 0, count: LogFile.frameHeaderByteCount)
        for frame in 1...max(1, frameCount) {
            let offset = LogFile.offset(ofFrame: UInt64(frame), pageSize: pageSize)
            let count = try Self.read(file, &header, at: offset)
            guard count == header.count, Array(header[8..<16]) == salts else {
                throw DatabaseError(
                    code: .SQLITE_CORRUPT, message: "frame \(frame) of the log is not what it was")
            }
            let page = header[..<4].reduce(0) { $0 << 8 | UInt64($1) }
            frames.append(page << 32 | UInt64(frame))
        }
        frames.sort()
        // Of one page the last frame counts.
        var last: [UInt64] = []
        for frame in frames {
            if let previous = last.last, previous >> 32 == frame >> 32 {
                last[last.count - 1] = frame
            } else {
                last.append(frame)
            }
        }
        self.frames = last
    }

    private static func read(
        _ file: RawFile, _ bytes: inout [UInt8], at offset: Int64
    ) throws -> Int {
        try bytes.withUnsafeMutableBytes { try file.read($0, at: offset) }
    }

    /// Puts what the log has of some pages over what was read from the main file.
    ///
    /// - Parameter count: How many bytes the main file had.
    /// - Returns: How many bytes are right now, from the first on.
    func overlay(
        _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, read count: Int
    ) throws(DatabaseError) -> Int {
        let first = UInt64(offset / Int64(pageSize)) + 1
        let end = first + UInt64(buffer.count / pageSize)
        var valid = count / pageSize
        for entry in frames[position(of: first)...] {
            let page = entry >> 32
            guard page < end else { break }
            let index = Int(page - first)
            let slice = buffer[(index * pageSize)..<((index + 1) * pageSize)]
            try read(
                UnsafeMutableRawBufferPointer(rebasing: slice), frame: entry & 0xffff_ffff)
            if index == valid { valid += 1 }
        }
        return valid * pageSize
    }

    private func read(
        _ page: UnsafeMutableRawBufferPointer, frame: UInt64
    ) throws(DatabaseError) {
        let offset =
            LogFile.offset(ofFrame: frame, pageSize: pageSize) + Int64(LogFile.frameHeaderByteCount)
        guard try file.read(page, at: offset) == page.count else {
            throw DatabaseError(
                code: .SQLITE_IOERR_SHORT_READ, message: "the log became shorter while it was read")
        }
    }

    /// The place of the first frame of a page, or of one behind it.
    private func position(of page: UInt64) -> Int {
        var low = 0
        var high = frames.count
        while low < high {
            let middle = (low + high) / 2
            if frames[middle] >> 32 < page { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
