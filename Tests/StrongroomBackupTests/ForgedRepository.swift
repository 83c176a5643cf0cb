import Foundation
import Strongroom

@testable import StrongroomBackup

/// What somebody can do who writes to a repository and has no key: every hash is right, no seal is.
struct ForgedRepository {
    let path: String

    init(_ fixture: BackupFixture) {
        path = fixture.repository.path
    }

    func url(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name) }

    func content(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

    func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }

    static func digest(_ bytes: Data) throws -> String {
        try Array(bytes).withUnsafeBytes { try ContentDigest(of: $0) }.hexadecimal
    }

    /// The members of the JSON in the first line of a file.
    func members(_ name: String) throws -> [String: Any] {
        let line = try content(name).prefix { $0 != UInt8(ascii: "\n") }
        return try Self.object(Data(line))
    }

    /// The key of somebody who begins a repository anew, with what others have written.
    private static var key: SigningKey {
        get throws {
            var seed = SecretBytes(capacity: 32)
            for byte in UInt8(0)..<32 { seed.append(byte) }
            return try SigningKey(seed: seed)
        }
    }

    /// Makes a head that the forger may sign.
    ///
    /// - Returns: The forger's key, for a database that has another.
    static func takeOver(_ head: inout Head) throws -> BackupKey {
        head.authorities = [Introduction(beginning: try key.publicKey)]
        var secret = SecretBytes()
        for _ in 0..<32 { secret.append(7) }
        return try BackupKey(secret, authority: key)
    }

    private func sign(_ content: [String: Any], in members: inout [String: Any]) throws {
        var content = content
        let key = try Self.key
        let name = key.publicKey.hexadecimal
        if members["signer"] != nil { content["authorities"] = [["key": name]] }
        let text = String(decoding: try line(content), as: UTF8.self)
        members["content"] = text
        guard members["signer"] != nil else { return }
        members["signer"] = name
        members["signature"] = Hexadecimal.text(
            try key.signature(of: Array("strongroom-backup-2 head\n\(text)".utf8)))
    }

    private static func object(_ text: Data) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
    }

    /// The members of a head, wherever they are.
    func headMembers() throws -> [String: Any] {
        let members = try members("head")
        guard let text = members["content"] as? String else { return members }
        return try Self.object(Data(text.utf8))
    }

    private func line(_ members: [String: Any]) throws -> Data {
        try JSONSerialization.data(
            withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Writes a head with other members, under its right hash, and signed: with a key of the forger.
    func forgeHead(_ change: (inout [String: Any]) -> Void) throws {
        var members = try members("head")
        if let text = members["content"] as? String {
            var content = try Self.object(Data(text.utf8))
            change(&content)
            try sign(content, in: &members)
        } else {
            change(&members)
        }
        let line = try line(members)
        let end = Data("\nsha256 \(try Self.digest(line))\n".utf8)
        try (line + end).write(to: url("head"))
    }

    /// Changes the last manifest, with the seal that it had, and makes the head name it.
    ///
    /// - Returns: The names of the manifest before and after.
    @discardableResult
    func forgeLastManifest(
        _ change: (inout [String: Any]) -> Void
    ) throws -> (genuine: String, forged: String) {
        let genuine = try names("backups").last ?? ""
        let content = try content("backups/" + genuine)
        var members = try members("backups/" + genuine)
        change(&members)
        let end = content.drop { $0 != UInt8(ascii: "\n") }
        let bytes = try line(members) + end
        let digest = try Self.digest(bytes)
        let forged = genuine.prefix(9) + digest + ".backup"
        try FileManager.default.removeItem(at: url("backups/" + genuine))
        try bytes.write(to: url("backups/" + forged))
        try forgeHead { $0["manifest"] = digest }
        return (genuine, String(forged))
    }

    /// Changes the table or the end of the last pack, under its right hash.
    func forgeLastPack(_ change: (_ bytes: inout Data, _ tableStart: Int) -> Void) throws {
        let name = try names("packs").last ?? ""
        var bytes = try content("packs/" + name)
        let offset = bytes.suffix(24).prefix(8).enumerated().reduce(0) {
            $0 | Int($1.element) << ($1.offset * 8)
        }
        change(&bytes, offset)
        let digest = try Self.digest(Data(bytes[offset...]))
        try FileManager.default.removeItem(at: url("packs/" + name))
        try bytes.write(to: url("packs/" + name.prefix(9) + digest + ".pack"))
    }

    /// Inverts the bits of a byte of a file.
    func flip(_ name: String, at offset: Int) throws {
        var bytes = try content(name)
        bytes[offset] ^= 0xff
        try bytes.write(to: url(name))
    }
}
