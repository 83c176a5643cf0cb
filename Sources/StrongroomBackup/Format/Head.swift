internal import Foundation
import Strongroom

/// The one file of a repository that changes: which backup is the last, and which are pruned.
struct Head: Codable, Equatable, Sendable {
    static let format = "strongroom-backup-1"
    /// Backups and packs have no larger numbers, so that there is always a next one.
    static let largestNumber = UInt32(Int32.max)

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

    var prunedNumbers: NumberRanges {
        get { NumberRanges(pruned) ?? NumberRanges() }
        set { pruned = newValue.pairs }
    }

    /// How many backups are kept.
    var keptCount: Int { Int(sequence) - prunedNumbers.count }

    /// The hash of the last manifest; nil if there is none.
    var lastDigest: ContentDigest? { manifest.flatMap { ContentDigest(hexadecimal: $0) } }

    /// Whether its numbers can be those of a repository, so that they may be counted with.
    private var isPossible: Bool {
        guard let ranges = NumberRanges(pruned) else { return false }
        return sequence <= Self.largestNumber && (1...Self.largestNumber).contains(nextPack)
            && (sequence == 0) == (manifest == nil) && (manifest == nil) == (lastDigest == nil)
            && ranges.largest <= sequence
    }

    func encoded() throws -> [UInt8] {
        // What would not be read is not written.
        guard isPossible else {
            throw BackupError(.failed, "", "the repository has no room for more numbers")
        }
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
        guard let head = try? JSONDecoder().decode(Head.self, from: data), head.isPossible else {
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
