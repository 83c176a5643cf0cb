package import Strongroom

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

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
            #if canImport(Darwin)
            let number = Darwin.open(path, flags | O_CLOEXEC)
            #else
            let number = Glibc.open(path, flags | O_CLOEXEC)
            #endif
            if number >= 0 { return Descriptor(number: number) }
            if errno != EINTR { throw .last("open", path) }
        }
    }

    func close() {
        #if canImport(Darwin)
        _ = Darwin.close(number)
        #else
        _ = Glibc.close(number)
        #endif
    }

    /// The number of bytes read; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            #if canImport(Darwin)
            let count = Darwin.read(number, buffer.baseAddress, buffer.count)
            #else
            let count = Glibc.read(number, buffer.baseAddress, buffer.count)
            #endif
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

    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let start = bytes.baseAddress.map { $0 + rest.startIndex }
            #if canImport(Darwin)
            let count = Darwin.write(number, start, rest.count)
            #else
            let count = Glibc.write(number, start, rest.count)
            #endif
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .last("write")
            }
        }
    }

    package var isTerminal: Bool { isatty(number) == 1 }

    /// The width of the terminal in columns.
    var columns: Int? {
        var size = winsize()
        guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
