import Foundation

/// The lines of a file, one at a time, however large the file is.
struct LineReader {
    struct Line: Equatable {
        /// The first line has number 1.
        var number: Int
        var text: String
        /// False where bytes that are not UTF-8 had to be replaced.
        var isValid = true
    }

    private let nextChunk: () throws -> Data?
    private var chunk: [UInt8] = []
    private var position = 0
    private var lineNumber = 0

    /// Reads what the closure returns, piece after piece, until it returns nil or nothing.
    init(chunks nextChunk: @escaping () throws -> Data?) {
        self.nextChunk = nextChunk
    }

    init(path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        self.init(chunks: { try file.read(upToCount: 65_536) })
    }

    mutating func next() throws -> Line? {
        var bytes: [UInt8] = []
        while let rest = try unreadBytes() {
            if let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                bytes += rest[..<newline]
                position = newline + 1
                return line(bytes)
            }
            bytes += rest
            position = rest.endIndex
        }
        return bytes.isEmpty ? nil : line(bytes)
    }

    private mutating func unreadBytes() throws -> ArraySlice<UInt8>? {
        if position == chunk.endIndex {
            guard let data = try nextChunk(), !data.isEmpty else { return nil }
            chunk = Array(data)
            position = 0
        }
        return chunk[position...]
    }

    private mutating func line(_ bytes: [UInt8]) -> Line {
        lineNumber += 1
        if let text = String(validating: bytes, as: UTF8.self) {
            return Line(number: lineNumber, text: text)
        }
        let repaired = String(decoding: bytes, as: UTF8.self)
        return Line(number: lineNumber, text: repaired, isValid: false)
    }
}
