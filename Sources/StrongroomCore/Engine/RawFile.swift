internal import CSQLCipher
internal import Synchronization

/// The file of a connection as it lies on the disk, read through SQLite's own descriptor.
///
/// 1. It is good only while the connection is open, and while nobody writes.
/// 2. Reads take turns: where SQLite has no `pread`, it seeks.
package final class RawFile: Sendable {
    // Safety: the pointers are used under the lock only.
    @safe private struct Pointers: @unchecked Sendable {
        let file: UnsafeMutablePointer<sqlite3_file>
        let methods: UnsafePointer<sqlite3_io_methods>
    }

    private let pointers: Mutex<Pointers>
    package let byteCount: Int64

    /// - Parameters: SQLite's `sqlite3_file`, and its `sqlite3_io_methods`.
    init?(_ file: UnsafeMutableRawPointer, _ methods: UnsafeRawPointer) {
        let file = unsafe file.assumingMemoryBound(to: sqlite3_file.self)
        let methods = unsafe methods.assumingMemoryBound(to: sqlite3_io_methods.self)
        var size: sqlite3_int64 = 0
        guard unsafe methods.pointee.xFileSize?(file, &size) == SQLITE_OK else { return nil }
        byteCount = size
        pointers = unsafe Mutex(Pointers(file: file, methods: methods))
    }

    /// Reads bytes at an offset until the buffer is full or the file ends; returns their number.
    @Sendable package func read(
        _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(DatabaseError) -> Int {
        let count = CInt(clamping: max(0, min(Int64(buffer.count), byteCount - offset)))
        guard count > 0 else { return 0 }
        let address = UInt(bitPattern: buffer.baseAddress)
        let code = pointers.withLock { pointers in
            unsafe pointers.methods.pointee.xRead?(
                pointers.file, UnsafeMutableRawPointer(bitPattern: address), count, offset)
        }
        guard code == SQLITE_OK else {
            throw DatabaseError(
                code: ResultCode(rawValue: code ?? SQLITE_IOERR), message: "the file cannot be read"
            )
        }
        return Int(count)
    }
}
