import StrongroomCore
internal import StrongroomKeyrings

/// An invitation: a text `srs1…` that brings one device into a space.
///
/// It holds a secret, from which the keys of a provisional device follow that the inviter has put into the roster. That
/// device may do one thing: have a real device take its place, once. So neither side waits for the other.
package struct Ticket: Sendable {
    private static let prefix = "srs"
    private static let version: UInt8 = 1
    package static let secretByteCount = 16
    private static let largestURLByteCount = 400

    /// Where the hub is, without credentials.
    package let hub: String
    package let space: SpaceID
    /// The entry that has put the provisional device into the roster.
    package let roster: RosterPosition
    private let secret: Secret

    /// A reference, because secret bytes have one owner.
    fileprivate final class Secret: Sendable {
        let bytes: SecretBytes

        init(_ bytes: consuming SecretBytes) {
            self.bytes = bytes
        }
    }

    /// Why a text is no ticket.
    package enum Failure: Error, Hashable, Sendable {
        case mistyped
        case laterVersion
        /// The URL of the hub has a user's name or a password in it.
        case credentials
        case invalidURL
    }

    /// Makes the secret of a ticket, and the provisional device that follows from it.
    package static func invitation(
        to space: SpaceID, _ randomness: SyncRandomness
    ) throws -> Invitation {
        let secret = Secret(try randomness.secret(secretByteCount))
        return Invitation(secret: secret, identity: try identity(secret, space))
    }

    /// A ticket that is not in the roster yet.
    package struct Invitation: Sendable {
        fileprivate let secret: Secret
        /// What has to be put into the roster.
        package let identity: DeviceIdentity

        /// The ticket, when the entry of its device stands.
        package func ticket(hub: String, in roster: Roster) throws -> Ticket {
            guard let device = roster.devices[identity.device],
                let hash = roster.hash(at: device.added)
            else { throw Refusal.unknownDevice }
            return try Ticket(
                hub, roster.space, RosterPosition(device.added, hash), secret)
        }
    }

    private init(
        _ hub: String, _ space: SpaceID, _ roster: RosterPosition, _ secret: Secret
    ) throws(Failure) {
        try Self.requireNoCredentials(hub)
        self.hub = hub
        self.space = space
        self.roster = roster
        self.secret = secret
    }

    /// The provisional device.
    package func identity() throws -> DeviceIdentity { try Self.identity(secret, space) }

    private static func identity(_ secret: Secret, _ space: SpaceID) throws -> DeviceIdentity {
        let seed = try secret.bytes.withUnsafeBytes {
            try ExpandedKey.key(
                from: $0, salt: space.bytes, purpose: "strongroom-sync-1 ticket")
        }
        return try DeviceIdentity(seed: seed)
    }

    /// Anyone who sees the ticket would have them, too.
    private static func requireNoCredentials(_ url: String) throws(Failure) {
        guard !url.isEmpty, url.utf8.count <= largestURLByteCount,
            url.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f })
        else { throw .invalidURL }
        let lower = url.lowercased()
        let rest = lower.firstRange(of: "://").map { lower[$0.upperBound...] } ?? ""
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let hasSecretParameter = ["password=", "passwd=", "secret=", "token=", "user="].contains {
            lower.contains($0)
        }
        guard !authority.contains("@"), !hasSecretParameter else { throw .credentials }
    }

    // MARK: - Text

    /// `srs1…`. A string cannot be wiped from memory: ask for it only to show it.
    package var text: String {
        var bytes = SecretBytes()
        bytes.append(Self.version)
        secret.bytes.withUnsafeBytes { bytes.append($0) }
        var rest = space.bytes
        rest.append(fixed: roster.number)
        rest.append(roster.hash)
        rest += Array(hub.utf8)
        rest.withUnsafeBytes { bytes.append($0) }
        return bytes.withUnsafeBytes { bytes in
            Bech32.text(bytes, prefix: Self.prefix)
                .withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Reads a ticket, in lower or in upper case.
    ///
    /// - Throws: ``Failure``.
    package init(_ text: String) throws(Failure) {
        guard text.utf8.count < 1000, let (version, secret, rest) = Self.split(text) else {
            throw .mistyped
        }
        guard version == Self.version else { throw .laterVersion }
        guard let (space, roster, hub) = try? Self.read(rest) else { throw .mistyped }
        try self.init(hub, space, roster, secret)
    }

    private static func split(_ text: String) -> (version: UInt8, Secret, rest: [UInt8])? {
        Array(text.utf8).withUnsafeBytes { text in
            guard let bytes = Bech32.bytes(of: text, prefix: prefix) else { return nil }
            return bytes.withUnsafeBytes { bytes in
                guard bytes.count > secretByteCount else { return nil }
                let secret = UnsafeRawBufferPointer(rebasing: bytes[1...secretByteCount])
                let rest = Array(bytes[(secretByteCount + 1)...])
                return (bytes[0], Secret(SecretBytes(copying: secret)), rest)
            }
        }
    }

    private static func read(
        _ bytes: [UInt8]
    ) throws(Refusal) -> (SpaceID, RosterPosition, String) {
        var reader = ObjectReader(bytes)
        let space = SpaceID(try reader.take(SpaceID.byteCount))
        let number = try reader.fixed(UInt64.self)
        let hash = try reader.digest()
        let url = try reader.take(reader.remainingCount)
        guard let space, number <= HubName.largestNumber,
            let hub = String(validating: url, as: UTF8.self)
        else { throw .malformed("no ticket") }
        return (space, RosterPosition(number, hash), hub)
    }

    /// Verifies that a roster is the one that the inviter had, and that the ticket still holds.
    ///
    /// - Parameter time: In milliseconds since 1970, by the hub's clock where it has one.
    /// - Throws: ``Refusal``.
    package func require(_ roster: Roster, at time: Int64) throws {
        guard roster.space == space else { throw Refusal.otherSpace }
        guard roster.position.number >= self.roster.number else { throw Refusal.rosterFuture }
        guard roster.hash(at: self.roster.number) == self.roster.hash else {
            throw Refusal.rosterFork
        }
        guard let device = roster.devices[try identity().device], let expires = device.expires
        else { throw Refusal.unknownDevice }
        if device.successor != nil { throw Refusal.ticketUsed }
        guard device.isActive else { throw Refusal.removed }
        guard max(time, roster.time) <= expires else { throw Refusal.ticketLapsed }
    }

    // MARK: - Comparing

    /// Twelve digits in groups of four, which both sides compare by voice: `4821 0937 5566`.
    ///
    /// They follow from the space, the entry and the provisional device. To find another ticket with the same digits takes
    /// 10^12 guesses, each of which takes the time and the memory of scrypt.
    package func fingerprint() throws -> String {
        let device = try identity().device
        let bytes = space.bytes + roster.hash.bytes + device.bytes
        let scrypt = Scrypt(salt: Array("strongroom-sync-1 fingerprint".utf8), cost: 1 << 14)
        let number = try bytes.withUnsafeBytes { bytes in
            try scrypt.key(from: bytes).withUnsafeBytes { key in
                key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
        }
        let digits = String(number % 1_000_000_000_000)
        let padded = String(repeating: "0", count: 12 - digits.utf8.count) + digits
        return [padded.prefix(4), padded.dropFirst(4).prefix(4), padded.suffix(4)]
            .joined(separator: " ")
    }
}
