internal import CSQLCipher

/// What a connection reads in place of its main file.
// Safety: SQLite gives the buffer with every call, and its file to the methods that were put there.
@safe package final class SubstitutedFile {
    /// Fills a buffer with the bytes at an offset, all of which are before the end.
    package typealias Read = (UnsafeMutableRawBufferPointer, _ offset: Int64) throws -> Void

    private let byteCount: Int64
    private let read: Read
    /// What the first read that failed has thrown.
    private var error: (any Error)?

    package init(byteCount: Int64, read: @escaping Read) {
        self.byteCount = byteCount
        unsafe self.read = read
    }

    /// Runs a function while a connection reads this in place of its main file, which is one that
    /// SQLite takes for unchangeable: no lock, journal or log is looked for.
    ///
    /// - Throws: What the function throws, and afterwards what a read has thrown: SQLite may have
    ///   taken that for damage; `SQLITE_CANTOPEN` where there is no file.
    package func whileRead<T>(by connection: BorrowedConnection, _ body: () throws -> T) throws -> T
    {
        let result = try FileMethods.exchange(
            of: connection, schema: "main", version: 1, object: self, Self.setReads
        ) {
            let result = Result(catching: body)
            if let error { throw error }
            return try result.get()
        }
        guard let result else { throw DatabaseError(code: .SQLITE_CANTOPEN) }
        return result
    }

    private static func setReads(_ methods: inout sqlite3_io_methods) {
        // Version 3 can map the file into memory, past us.
        methods.iVersion = min(methods.iVersion, 2)
        unsafe methods.xFileSize = { file, size in
            guard let file = unsafe file, let size = unsafe size else { return SQLITE_IOERR }
            unsafe size.pointee = FileMethods.object(of: file, as: SubstitutedFile.self).byteCount
            return SQLITE_OK
        }
        unsafe methods.xRead = { file, buffer, count, offset in
            guard let file = unsafe file, let buffer = unsafe buffer else { return SQLITE_IOERR }
            defer { ProcessEnd.passPage() }
            let bytes = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
            return unsafe FileMethods.object(of: file, as: SubstitutedFile.self).fill(bytes, offset)
        }
    }

    /// SQLite wants zeros behind the end.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) -> CInt {
        let count = Int(clamping: max(0, min(Int64(buffer.count), byteCount - offset)))
        do {
            if count > 0 {
                try unsafe read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), offset)
            }
        } catch {
            if self.error == nil { self.error = error }
            return ResultCode.SQLITE_IOERR_READ.rawValue
        }
        guard count < buffer.count else { return SQLITE_OK }
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            .initializeMemory(as: UInt8.self, repeating: 0)
        return ResultCode.SQLITE_IOERR_SHORT_READ.rawValue
    }
}
