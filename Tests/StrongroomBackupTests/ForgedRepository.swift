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
        return try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
    }

    private func line(_ members: [String: Any]) throws -> Data {
        try JSONSerialization.data(
            withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Writes a head with other members, under its right hash.
    func forgeHead(_ change: (inout [String: Any]) -> Void) throws {
        var members = try members("head")
        change(&members)
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
