extension CompanionCheck {
    /// The first and the last page that the database has after the last commit of its log, and that is in neither of
    /// the two: an older copy of the file was put under the log.
    ///
    /// A page is in the log until it is in the file, and what is in the file stays as long as the log counts it. So
    /// there is none, unless somebody has exchanged one of the two.
    ///
    /// - Returns: Nil if none is missing, or a writer is changing both.
    func missingPages(
        _ header: LogFile.Header, _ descriptor: FileSystem.Descriptor
    ) throws -> (lowerBound: UInt32, upperBound: UInt32)? {
        let pageSize = Int64(header.pageSize)
        // SQLite locks the file by bytes of it, whose page it never writes.
        let lockPage = UInt32(0x4000_0000 / pageSize) + 1
        var seen: (pageCount: UInt32, byteCount: Int64)?
        for _ in 0..<50 {
            let logByteCount = try files.fileSystem.descriptorStatus(descriptor).byteCount
            let sketch = try LogSketch(header, descriptor, logByteCount, files.fileSystem)
            let byteCount = try files.fileSystem.status(files.database).byteCount
            let stored = UInt32(clamping: byteCount / pageSize)
            guard stored < sketch.pageCount else { return nil }
            // In the pages that are there, not in those that the log promises, of which there may be four billions.
            let present = Set(sketch.frames.map(\.page)).union([lockPage])
                .filter { $0 > stored && $0 <= sketch.pageCount }.sorted()
            guard present.count < Int(sketch.pageCount - stored) else { return nil }
            var (first, last) = (stored + 1, sketch.pageCount)
            for page in present where page == first { first += 1 }
            for page in present.reversed() where page == last { last -= 1 }
            // The file may have got shorter since the log was read: it counts if both are as before.
            if let seen, seen == (sketch.pageCount, byteCount) { return (first, last) }
            seen = (sketch.pageCount, byteCount)
        }
        return nil
    }
}
