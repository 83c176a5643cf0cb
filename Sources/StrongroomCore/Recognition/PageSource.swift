internal import Synchronization

/// The pages of a file, read chunk by chunk by one thread or several, in memory that does not grow
/// with the file.
///
/// 1. It reads what lies on the disk, without locks: what a log holds is not seen, and whoever
///    writes meanwhile may be seen half done.
/// 2. No file on which this process has a connection is opened here: closing it would drop the
///    connection's locks. `init(byteCount:pageSize:read:)` can read through SQLite's own file.
package struct PageSource: Sendable {
    /// Reads bytes at an offset until the buffer is full or the file ends, and returns their number.
    package typealias Read =
        @Sendable (UnsafeMutableRawBufferPointer, _ offset: Int64) throws -> Int

    /// SQLite counts no further.
    private static let largestPageNumber: Int64 = 0xffff_fffe
    private static let chunkByteCount = 1 << 20

    package let byteCount: Int64
    package let pageSize: Int
    let read: Read

    package init(byteCount: Int64, pageSize: Int, read: @escaping Read) {
        self.byteCount = byteCount
        self.pageSize = pageSize
        self.read = read
    }

    /// The pages of a file, links followed, which is closed with the last copy of this value.
    package init(
        path: String, pageSize: Int, fileSystem: FileSystem = .system
    ) throws(SystemError) {
        let file = try OpenFile(path, fileSystem)
        self.init(byteCount: try file.byteCount, pageSize: pageSize, read: file.read)
    }

    /// How many whole pages there are.
    package var pageCount: UInt32 {
        UInt32(min(byteCount / Int64(pageSize), Self.largestPageNumber))
    }

    /// How many bytes follow the last whole page; none in a file that is whole.
    package var trailingByteCount: Int64 {
        byteCount - Int64(pageCount) * Int64(pageSize)
    }

    /// Where a page begins.
    package func offset(of page: UInt32) -> Int64 {
        Int64(page - 1) * Int64(pageSize)
    }

    /// The bytes that are the salt unless the file begins with a plaintext header.
    package func salt() throws -> CipherSalt? {
        var bytes = [UInt8](repeating: 0, count: CipherSalt.byteCount)
        let count = try bytes.withUnsafeMutableBytes { try read($0, 0) }
        return CipherSalt(bytes[..<count])
    }

    /// Reads one page into memory of its size.
    package func readPage(_ page: UInt32, to buffer: UnsafeMutableRawBufferPointer) throws {
        try fill(buffer, at: offset(of: page))
    }

    /// Reads pages one after the other.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        guard try read(buffer, offset) == buffer.count else {
            throw DatabaseError(
                code: .SQLITE_IOERR_SHORT_READ, message: "the file became shorter while it was read"
            )
        }
    }
}

extension PageSource {
    /// Whole pages one after the other, in memory that the next chunk will use again.
    package struct Chunk {
        package let bytes: UnsafeMutableRawBufferPointer
        package let pageSize: Int
        package let firstPage: UInt32

        package var pageCount: Int { bytes.count / pageSize }

        package var pages: [NumberedPage] {
            (0..<pageCount).map { index in
                let page = bytes[(index * pageSize)..<((index + 1) * pageSize)]
                return NumberedPage(
                    UnsafeMutableRawBufferPointer(rebasing: page),
                    number: firstPage + UInt32(index))
            }
        }
    }

    /// Calls a function with each chunk, on as many threads at once, in no order.
    ///
    /// The memory of the chunks is wiped at the end. After an error, no further chunk is begun.
    ///
    /// - Parameters:
    ///   - makeState: Makes what a thread needs for itself, such as a codec.
    ///   - finish: Gets the state of each thread in the end, one after the other.
    package func forEachChunk<State: ~Copyable>(
        threads: Int, makeState: @Sendable () throws -> State,
        finish: @Sendable (borrowing State) -> Void = { _ in },
        _ body: @Sendable (inout State, Chunk) throws -> Void
    ) throws {
        let work = ChunkQueue(pageCount: pageCount, pagesInChunk: Self.chunkByteCount / pageSize)
        let threads = max(1, min(threads, work.chunkCount))
        SystemThread.share(among: threads) {
            do {
                var state = try makeState()
                try run(work, &state, body)
                work.inTurn { finish(state) }
            } catch {
                work.stop(error)
            }
        }
        try work.throwError()
    }

    private func run<State: ~Copyable>(
        _ work: ChunkQueue, _ state: inout State, _ body: (inout State, Chunk) throws -> Void
    ) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: work.pagesInChunk * pageSize, alignment: 4096)
        defer {
            SecretBytes.wipe(memory)
            memory.deallocate()
        }
        while let pages = work.next() {
            let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<(pages.count * pageSize)])
            try fill(bytes, at: offset(of: pages.lowerBound))
            let chunk = Chunk(bytes: bytes, pageSize: pageSize, firstPage: pages.lowerBound)
            try body(&state, chunk)
        }
    }
}

/// A file that is read until the last reference goes.
private final class OpenFile: Sendable {
    private let descriptor: FileSystem.Descriptor
    private let fileSystem: FileSystem

    init(_ path: String, _ fileSystem: FileSystem) throws(SystemError) {
        self.fileSystem = fileSystem
        descriptor = try fileSystem.openForReading(path)
    }

    deinit {
        fileSystem.close(descriptor)
    }

    var byteCount: Int64 {
        get throws(SystemError) { try fileSystem.descriptorStatus(descriptor).byteCount }
    }

    @Sendable func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        try fileSystem.readAll(descriptor, buffer, at: offset)
    }
}

/// The chunks that no thread has taken yet, and the first error of any thread.
private final class ChunkQueue: Sendable {
    let pagesInChunk: Int
    let chunkCount: Int
    private let pageCount: UInt32
    private let nextChunk = Atomic(0)
    private let error = Mutex<(any Error)?>(nil)
    private let turn = Mutex(())

    init(pageCount: UInt32, pagesInChunk: Int) {
        self.pageCount = pageCount
        self.pagesInChunk = pagesInChunk
        chunkCount = (Int(pageCount) + pagesInChunk - 1) / pagesInChunk
    }

    /// The numbers of the pages of the next chunk.
    func next() -> ClosedRange<UInt32>? {
        guard error.withLock({ $0 == nil }) else { return nil }
        let chunk = nextChunk.wrappingAdd(1, ordering: .relaxed).oldValue
        guard chunk < chunkCount else { return nil }
        let first = UInt32(chunk * pagesInChunk + 1)
        return first...min(pageCount, first - 1 + UInt32(pagesInChunk))
    }

    func inTurn(_ body: () -> Void) {
        turn.withLock { _ in body() }
    }

    func stop(_ error: any Error) {
        self.error.withLock { if $0 == nil { $0 = error } }
    }

    func throwError() throws {
        if let error = error.withLock({ $0 }) { throw error }
    }
}
