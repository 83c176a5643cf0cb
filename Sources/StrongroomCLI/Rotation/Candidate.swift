import LibC
import StrongroomCore

/// What a file in a folder may be, as far as it shows without a key.
enum Candidate {
    case encrypted, cut, withPlaintextHeader, damagedPlaintext, plaintext
    /// No database that has a key, and what it is instead.
    case none(String)

    init(_ path: String) {
        if let format = Self.knownFormat(path) {
            self = .none(format.rawValue)
            return
        }
        guard let verdict = try? DatabaseFile(path: path).verdict() else {
            // Why it cannot be read, the rotation tells.
            self =
                RotationTargets.byteCount(path) < FileVerdict.smallestPageSize
                ? Self.tooSmall : .encrypted
            return
        }
        switch verdict.kind {
        case .empty, .tooSmall: self = Self.tooSmall
        case .plaintext: self = .plaintext
        case .plaintextHeader: self = .withPlaintextHeader
        case .damagedPlaintext: self = .damagedPlaintext
        case .unknown: self = .none("files that do not look encrypted")
        // A picture of no known form, or a database: the rotation tries its keys.
        case .encrypted: self = verdict.endsWithPage ? .encrypted : .cut
        }
    }

    /// Whether a key may open all of it.
    var isWhole: Bool {
        switch self {
        case .encrypted, .withPlaintextHeader: true
        default: false
        }
    }

    private static let tooSmall = Candidate.none("files that are too small for a database")

    private static func knownFormat(_ path: String) -> KnownFormat? {
        guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK) else { return nil }
        defer { file.close() }
        let start = file.bytes(at: 0, count: KnownFormat.byteCount)
        return KnownFormat(start, byteCount: RotationTargets.byteCount(path)) { offset in
            file.bytes(at: Int64(offset), count: 1).first
        }
    }
}
