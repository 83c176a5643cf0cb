/// Finds out whether a log is that of the file beside it.
struct LogOwner {
    enum Verdict: Equatable {
        case ours
        /// Its pages have none of the keys, or other settings.
        case foreign
        /// Its pages have another key than the file.
        case otherKey
        /// The file has a later state than the log.
        case stale
        /// Some of its pages are not what was written, although their checksums are right.
        case damaged
        /// Nothing in it counts.
        case empty
    }

    let log: LogFile
    let keys: [PageKey]
    /// The keys that the pages of the file have.
    let usedKeys: [Int]
    let fileSystem: FileSystem

    func verdict(ownHeader: [UInt8]?) throws -> Verdict {
        guard log.committedFrameCount > 0 else { return .empty }
        guard log.pageSize == keys.first?.settings.pageSize else { return .foreign }
        let pages = try PageFile(path: log.path, pageSize: log.pageSize, fileSystem: fileSystem)
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
        if keyCounts.allSatisfy({ $0 == 0 }) { return .foreign }
        if strangeCount > 0 { return .damaged }
        if let lastHeader, lastHeader.withUnsafeBytes({ DatabaseHeader($0) }) == nil {
            return .foreign
        }
        let isOfUsedKey = usedKeys.contains { keyCounts[$0] > 0 }
        if !isOfUsedKey { return .otherKey }
        return isStale(lastHeader, ownHeader) ? .stale : .ours
    }

    /// SQLite counts the changes on page 1, and a log always has the later ones.
    /// <https://www.sqlite.org/fileformat2.html#file_change_counter>
    private func isStale(_ last: [UInt8]?, _ own: [UInt8]?) -> Bool {
        guard let last, let own else { return false }
        let difference = Int32(bitPattern: own.number32(at: 24) &- last.number32(at: 24))
        return difference > 0
    }
}
