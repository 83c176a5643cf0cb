import StrongroomCore

/// What stands in a keyring, as `KeyringFormat.md` describes it.
struct KeyringContent: Codable, Equatable, Sendable {
    static let formatName = "strongroom-keyring-1"

    var format = formatName
    /// 16 random bytes in hexadecimal digits: the identity of the database, which never changes.
    var keyring: String
    var revision: Int64
    var written: String
    var authorities: [AuthorityEntry]
    var generations: [Generation]
    var slots: [StoredSlot]
    var events: [StoredEvent]

    /// The authority whose seed a generation has: each has its own, and the last one signs.
    func authority(ofGeneration index: Int) -> String {
        authorities[authorities.count - generations.count + index].public
    }

    /// The authority that new vouches are for: that of the first of two keys stays, whichever of them does.
    var vouchedAuthority: String { authority(ofGeneration: 0) }

    struct AuthorityEntry: Codable, Equatable, Sendable {
        var `public`: String
        var by: String?
        /// In the authority of a restored copy: the identifier of its key, which is older than the authority
        /// before.
        var restored: String?
    }

    /// Whether an authority was noted that nobody can sign for, or have introduced a successor of, who has
    /// only keys from before it.
    ///
    /// - Parameter index: The generation whose key the file has.
    func stands(_ authority: String, forGeneration index: Int) -> Bool {
        let known = authorities.prefix(authorities.count - generations.count + index + 1)
        guard let place = known.firstIndex(where: { $0.public == authority }) else { return false }
        return known[(place + 1)...].allSatisfy { $0.restored == nil }
    }

    /// One key of the database.
    struct Generation: Codable, Equatable, Sendable {
        var key: String
        var cipher: StoredSettings
        var created: String
        var origin: Origin
        /// By the slots' ids, in base64.
        var wraps: [String: String]
        var authority: String
        var previous: [RetiredKey]
    }

    enum Origin: String, Codable, Sendable {
        case new, rotated, imported
    }

    struct RetiredKey: Codable, Equatable, Sendable {
        var key: String
        var cipher: StoredSettings
        var created: String
        var retired: String
        var wrapped: String
    }

    struct StoredSlot: Codable, Equatable, Sendable {
        var id: String
        var name: String
        var kind: SlotKind
        var created: String
        /// Nil in a sealed slot.
        var recipient: String?
        var kdf: StoredKDF?
        var blob: String?
        var vouch: String?
        /// The public key of the authority that the vouch is for.
        var authority: String?

        var isSealed: Bool { recipient == nil }

        /// The bytes of the id.
        var idBytes: [UInt8] { Hexadecimal.bytes(id) ?? [] }
    }

    struct StoredKDF: Codable, Equatable, Sendable {
        var name: String
        var n: Int
        var r: Int
        var p: Int
        var salt: String

        static let scrypt = "scrypt"

        /// Nil for parameters that take too much, or too little.
        var parameters: Scrypt? {
            guard name == Self.scrypt, let salt = Hexadecimal.bytes(salt), salt.count == 16 else {
                return nil
            }
            let parameters = Scrypt(salt: salt, cost: n, blockSize: r, parallelism: p)
            return parameters.isBounded ? parameters : nil
        }
    }

    struct StoredEvent: Codable, Equatable, Sendable {
        var time: String
        var what: String
        var user: String
        var host: String
        var slot: String?
        var key: String?
    }
}

/// What kind of secret opens a slot of a keyring.
public enum SlotKind: String, Codable, Sendable, CaseIterable {
    /// A passphrase.
    case passphrase
    /// A file with a raw key.
    case keyFile
    /// A recovery code.
    case recovery
    /// A command, which unwraps what a key-management service or a chip has wrapped.
    case command
    /// An age identity, which is kept elsewhere.
    case recipient
}

// MARK: - Bounds

extension KeyringContent {
    static let largestByteCount = 1 << 20
    static let largestSlotCount = 64
    /// Of all passphrases together, N times p: 64 of the usual ones. Each of them may have to be tried.
    static let largestWork = 1 << 23
    /// Of a database key: SQLCipher's raw key, and the salt.
    static let keyByteCount = 48
    /// Of a database key as it is wrapped: `x'…'` and a newline.
    static let keyTextByteCount = 100
    /// More than any database has; each derivation of a retired key takes as long.
    static let largestFastIterationCount = 1000
    static let largestEventCount = 100
    /// As many as a keyring with two keys has room for.
    static let largestPreviousCount = 512
    static let largestAuthorityCount = 1024
    /// Of those that no vouch needs, for readers who have noted one.
    static let keptAuthorityCount = 64
    static let largestBlobByteCount = 1 << 16
    private static let largestRevision: Int64 = 1 << 53 - 1

    /// Whether every number and every text in it may be used. The signatures are another matter.
    var isPossible: Bool {
        Self.isHex(keyring, 32) && (1...Self.largestRevision).contains(revision)
            && Self.isTime(written) && areAuthoritiesPossible && areSlotsPossible
            && areGenerationsPossible && authorities.count >= generations.count
            && events.count <= Self.largestEventCount
            && events.allSatisfy(\.isPossible)
    }

