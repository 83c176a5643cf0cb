import StrongroomCore
internal import StrongroomEssentials
internal import Synchronization

/// A head as it is in its file, with what vouches for it.
///
/// 1. The bytes whose seal and signature are checked are those that are parsed.
/// 2. A head of which anything is not as it should be is not given out: of a signed one the signature
///    is right, and those who may sign are who their entries say.
struct HeadText: Sendable {
    /// More is no head: 1,000 authorities, and the ranges of 30,000 backups, would fit.
    static let largestByteCount = 1 << 20

    let head: Head
    /// What has sealed and signed it. Nil in the first format, and as long as there is no backup.
    let vouching: Vouching?
    /// The SHA-256 of the head, as it stands in the file.
    let digest: ContentDigest

    /// What vouches for a head.
    struct Vouching: Equatable, Sendable {
        let seal: ContentDigest
        /// The public key that has signed it.
        let signer: String
        /// What was sealed and signed.
        let content: [UInt8]
    }

    private struct Envelope: Codable {
        var format: RepositoryFormat
        var content: String
        var seal: String?
        var signer: String?
        var signature: String?
    }

    /// Whether the key has sealed it.
    func isSealed(with key: BackupKey) throws -> Bool {
        guard let vouching, head.key == key.identifier else { return false }
        return try key.headSeal(of: vouching.content).isSame(as: vouching.seal)
    }
}

/// The heads of which this process has verified the signatures, by the SHA-256 of all that they are: an operation
/// reads the same head several times.
private enum VerifiedHeads {
    private static let limit = 256
    private static let digests = Mutex<Set<ContentDigest>>([])

    static func contains(_ digest: ContentDigest) -> Bool {
        digests.withLock { $0.contains(digest) }
    }

    static func insert(_ digest: ContentDigest) {
        digests.withLock { digests in
            if digests.count >= limit { digests.removeAll() }
            digests.insert(digest)
        }
    }
}

// MARK: - Writing

extension HeadText {
    /// The bytes of a head's file.
    ///
    /// - Parameter key: What it is sealed and signed with; nothing in the first format, and as long
    ///   as there is no backup.
    static func encode(_ head: Head, _ key: BackupKey?) throws -> [UInt8] {
        // What would not be read is not written.
        guard head.isPossible else {
            throw BackupError(.failed, "", "the repository has reached its limit of numbers")
        }
        let content = [UInt8](try JSONEncoder.sorted.encode(head))
        guard head.format.isSigned else { return try line(content) }
        var envelope = Envelope(
            format: head.format, content: String(decoding: content, as: UTF8.self))
        if let key, let authority = key.authority {
            envelope.seal = try key.headSeal(of: content).hexadecimal
            envelope.signer = authority.publicKey.hexadecimal
            envelope.signature = Hexadecimal.text(try authority.signature(of: signedText(content)))
        }
        return try line([UInt8](try JSONEncoder.sorted.encode(envelope)))
    }

    private static func line(_ content: [UInt8]) throws -> [UInt8] {
        let digest = try content.withUnsafeBytes { try ContentDigest(of: $0) }
        return SealedText(content, "sha256", digest).bytes
    }

    private static func signedText(_ content: [UInt8]) -> [UInt8] {
        Array("strongroom-backup-2 head\n".utf8) + content
    }
}

// MARK: - Reading

extension HeadText {
    init(_ bytes: [UInt8], path: String) throws {
        guard let text = SealedText(bytes), text.kind == "sha256",
            try text.content.withUnsafeBytes({ try ContentDigest(of: $0) }) == text.seal
        else { throw Self.damaged(path, "it does not agree with its own hash") }
        digest = text.seal
        let data = Data(text.content)
        switch try Self.format(data, path) {
        case .unsigned:
            head = try Self.head(data, .unsigned, path)
            vouching = nil
        case .signed:
            guard let envelope = try? JSONDecoder().decode(Envelope.self, from: data) else {
                throw Self.notAsItShouldBe(path)
            }
            var head = try Self.head(Data(envelope.content.utf8), .signed, path)
            vouching = try Self.vouching(envelope, for: head, digest, path)
            head.signer = vouching?.signer
            self.head = head
        }
    }

    private static func format(_ data: Data, _ path: String) throws -> RepositoryFormat {
        struct Version: Codable {
            let format: String
        }
        guard let version = try? JSONDecoder().decode(Version.self, from: data) else {
            throw notAsItShouldBe(path)
        }
        guard let format = RepositoryFormat(rawValue: version.format) else {
            throw BackupError(
                .unsupportedFormat, path, "\(path) has the format \(version.format)",
                hint: "use the version of strongroom that created it, or a later one")
        }
        return format
    }

    private static func head(
        _ data: Data, _ format: RepositoryFormat, _ path: String
    ) throws -> Head {
        guard let head = try? JSONDecoder().decode(Head.self, from: data), head.format == format,
            head.isPossible
        else { throw notAsItShouldBe(path) }
        return head
    }

    private static func vouching(
        _ envelope: Envelope, for head: Head, _ digest: ContentDigest, _ path: String
    ) throws -> Vouching? {
        let entries = head.authorities ?? []
        if entries.isEmpty {
            let members = [envelope.seal, envelope.signer, envelope.signature]
            guard members.allSatisfy({ $0 == nil }) else { throw notAsItShouldBe(path) }
            return nil
        }
        guard let seal = envelope.seal.flatMap({ ContentDigest(hexadecimal: $0) }),
            let signer = envelope.signer.flatMap({ PublicKey(hexadecimal: $0) }),
            let signature = envelope.signature.flatMap({ Hexadecimal.bytes($0) })
        else { throw notAsItShouldBe(path) }
        let content = Array(envelope.content.utf8)
        if !VerifiedHeads.contains(digest) {
            guard try signer.hasSigned(signedText(content), signature),
                try entries.allSatisfy({ try $0.isGenuine() })
            else { throw damaged(path, "a signature in it is not right") }
            VerifiedHeads.insert(digest)
        }
        guard Authorities(entries).maySign(signer.hexadecimal) else {
            throw damaged(path, "it is signed by a key that may not sign it")
        }
        return Vouching(seal: seal, signer: signer.hexadecimal, content: content)
    }

    private static func notAsItShouldBe(_ path: String) -> BackupError {
        damaged(path, "its format is invalid")
    }

    private static func damaged(_ path: String, _ what: String) -> BackupError {
        BackupError(
            .damaged, path, "\(path) is damaged: \(what)",
            hint:
                "fetch it from another copy of the repository; without one, keep this folder, and create another "
                + "repository",
            step: BackupStep.fetchDamagedHead)
    }
}
