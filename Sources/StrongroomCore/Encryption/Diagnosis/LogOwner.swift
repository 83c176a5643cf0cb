/// Finds out whether a log is that of the file beside it.
///
/// A log of another time of the same file cannot be told by SQLite's counters of changes: SQLCipher
/// lets SQLite read these from the encrypted page, so that they are random numbers.
struct LogOwner {
    enum Verdict: Equatable {
        case ours
        /// Its pages have none of the keys, or other settings.
        case foreign
        /// It holds every page of a database with the salt of this file, under none of the keys.
        case unknownKey
        /// Its pages have another key than the file.
        case otherKey
        /// Some of its pages are not what was written, although their checksums are right.
        case damaged
        /// Nothing in it counts.
        case empty
    }

    let log: LogFile
    let keys: [PageKey]
    /// The keys that the pages of the file have.
    let usedKeys: [Int]
    /// Whether page 1 in the log begins as the file does.
    let hasSaltOfFile: Bool
    let fileSystem: FileSystem

    func verdict() throws -> Verdict {
        guard log.committedFrameCount > 0 else { return .empty }
        guard log.pageSize == keys.first?.settings.pageSize else { return .foreign }
        let pages = try PageSource(path: log.path, pageSize: log.pageSize, fileSystem: fileSystem)
        let codecs = try PageCodecs(keys)
        var keyCounts = Array(repeating: 0, count: keys.count)
        var strangeCount = 0
        var lastHeader: [UInt8]?
        var page = [UInt8](repeating: 0, count: log.pageSize)
        for (number, offset) in log.offsets {
            try page.withUnsafeMutableBytes { buffer in
                guard try pages.read(buffer, offset) == buffer.count else { return }
                let bytes = UnsafeRawBufferPointer(buffer)
                guard case .written(let key) = try codecs.verdict(on: bytes, number: number)
                else {
                    strangeCount += 1
                    return
                }
                keyCounts[key] += 1
                guard number == 1 else { return }
                try codecs.decrypt(buffer, number: 1, key: key)
                lastHeader = Array(buffer)
            }
        }
        if keyCounts.allSatisfy({ $0 == 0 }) {
            return log.isComplete && hasSaltOfFile ? .unknownKey : .foreign
        }
        if strangeCount > 0 { return .damaged }
        if let lastHeader, lastHeader.withUnsafeBytes({ DatabaseHeader($0) }) == nil {
            return .foreign
        }
        return usedKeys.contains { keyCounts[$0] > 0 } ? .ours : .otherKey
    }
}
