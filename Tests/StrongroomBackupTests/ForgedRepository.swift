import Foundation
import Strongroom
import Testing

@testable import StrongroomBackup

/// What somebody can do who writes to a repository: every hash is right. Without the key, no seal is, and
/// who signs is a stranger.
struct ForgedRepository {
    let path: String
    /// The database's, for somebody who has it and writes what no repository has.
    private let sealing: BackupKey?

    init(_ fixture: BackupFixture, sealing: BackupKey? = nil) {
        self.init(path: fixture.repository.path, sealing: sealing)
    }

    init(path: String, sealing: BackupKey?) {
        self.path = path
        self.sealing = sealing
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
        let key = try sealing?.authority ?? Self.key
        let name = key.publicKey.hexadecimal
        if members["signer"] != nil, sealing == nil { content["authorities"] = [["key": name]] }
        let text = String(decoding: try line(content), as: UTF8.self)
        members["content"] = text
        guard members["signer"] != nil else { return }
        members["signer"] = name
        let seal = try sealing?.headSeal(of: Array(text.utf8))
        if let seal { members["seal"] = seal.hexadecimal }
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
        let newLine = try line(members)
        let seal = try sealing?.seal(of: [UInt8](newLine))
        let end =
            seal.map { Data("\nhmac-sha256 \($0.hexadecimal)\n".utf8) }
            ?? content.drop { $0 != UInt8(ascii: "\n") }
        let bytes = newLine + end
        let digest = try Self.digest(bytes)
        let forged = genuine.prefix(9) + digest + ".backup"
        try FileManager.default.removeItem(at: url("backups/" + genuine))
        try bytes.write(to: url("backups/" + forged))
        try forgeHead { $0["manifest"] = digest }
        return (genuine, String(forged))
    }

    /// Changes an entry of the root of the last backup's tree, and all that vouches for it.
    func forgeLastRoot(_ change: (inout Data) -> Void) throws {
        let manifest = try #require(try names("backups").last)
        let root = try members("backups/" + manifest)["root"] as? [String: Any] ?? [:]
        let (pack, slot) = (root["pack"] as? Int ?? 0, root["slot"] as? Int ?? 0)
        let name = try #require(
            try names("packs").first { Int($0.prefix { $0 != "-" }) == pack })
        var bytes = try content("packs/" + name)
        let table = Self.number(bytes.suffix(24).prefix(8))
        let row = table + 48 * slot
        let offset = Self.number(bytes[(row + 32)..<(row + 40)])
        let length = Self.number(bytes[(row + 40)..<(row + 44)])
        var node = Data(bytes[offset..<(offset + length)])
        change(&node)
        guard node.count == length else { return }
        bytes.replaceSubrange(offset..<(offset + length), with: node)
        let digest = try Self.digest(node)
        bytes.replaceSubrange(row..<(row + 32), with: Hexadecimal.bytes(digest) ?? [])
        try FileManager.default.removeItem(at: url("packs/" + name))
        let tableDigest = try Self.digest(Data(bytes[table...]))
        try bytes.write(to: url("packs/" + name.prefix(9) + tableDigest + ".pack"))
        try forgeLastManifest { members in
            var root = root
            root["sha256"] = digest
            members["root"] = root
        }
    }

    private static func number(_ bytes: Data) -> Int {
        bytes.enumerated().reduce(0) { $0 | Int($1.element) << ($1.offset * 8) }
    }

    /// Changes the table or the end of the last pack, under its right hash.
    func forgeLastPack(_ change: (_ bytes: inout Data, _ tableStart: Int) -> Void) throws {
        let name = try names("packs").last ?? ""
        var bytes = try content("packs/" + name)
        let offset = Self.number(bytes.suffix(24).prefix(8))
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
