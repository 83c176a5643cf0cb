/// The name of a file as the system has it: bytes, which mostly are text and need not be.
struct PathName: Equatable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    init(folder: String, name: [UInt8]) {
        bytes = Array((folder.hasSuffix("/") ? folder : folder + "/").utf8) + name
    }

    /// The name as text: bytes that are no UTF-8 are written `\xE9`.
    var text: String {
        var text = ""
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = (1...4).first { length in
                rest.count >= length && Self.isText(rest.prefix(length))
            }
            if let length {
                text += String(decoding: rest.prefix(length), as: UTF8.self)
            } else {
                let digits = String(rest[rest.startIndex], radix: 16, uppercase: true)
                text += "\\x" + (digits.count == 1 ? "0" : "") + digits
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return text
    }

    /// `file`, and for a name that is not UTF-8 `fileBytes`, which are exact, in base64.
    var json: [JSONValue.Member] {
        let file = JSONValue.Member("file", .string(text))
        guard !Self.isText(bytes) else { return [file] }
        return [file, .init("fileBytes", .string(Base64.text(of: bytes)))]
    }

    private static func isText(_ bytes: some Collection<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }
}
