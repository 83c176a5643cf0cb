extension String {
    /// The text as a part of a URI that stands for itself, whatever it has in it. A NUL stays one.
    /// <https://www.sqlite.org/uri.html>
    var escapedInURI: String {
        var escaped = ""
        for byte in PathText.bytes(of: self) {
            if byte < 0x80, !"%?#".utf8.contains(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += "%" + Hexadecimal.text([byte])
            }
        }
        return escaped
    }
}

extension String {
    /// The path that SQLite opens; nil for a URI whose parameters may name something else.
    var pathInPlainURI: String? {
        guard hasPrefix("file:") else { return self }
        let uri = utf8.dropFirst("file:".utf8.count).prefix { $0 != UInt8(ascii: "#") }
        let parts = uri.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let parameters = parts.count > 1 ? Self(decoding: parts[1], as: UTF8.self) : ""
        guard !parameters.contains("memory"), !parameters.contains("vfs"), let first = parts.first
        else { return nil }
        var path = Array(first)
        if path.starts(with: "//".utf8) {
            path = Array(path.dropFirst(2).drop { $0 != UInt8(ascii: "/") })
        }
        return Self.decodedFromURI(path)
    }

    private static func decodedFromURI(_ bytes: [UInt8]) -> String? {
        var decoded: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = Hexadecimal.bytes(Self(decoding: rest.prefix(2), as: UTF8.self))
            {
                decoded += value
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded.isEmpty || decoded.contains(0) ? nil : Self(decoding: decoded, as: UTF8.self)
    }
}
