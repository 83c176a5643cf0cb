/// The frames of a log that may count, by their headers alone: the last of each page up to the last
/// that ends a transaction.
///
/// Checksums are not looked at, so frames behind a damaged one are among them.
struct LogSketch {
    struct Frame {
        let page: UInt32
        /// Where its page begins.
        let offset: Int64
    }

    /// In the order in which they were written.
    let frames: [Frame]
    /// How many pages the database has after the last commit.
    let pageCount: UInt32
    /// Whether they are all pages of the database.
    let isComplete: Bool

    init(
        _ header: LogFile.Header, _ descriptor: FileSystem.Descriptor, _ byteCount: Int64,
        _ fileSystem: FileSystem
    ) throws {
        let step = Int64(LogFile.frameHeaderByteCount + header.pageSize)
        var last: [UInt32: Int64] = [:]
        var pending: [UInt32: Int64] = [:]
        var pageCount: UInt32 = 0
        var offset = Int64(LogFile.headerByteCount)
        var window = Window(descriptor: descriptor, fileSystem: fileSystem)
        while offset + step <= byteCount {
            let frame = try window.bytes(16, at: offset)
            guard frame.count == 16, frame.dropFirst(8).elementsEqual(header.salts) else { break }
            let numbers = Array(frame)
            pending[numbers.number32(at: 0)] = offset + Int64(LogFile.frameHeaderByteCount)
            let commit = numbers.number32(at: 4)
            if commit > 0 {
                last.merge(pending) { $1 }
                pending = [:]
                pageCount = commit
            }
            offset += step
        }
        frames = last.filter { $0.key > 0 && $0.key <= pageCount }
            .map { Frame(page: $0.key, offset: $0.value) }.sorted { $0.offset < $1.offset }
        self.pageCount = pageCount
        isComplete = pageCount > 0 && frames.count >= Int(pageCount) - 1
    }

    /// Frames from all over the log, the first and the last among them.
    func sample(_ count: Int) -> [Frame] {
        guard frames.count > count, count > 1 else { return frames }
        return (0..<count).map { frames[$0 * (frames.count - 1) / (count - 1)] }
    }
}

/// A file that is read from the front to the back, a megabyte at a time.
private struct Window {
    let descriptor: FileSystem.Descriptor
    let fileSystem: FileSystem
    private var content: [UInt8] = []
    private var start: Int64 = 0

    init(descriptor: FileSystem.Descriptor, fileSystem: FileSystem) {
        self.descriptor = descriptor
        self.fileSystem = fileSystem
    }

    /// As many of the bytes as there are.
    mutating func bytes(_ count: Int, at offset: Int64) throws -> ArraySlice<UInt8> {
        if offset < start || offset + Int64(count) > start + Int64(content.count) {
            content = try fileSystem.bytes(1 << 20, of: descriptor, at: offset)
            start = offset
        }
        let first = Int(offset - start)
        return content[first...].prefix(count)
    }
}
