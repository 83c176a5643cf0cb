#if os(Linux)
internal import Dispatch

#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Tells of writes to some files of a folder, by whatever process, as long as it lives.
///
/// <https://man7.org/linux/man-pages/man7/inotify.7.html>
// Safety: the source is only cancelled, which any thread may do.
package final class FolderWatch: @unchecked Sendable {
    private let source: any DispatchSourceRead

    /// - Parameter onChange: Called on a thread of its own, once or more for several writes.
    /// - Throws: The system's error when the folder can't be watched.
    package init(
        folder: String, files: Set<String>, onChange: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError("inotify_init1", folder, number: errno) }
        let events = UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO)
        guard inotify_add_watch(descriptor, folder, events) >= 0 else {
            let error = SystemError("inotify_add_watch", folder, number: errno)
            close(descriptor)
            throw error
        }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "FolderWatch"))
        source.setEventHandler {
            if Self.takeNames(from: descriptor).contains(where: { $0.map(files.contains) ?? true })
            {
                onChange()
            }
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit {
        source.cancel()
    }

    /// The names of the files that were written, and nil where it is not known which.
    private static func takeNames(from descriptor: CInt) -> [String?] {
        var names: [String?] = []
        withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                names += Self.names(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
        return names
    }

    /// An event is four numbers of four bytes, the last of which is the length of the name.
    private static func names(in events: UnsafeRawBufferPointer) -> [String?] {
        var names: [String?] = []
        var rest = events[...]
        while rest.count >= 16 {
            let header = UnsafeRawBufferPointer(rebasing: rest.prefix(16))
            let mask = header.load(fromByteOffset: 4, as: UInt32.self)
            let length = Int(header.load(fromByteOffset: 12, as: UInt32.self))
            let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
            let isOverflow = mask & UInt32(IN_Q_OVERFLOW) != 0
            names.append(isOverflow ? nil : String(decoding: name, as: UTF8.self))
            rest = rest.dropFirst(16 + length)
        }
        return names
    }
}
#endif
