import StrongroomCore

/// How a repository is named in a root: the relative path of its database, as one name.
///
/// 1. Two paths have the same name only if they are the same bytes, or their hashes are.
/// 2. A name is valid in every file system that is in use, FAT included. Whether it tells upper from lower
///    case, a name cannot know: ``folded(_:)`` does not.
/// 3. What cannot be said stands as `%` and two digits: the bytes of `/`, of `%`, of what is no
///    UTF-8, of control characters, and of what FAT refuses. A path that is too long ends in `%-`
///    and digits of its hash.
enum RepositoryName {
    private static let largestByteCount = 200
    private static let hashDigitCount = 32
    private static let refused = Set("%/\"*:<>?\\|".utf8)

    static func encode(_ path: [UInt8]) throws -> String {
        let name = escaped(path)
        guard name.utf8.count > largestByteCount else { return name }
        let hash = try path.withUnsafeBytes { try ContentDigest(of: $0) }.hexadecimal
        var start = name
        while start.utf8.count > largestByteCount - hashDigitCount { start.removeLast() }
        return start + "%-" + hash.prefix(hashDigitCount)
    }

    /// The path that a name was made of; nil for a name that was made otherwise, or that leads elsewhere.
    static func decode(_ name: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard let value = Hexadecimal.bytes(digits), value.count == 1 else { return nil }
            bytes += value
            rest = rest.dropFirst(2)
        }
        guard escaped(bytes) == name, case let path = PathText.text(of: bytes),
            path.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy({ !["", ".", ".."].contains($0) })
        else { return nil }
        return path
    }

    /// The same for names that one file system or another takes for the same.
    static func folded(_ name: String) -> String { name.lowercased() }

    private static func escaped(_ path: [UInt8]) -> String {
        var name = ""
        var rest = path[...]
        while let first = rest.first {
            let isAtEdge = name.isEmpty || rest.count == 1
            if let character = character(rest),
                character.value >= 0x20, character.value != 0x7f,
                !(0x80..<0xa0).contains(character.value),
                !(character.isASCII && refused.contains(first)),
                !(isAtEdge && (first == UInt8(ascii: ".") || first == UInt8(ascii: " ")))
            {
                name.unicodeScalars.append(character)
                rest = rest.dropFirst(UTF8.width(character))
            } else {
                name += "%" + Hexadecimal.text([first]).uppercased()
                rest = rest.dropFirst()
            }
        }
        return name
    }

    /// The character that some bytes begin with; nil where they are no UTF-8.
    private static func character(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        for count in 1...4 where count <= bytes.count {
            if let text = String(validating: bytes.prefix(count), as: UTF8.self) {
                return text.unicodeScalars.first
            }
        }
        return nil
    }
}

extension UTF8 {
    fileprivate static func width(_ character: Unicode.Scalar) -> Int {
        String(Character(character)).utf8.count
    }
}
