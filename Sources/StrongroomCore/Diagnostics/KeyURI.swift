/// Names of files that SQLite takes for URIs, and in which SQLCipher finds a key.
package enum KeyURI {
    private static let parameters: Set = ["key", "hexkey", "textkey"]

    /// Whether the name of a file gives a key, or says that there is none: `file:x?key=`.
    ///
    /// It is taken apart as SQLite does: <https://www.sqlite.org/uri.html>
    package static func givesKey(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.starts(with: "file:".utf8) else { return false }
        // SQLite reads a C string.
        let uri = bytes.prefix { $0 != 0 && $0 != UInt8(ascii: "#") }
        guard let query = uri.firstIndex(of: UInt8(ascii: "?")) else { return false }
        return uri[(query + 1)...].split(separator: UInt8(ascii: "&")).contains { parameter in
            parameters.contains(decoded(parameter.prefix { $0 != UInt8(ascii: "=") }))
        }
    }

    /// A name with its escapes undone. An escaped NUL ends it.
    private static func decoded(_ name: ArraySlice<UInt8>) -> String {
        var decoded: [UInt8] = []
        var rest = name
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"),
                let value = Hexadecimal.bytes(String(decoding: rest.prefix(2), as: UTF8.self))?
                    .first
            else {
                decoded.append(byte)
                continue
            }
            guard value != 0 else { break }
            decoded.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
