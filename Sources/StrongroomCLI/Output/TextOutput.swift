import StrongroomCore

/// Where a stream of text goes: standard output, standard error, or a test's memory.
package final class TextOutput {
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private let name: String
    private let capacity: Int
    private var buffer: [UInt8] = []
    /// After a failed write nothing more is tried: the reader is gone or the disk is full.
    private var isBroken = false

    /// With a capacity of 0, everything is written at once.
    package init(
        name: String, capacity: Int = 1 << 16,
        sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) {
        self.name = name
        self.capacity = capacity
        self.sink = sink
    }

    package convenience init(_ descriptor: Descriptor, name: String, capacity: Int = 1 << 16) {
        self.init(name: name, capacity: capacity) { bytes in try descriptor.write(bytes) }
    }

    package func write(_ text: String) throws(Failure) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count > capacity { try flush() }
    }

    /// Has a closure append bytes, for what is written a million times.
    func append(_ body: (inout [UInt8]) -> Void) throws(Failure) {
        body(&buffer)
        if buffer.count > capacity { try flush() }
    }

    /// Writes a line for people, in which a name of a file that is no UTF-8 is spelt out.
    package func writeLine(_ text: String = "") throws(Failure) {
        try write(PathText.visible(text) + "\n")
    }

    package func flush() throws(Failure) {
        guard !buffer.isEmpty, !isBroken else { return }
        do {
            try buffer.withUnsafeBytes(sink)
            buffer.removeAll(keepingCapacity: true)
        } catch {
            isBroken = true
            let error = error as? SystemError
            if error?.isBrokenPipe == true { throw .outputClosed }
            throw Failure(.failed, "cannot write to \(name): \(error?.reason ?? "it failed")")
        }
    }
}
