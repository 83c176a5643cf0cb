internal import StrongroomEssentials

/// A file of text, in which offsets are bytes.
final class TextFile: Sendable {
    let path: String
    /// What the file holds; empty where it is not UTF-8.
    let text: String
    /// The first byte that no character of UTF-8 has there; nil in a file that is UTF-8.
    let invalidOffset: Int?
    private let lineStarts: [Int]

    init(path: String, content: Data) {
        self.path = path
        let bytes = Array(content)
        lineStarts =
            [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        let whole = String(validating: bytes, as: UTF8.self)
        text = whole ?? ""
        invalidOffset = whole == nil ? Self.invalidOffset(bytes) : nil
    }

    /// nil where the file cannot be read.
    convenience init?(path: String) {
        guard let content = FileManager.default.contents(atPath: path) else { return nil }
        self.init(path: path, content: content)
    }

    private static func invalidOffset(_ bytes: [UInt8]) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            offset += UTF8.width(scalar)
        }
        return offset
    }

    /// The line and the column, both from 1, as compilers count them: columns are bytes.
    func position(of offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - lineStarts[low] + 1)
    }
}

/// A place in a file.
struct Place {
    let file: TextFile
    let offset: Int
}

/// What is said about a place.
struct Remark {
    enum Severity: String { case error, warning, note }

    var severity: Severity
    var message: String
    var place: Place
    var notes: [Remark] = []

    init(_ severity: Severity, _ message: String, at place: Place, notes: [Remark] = []) {
        self.severity = severity
        self.message = message
        self.place = place
        self.notes = notes
    }

    /// The lines, as compilers write them.
    var lines: [String] {
        let (line, column) = place.file.position(of: place.offset)
        let path = place.file.path
        return ["\(path):\(line):\(column): \(severity): \(message)"] + notes.flatMap(\.lines)
    }
}

extension UTF8 {
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int { String(scalar).utf8.count }
}
