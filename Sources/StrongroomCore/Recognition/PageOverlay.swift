/// The pages of a database as its readers see them: those of a log or a journal before those of the
/// file.
struct PageOverlay {
    /// The file with the pages that count before the database's own.
    let path: String
    let pageSize: Int
    /// Where each of them begins.
    let offsets: [UInt32: Int64]
    /// How many bytes the database has.
    let databaseByteCount: Int64

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
}
