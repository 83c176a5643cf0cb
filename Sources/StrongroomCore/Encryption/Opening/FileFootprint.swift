/// What a database's file and log are like from outside: it is another one after every commit.
///
/// 1. It is made of the number, size and times of the file and of the log, of the first page, and of
///    the header of the log. A log of no bytes is like none: SQLite makes one whenever it opens.
/// 2. Two footprints that are equal stand for the same content, if the first one was taken when
///    the last change was some time ago: see ``isSettled(at:)``.
package struct FileFootprint: Sendable {
    /// File systems count in steps, of two seconds at the most.
    private static let stepNanoseconds: Int64 = 4_000_000_000
    private static let logHeaderByteCount = 32

    /// All that was looked at.
    package let digest: ContentDigest
    private var lastChange = Int64.min

    /// - Parameters:
    ///   - file, log: What SQLite has open; the log is nil where there is none.
    ///   - path: The file's, without links.
    init(_ file: RawFile, _ log: RawFile?, _ path: String, _ fileSystem: FileSystem, pageSize: Int)
        throws
    {
        var bytes: [UInt8] = []
        var lastChange = Int64.min
        func add(_ status: FileStatus, _ content: RawFile, first count: Int) throws {
            let numbers = [
                Int64(bitPattern: status.identity.device),
                Int64(bitPattern: status.identity.number), status.byteCount, status.written,
                status.changed,
            ]
            numbers.withUnsafeBytes { bytes += $0 }
            var beginning = [UInt8](repeating: 0, count: count)
            _ = try beginning.withUnsafeMutableBytes { try content.read($0, at: 0) }
            bytes += beginning
            lastChange = max(lastChange, status.written, status.changed)
        }
        try add(fileSystem.status(path), file, first: pageSize)
        if let log, let status = try fileSystem.statusIfPresent(path + "-wal"),
            status.byteCount > 0
        {
            try add(status, log, first: Self.logHeaderByteCount)
        }
        digest = try bytes.withUnsafeBytes { try ContentDigest(of: $0) }
        self.lastChange = lastChange
    }

    /// Whether the last change was so long before a time that any later one has another time.
    ///
    /// - Parameter time: Nanoseconds since 1970, before the state that is read was found: what came
    ///   in between is then a change that is not settled.
    package func isSettled(at time: Int64) -> Bool {
        lastChange < time - Self.stepNanoseconds
    }
}
