import StrongroomCore
import StrongroomEssentials

/// A line of the log of `--audit`, as far as it can be judged alone.
enum AuditLine {
    /// It is as a command wrote it, after the line with this hash; of a line of earlier versions, which has
    /// no checksum, only the form is known.
    case intact(previous: String)
    /// Its end is missing.
    case cut
    /// Its checksum or its form is wrong.
    case changed

    /// The last member is the SHA-256 of all that stands before its comma.
    private static let checksum = ",\"sha256\":\""
    private static let end = "\"}"
    private static let digitCount = 64

    private static let members: Set = [
        "time", "what", "file", "slot", "key", "user", "host", "previous",
    ]

    init(_ line: some RandomAccessCollection<UInt8>, _ path: String) throws(Failure) {
        guard line.last == UInt8(ascii: "}") else {
            self = .cut
            return
        }
        let read = try? JSONDecoder().decode([String: String?].self, from: Data(line))
        let tail = line.suffix(Self.checksum.utf8.count + Self.digitCount + Self.end.utf8.count)
        let hasChecksum = tail.starts(with: Self.checksum.utf8)
        // The name of a file that is no UTF-8 has a second member for its bytes.
        let names = Set(read?.keys.filter { !$0.hasSuffix("Bytes") } ?? [])
        guard let previous = read?["previous"] ?? nil,
            names == Self.members.union(hasChecksum ? ["sha256"] : [])
        else {
            self = .changed
            return
        }
        if hasChecksum {
            let text = line.dropLast(tail.count)
            let digits = tail.dropFirst(Self.checksum.utf8.count).prefix(Self.digitCount)
            guard try digits.elementsEqual(Self.hash(text, path).utf8) else {
                self = .changed
                return
            }
        }
        self = .intact(previous: previous)
    }

    /// An object on one line, with its checksum.
    static func text(of object: JSONValue, _ path: String) throws(Failure) -> String {
        let text = object.text.dropLast()
        return try text + checksum + hash(text.utf8, path) + end
    }

    static func hash(_ line: some Sequence<UInt8>, _ path: String) throws(Failure) -> String {
        do {
            return try Array(line).withUnsafeBytes { try ContentDigest(of: $0) }.hexadecimal
        } catch {
            throw Failure(.failed, "cannot hash a line of \(path)")
        }
    }
}
