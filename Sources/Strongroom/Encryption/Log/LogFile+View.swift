extension LogFile {
    /// Whether it holds every page of the database, as it does between a change of the key and the
    /// next checkpoint: what the file holds then counts for nothing.
    var isComplete: Bool {
        let lockBytePage = CipherSettings.lockBytePage(ofPageSize: pageSize)
        let unwrittenCount = pageCount >= lockBytePage && offsets[lockBytePage] == nil ? 1 : 0
        return pageCount > 0 && offsets.count + unwrittenCount == Int(pageCount)
    }

    /// How many bytes the database has.
    var databaseByteCount: Int64 { Int64(pageCount) * Int64(pageSize) }

    /// The database as its readers see it: the pages of the log, before those of the file.
    func view(over readFile: @escaping PageSource.Read, _ fileSystem: FileSystem) throws
        -> PageSource.Read
    {
        let log = try PageSource(path: path, pageSize: pageSize, fileSystem: fileSystem)
        return { [pageSize, offsets, databaseByteCount] buffer, offset in
            let end = min(offset + Int64(buffer.count), databaseByteCount)
            guard end > offset else { return 0 }
            let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(end - offset)])
            _ = try readFile(wanted, offset)
            var position = offset
            while position < end {
                let page = UInt32(position / Int64(pageSize)) + 1
                let start = Int64(page - 1) * Int64(pageSize)
                let next = min(start + Int64(pageSize), end)
                if let content = offsets[page] {
                    let part = wanted[Int(position - offset)..<Int(next - offset)]
                    _ = try log.read(
                        UnsafeMutableRawBufferPointer(rebasing: part), content + position - start)
                }
                position = next
            }
            return wanted.count
        }
    }

    /// Whether it was begun anew since it was read: its pages are then in the file.
    func wasBegunAnew(_ fileSystem: FileSystem) throws -> Bool {
        try LogFile(path, fileSystem)?.salts != salts
    }
}