    private var areAuthoritiesPossible: Bool {
        let keys = authorities.map(\.public)
        return (1...Self.largestAuthorityCount).contains(keys.count)
            && Set(keys).count == keys.count
            && keys.allSatisfy { PublicKey(hexadecimal: $0) != nil }
            && authorities[0].by == nil
            && authorities.dropFirst().allSatisfy { $0.by.map { Self.isHex($0, 128) } ?? false }
            && authorities[0].restored == nil
            && authorities.compactMap(\.restored).allSatisfy(KeyIdentifier.isPossible)
    }

    private var areSlotsPossible: Bool {
        let ids = slots.map(\.id)
        return (1...Self.largestSlotCount).contains(slots.count)
            && ids == Set(ids).sorted() && Set(slots.map(\.name)).count == slots.count
            && slots.allSatisfy(\.isPossible)
            && Set(slots.compactMap(\.recipient)).count == slots.compactMap(\.recipient).count
            && slots.compactMap(\.kdf).reduce(0) { $0 + $1.n * $1.p } <= Self.largestWork
    }

    private var areGenerationsPossible: Bool {
        let ids = Set(slots.map(\.id))
        let sealed = Set(slots.filter(\.isSealed).map(\.id))
        guard (1...2).contains(generations.count),
            generations.allSatisfy({ $0.isPossible && Set($0.wraps.keys) == ids }),
            generations.allSatisfy({ generation in
                generation.wraps.allSatisfy { id, wrap in
                    let bytes = Base64.bytes(wrap) ?? []
                    return sealed.contains(id)
                        ? bytes.count == Self.keyTextByteCount + SealedBox.tagByteCount
                        : AgeFile.isPossible(bytes, contentByteCount: Self.keyTextByteCount)
                }
            })
        else { return false }
        guard generations.count == 2 else { return true }
        return generations[0].key != generations[1].key
            && generations[1].previous.first?.key == generations[0].key
    }

    static func isHex(_ text: String, _ count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy(Hexadecimal.isLowercaseDigit)
    }

    static func isTime(_ text: String) -> Bool { WrittenTime.date(of: text) != nil }
}

extension KeyringContent.Generation {
    fileprivate var isPossible: Bool {
        KeyIdentifier.isPossible(key) && cipher.isPossible
            && cipher.fastKDFIterations <= KeyringContent.largestFastIterationCount
            && KeyringContent.isTime(created)
            && Base64.bytes(authority)?.count == 32 + SealedBox.tagByteCount
            && previous.count <= KeyringContent.largestPreviousCount
            && Set(previous.map(\.key)).union([key]).count == previous.count + 1
            && previous.allSatisfy(\.isPossible)
    }
}

extension KeyringContent.RetiredKey {
    fileprivate var isPossible: Bool {
        KeyIdentifier.isPossible(key) && cipher.isPossible
            && cipher.fastKDFIterations <= KeyringContent.largestFastIterationCount
            && KeyringContent.isTime(created)
            && KeyringContent.isTime(retired)
            && Base64.bytes(wrapped)?.count == KeyringContent.keyByteCount + SealedBox.tagByteCount
    }
}

extension KeyringContent.StoredSlot {
    static let largestNameCount = 64

    /// Whether people can tell it from others, and write it.
    static func isName(_ name: String) -> Bool {
        (1...largestNameCount).contains(name.unicodeScalars.count)
            && name.unicodeScalars.allSatisfy(\.isPrintable)
            && name.first != " " && name.last != " "
    }

    fileprivate var isPossible: Bool {
        KeyringContent.isHex(id, 8) && Self.isName(name) && KeyringContent.isTime(created)
            && (recipient.map { AgeIdentity.publicKey(ofRecipient: $0) != nil } ?? true)
            && (vouch.map { KeyringContent.isHex($0, 64) } ?? (kind == .recipient))
            && (authority.map { KeyringContent.isHex($0, 64) } ?? true)
            && (vouch == nil) == (authority == nil)
            && (kdf != nil) == (kind == .passphrase) && (kdf.map { $0.parameters != nil } ?? true)
            && (blob != nil) == (kind == .command)
            && (blob.map(Base64.bytes).map {
                (1...KeyringContent.largestBlobByteCount).contains($0?.count ?? 0)
            } ?? true)
            && !(isSealed && kind == .recipient)
    }
}

extension KeyringContent.StoredEvent {
    private static let largestTextCount = 256

    /// A text from the system, as far as there is room for it.
    static func text(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter(\.isPrintable).prefix(60)))
    }

    fileprivate var isPossible: Bool {
        KeyringContent.isTime(time) && [what, user, host].allSatisfy(Self.isText)
            && (slot.map { KeyringContent.isHex($0, 8) } ?? true)
            && (key.map(KeyIdentifier.isPossible) ?? true)
    }

    private static func isText(_ text: String) -> Bool {
        text.utf8.count <= largestTextCount
            && text.unicodeScalars.allSatisfy(\.isPrintable)
    }
}

extension Unicode.Scalar {
    /// Whether it takes a place of its own on the screen, and turns nothing around there.
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        case .spaceSeparator: self == " "
        default: true
        }
    }
}
