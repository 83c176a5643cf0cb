extension FileSystem {
    /// The status of what a path leads to, or `nil` if nothing is there.
    package func statusIfPresent(_ path: String) throws(SystemError) -> FileStatus? {
        try Self.ifPresent { () throws(SystemError) in try status(path) }
    }

    /// A descriptor for reading, or `nil` if nothing is there, or nothing any more.
    package func openIfPresent(_ path: String) throws(SystemError) -> Descriptor? {
        try Self.ifPresent { () throws(SystemError) in try openForReading(path) }
    }

    package static func ifPresent<T>(
        _ body: () throws(SystemError) -> T
    ) throws(SystemError) -> T? {
        do {
            return try body()
        } catch  where error.number == SystemError.noSuchFile {
            return nil
        }
    }

    /// Writes all bytes, in as many calls as it takes.
    package func writeAll(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Descriptor
    ) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = try write(descriptor, rest)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Writes all bytes at a place in the file, in as many calls as it takes.
    package func writeAll(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Descriptor, at offset: Int64
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try writeAt(descriptor, rest, offset + Int64(done))
        }
    }

    /// Reads bytes from a place in the file until the buffer is full or the file ends.
    package func readAll(
        _ descriptor: Descriptor, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try read(descriptor, rest, offset + Int64(done))
            if count == 0 { break }
            done += count
        }
        return done
    }
}

extension String {
    /// The directory and the name of a path; a bare name is in `.`.
    package var splitAtLastSlash: (directory: String, name: String) {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", self) }
        let directory = self[..<slash]
        return (directory.isEmpty ? "/" : String(directory), String(self[index(after: slash)...]))
    }

    /// A name in the directory that this string is the path of.
    package func appendingName(_ name: String) -> String {
        hasSuffix("/") ? self + name : self + "/" + name
    }
}
