internal import Foundation
import Strongroom

/// The one file of a repository that changes: which backup is the last, and which are pruned.
struct Head: Codable, Equatable, Sendable {
    static let format = "strongroom-backup-1"

    var format = Head.format
    /// What tells this repository from others.
    var repository: String
    var created: String
    /// How many backups were ever made; the number of the last one.
    var sequence: UInt32 = 0
    /// The SHA-256 of the last manifest.
    var manifest: String?
    /// The number that the next pack gets.
    var nextPack: UInt32 = 1
    /// Backups whose content is gone, as ranges of their numbers, both ends counted.
    var pruned: [[UInt32]] = []

    var prunedSet: Set<UInt32> {
        get {
            Set(pruned.lazy.filter { $0.count == 2 && $0[0] <= $0[1] }.flatMap { $0[0]...$0[1] })
        }
        set {
            pruned = newValue.sorted().reduce(into: []) { ranges, number in
                if let last = ranges.last, last[1] + 1 == number {
                    ranges[ranges.count - 1][1] = number
                } else {
                    ranges.append([number, number])
                }
            }
        }
    }

    func encoded() throws -> [UInt8] {
        let content = [UInt8](try JSONEncoder.sorted.encode(self))
        let seal = try content.withUnsafeBytes { try ContentDigest(of: $0) }
        return SealedText(content, "sha256", seal).bytes
    }

    static func decode(_ bytes: [UInt8], path: String) throws -> Head {
        guard let text = SealedText(bytes), text.kind == "sha256",
            try text.content.withUnsafeBytes({ try ContentDigest(of: $0) }) == text.seal
        else { throw BackupError.damaged(path, "it does not agree with its own hash") }
        struct Version: Codable {
            let format: String
        }
        let data = Data(text.content)
        if let version = try? JSONDecoder().decode(Version.self, from: data),
            version.format != format
        {
            throw BackupError(
                .unsupportedFormat, path, "\(path) has the format \(version.format)",
                hint: "use the version of strongroom that made it, or a later one")
        }
        guard let head = try? JSONDecoder().decode(Head.self, from: data) else {
            throw BackupError.damaged(path, "it is not written as it should be")
        }
        return head
    }
}

extension JSONEncoder {
    static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
