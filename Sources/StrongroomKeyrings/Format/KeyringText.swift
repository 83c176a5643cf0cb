import StrongroomCore
internal import StrongroomEssentials

/// A keyring as it is in its file: the content, and the signature over its bytes.
///
/// 1. The bytes whose signature is checked are those that are parsed, and there is only one way to
///    write a content.
/// 2. A content that comes out of ``init(_:path:)`` is signed by its last authority, to which a chain
///    of signatures leads from the first. Who the first one is, is for the vouches to say.
struct KeyringText: Sendable {
    let content: KeyringContent
    let bytes: [UInt8]

    private static let signatureName = "ed25519"

    /// The SHA-256 of the file.
    func digest() throws -> ContentDigest {
        try bytes.withUnsafeBytes { try ContentDigest(of: $0) }
    }

    // MARK: Writing

    init(signing content: KeyringContent, with authority: SigningKey) throws {
        // What would not be read is not written.
        guard content.isPossible else {
            throw KeyringError(.failed, "", "the keyring is full")
        }
        let line = [UInt8](try JSONEncoder.sorted.encode(content))
        let signature = Hexadecimal.text(try authority.signature(of: line))
        self.content = content
        bytes = line + Array("\n\(Self.signatureName) \(signature)\n".utf8)
        guard bytes.count <= KeyringContent.largestByteCount else {
            throw KeyringError(
                .failed, "", "the keyring would become larger than 1 MiB",
                hint: "remove slots whose commands print much")
        }
    }

    // MARK: Reading

    init(_ bytes: [UInt8], path: String) throws {
        self.bytes = bytes
        guard bytes.count <= KeyringContent.largestByteCount else {
            throw KeyringError.damaged(path, "it is larger than 1 MiB")
        }
        guard let (line, signature) = Self.split(bytes) else {
            throw Self.notAsItShouldBe(path)
        }
        content = try Self.content(of: line, path)
        guard try Self.isSigned(line, signature, content) else {
            throw KeyringError.damaged(path, "a signature in it is not right")
        }
    }

    private static func split(_ bytes: [UInt8]) -> (line: [UInt8], signature: [UInt8])? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let start = Array("\(signatureName) ".utf8)
        let rest = bytes[(end + 1)...]
        guard rest.starts(with: start), rest.last == UInt8(ascii: "\n") else { return nil }
        let digits = String(decoding: rest.dropFirst(start.count).dropLast(), as: UTF8.self)
        guard KeyringContent.isHex(digits, 2 * PublicKey.signatureByteCount),
            let signature = Hexadecimal.bytes(digits)
        else { return nil }
        return (Array(bytes[..<end]), signature)
    }

    private static func content(of line: [UInt8], _ path: String) throws -> KeyringContent {
        struct Version: Codable {
            let format: String
        }
        let data = Data(line)
        guard let version = try? JSONDecoder().decode(Version.self, from: data) else {
            throw notAsItShouldBe(path)
        }
        guard version.format == KeyringContent.formatName else {
            let name = version.format.unicodeScalars.prefix(40).filter { $0.isASCII && $0 >= " " }
            throw KeyringError(
                .unsupportedFormat, path,
                "\(path) has the format \(String(String.UnicodeScalarView(name)))",
                hint: "use the version of strongroom that created it, or a later one")
        }
        guard let content = try? JSONDecoder().decode(KeyringContent.self, from: data),
            content.isPossible, let again = try? JSONEncoder.sorted.encode(content),
            [UInt8](again) == line
        else { throw notAsItShouldBe(path) }
        return content
    }

    private static func isSigned(
        _ line: [UInt8], _ signature: [UInt8], _ content: KeyringContent
    ) throws -> Bool {
        let keys = content.authorities.compactMap { PublicKey(hexadecimal: $0.public) }
        guard keys.count == content.authorities.count, let last = keys.last,
            try last.hasSigned(line, signature)
        else { return false }
        for index in keys.indices.dropFirst() {
            let text = authorityText(
                keys[index], keyring: content.keyring,
                restored: content.authorities[index].restored)
            guard let by = content.authorities[index].by.flatMap({ Hexadecimal.bytes($0) }),
                try keys[index - 1].hasSigned(text, by)
            else { return false }
        }
        return true
    }

    /// What the authority before signs to introduce another.
    ///
    /// - Parameter restored: The older key of a restored copy, whose authority it is.
    static func authorityText(
        _ key: PublicKey, keyring: String, restored: String? = nil
    ) -> [UInt8] {
        let lines = ["strongroom-keyring-1 authority", keyring, key.hexadecimal]
        let last = restored.map { ["restored \($0)"] } ?? []
        return Array((lines + last).map { $0 + "\n" }.joined().utf8)
    }

    private static func notAsItShouldBe(_ path: String) -> KeyringError {
        .damaged(path, "its format is invalid")
    }
}
