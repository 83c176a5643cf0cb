import LibC
package import StrongroomCore

/// A file descriptor, and the calls on it that a signal may interrupt.
package struct Descriptor: Sendable, Equatable {
    package let number: Int32

    package static let standardInput = Descriptor(number: 0)
    package static let standardOutput = Descriptor(number: 1)
    package static let standardError = Descriptor(number: 2)

    package init(number: Int32) {
        self.number = number
    }

    /// Opens a file that no child process inherits.
    static func open(_ path: String, _ flags: Int32) throws(SystemError) -> Descriptor {
        while true {
            let number = Calls.openFile(path, flags | O_CLOEXEC)
            if number >= 0 { return Descriptor(number: number) }
            if errno != EINTR { throw .last("open", path) }
        }
    }

    func close() {
        Calls.closeFile(number)
    }

    /// The number of bytes read; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = Calls.readBytes(number, buffer)
            if count >= 0 { return count }
            if errno != EINTR { throw .last("read") }
        }
    }

    /// Up to `count` bytes: what one read gives.
    func readPrefix(_ count: Int) throws(SystemError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        return Array(buffer[..<(try read(into: buffer))])
    }

    /// The bytes of a file from a place on, as many as there are.
    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, readCount in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            readCount = (try? FileSystem.system.readAll(number, bytes, at: offset)) ?? 0
        }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Calls.writeBytes(number, UnsafeRawBufferPointer(rebasing: rest))
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .last("write")
            }
        }
    }

    func write(text: String) throws(SystemError) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(SystemError) in try write(UnsafeRawBufferPointer(bytes)) }
        }
        try result.get()
    }

    package var isTerminal: Bool { isatty(number) == 1 }

    /// The width of the terminal in columns.
    var columns: Int? {
        var size = winsize()
        guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

/// The calls, under names that `Descriptor`'s own methods do not hide.
private enum Calls {
    static func openFile(_ path: String, _ flags: Int32) -> Int32 {
        open(path.systemPath, flags)
    }

    static func closeFile(_ number: Int32) { _ = close(number) }

    static func readBytes(_ number: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        read(number, buffer.baseAddress, buffer.count)
    }

    static func writeBytes(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        write(number, bytes.baseAddress, bytes.count)
    }
}
