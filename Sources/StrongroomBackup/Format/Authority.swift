import StrongroomCore

/// One entry in the list of those who may sign the heads of a repository.
///
/// `BackupFormat.md` describes it, and how the entries lead from one key to another.
struct Introduction: Codable, Equatable, Sendable {
    /// The public key that may sign.
    var key: String
    /// The public key that has introduced it; nil for one that has begun by itself.
    var by: String?
    /// Whether that one signs no more from here on.
    var replaces: Bool?
    /// By the one that introduces.
    var signature: String?
    /// By the one that is introduced: both belong together from now on.
    var acceptance: String?

    /// Somebody who begins by himself.
    init(beginning key: PublicKey) {
        self.key = key.hexadecimal
    }

    init(of newcomer: SigningKey, by key: SigningKey, replaces: Bool) throws {
        self.key = newcomer.publicKey.hexadecimal
        by = key.publicKey.hexadecimal
        self.replaces = replaces ? true : nil
        let text = Self.text(
            of: newcomer.publicKey, by: key.publicKey, replaces: replaces)
        signature = Hexadecimal.text(try key.signature(of: text))
        acceptance = Hexadecimal.text(try newcomer.signature(of: text))
    }

    private static func text(of key: PublicKey, by other: PublicKey, replaces: Bool) -> [UInt8] {
        let lines = [
            "strongroom-backup-2 introduction", other.hexadecimal, key.hexadecimal,
            replaces ? "replaces" : "joins",
        ]
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// Whether it is written as it should be, and both signatures are right.
    func isGenuine() throws -> Bool {
        guard let publicKey = PublicKey(hexadecimal: key) else { return false }
        guard let by else { return replaces == nil && signature == nil && acceptance == nil }
        guard let other = PublicKey(hexadecimal: by), other != publicKey,
            let signature = signature.flatMap({ Hexadecimal.bytes($0) }),
            let acceptance = acceptance.flatMap({ Hexadecimal.bytes($0) })
        else { return false }
        let text = Self.text(of: publicKey, by: other, replaces: replaces ?? false)
        return try other.hasSigned(text, signature) && publicKey.hasSigned(text, acceptance)
    }
}

/// Who may sign the heads of a repository, as its entries say.
struct Authorities: Sendable {
    /// A head has no more.
    static let limit = 1000

    private var members: Set<String> = []
    private var replaced: Set<String> = []
    private var neighbours: [String: Set<String>] = [:]

    /// - Parameter entries: Genuine ones, in their order.
    init(_ entries: [Introduction]) {
        for entry in entries {
            members.insert(entry.key)
            guard let by = entry.by, !replaced.contains(by) else { continue }
            neighbours[entry.key, default: []].insert(by)
            neighbours[by, default: []].insert(entry.key)
            if entry.replaces == true { replaced.insert(by) }
        }
    }

    /// Whether valid entries lead from one public key to the other.
    func belongTogether(_ one: String, _ other: String) -> Bool {
        var seen: Set = [one]
        var waiting = [one]
        while let key = waiting.popLast() {
            if key == other { return true }
            for neighbour in neighbours[key] ?? [] where seen.insert(neighbour).inserted {
                waiting.append(neighbour)
            }
        }
        return false
    }

    /// Whether a head that `signer` has signed counts for those who trust `key`.
    func authorise(_ signer: String, for key: String) -> Bool {
        maySign(signer) && belongTogether(signer, key)
    }

    /// Whether any key was retired.
    var hasReplaced: Bool { !replaced.isEmpty }

    func isReplaced(_ key: String) -> Bool { replaced.contains(key) }

    /// Whether a public key is among them, and was not replaced.
    func maySign(_ key: String) -> Bool {
        members.contains(key) && !replaced.contains(key)
    }
}
