import StrongroomCore
import StrongroomKeyrings

/// What doctor finds out about the keyring next to a file, and the keys that it tries on the file.
struct KeyringFindings {
    /// What the keyring says of itself; nil if there is none, or if it cannot be read.
    private(set) var summary: KeyringSummary?
    /// Why it does not open the file, if it cannot.
    private(set) var failure: Failure?
    /// The keys to try: what the keyring gives, or what was given itself.
    private(set) var keys: [CipherKey]
    /// A failure if a key opens the file that opens no slot, and that the keyring does not have.
    private var failureIfSound: Failure?

    /// - Parameters:
    ///   - secrets: What was given; nil if nothing was.
    ///   - source: Where it came from.
    init(
        of path: String, _ secrets: [CipherKey]?, _ source: KeySource?, _ reader: KeyReader
    ) {
        keys = secrets ?? []
        let role = KeyReader.Role.opening(path: path)
        do throws(Failure) {
            guard try reader.hasKeyring(role) else {
                // It says why there is nothing to unlock.
                if case .unlockCommand = source, let source {
                    keys = [try reader.key(from: source, for: role)]
                }
                return
            }
            do {
                summary = try KeyringSummary(ofDatabase: path)
            } catch {
                throw Failure(describing: error)
            }
            if case .unlockCommand = source, let source {
                keys = [try reader.key(from: source, for: role)]
            } else if let secrets, let key = try reader.unlocked(byOneOf: secrets, for: role) {
                keys = [key]
            } else {
                failureIfSound = Self.foreign(path, secrets ?? [])
            }
        } catch {
            failure = error
            // A file that cannot be opened does not tell its key: that of the keyring tells more of its pages.
            guard let keyring = try? Keyring(of: path) else { return }
            keys =
                (secrets ?? []).lazy.compactMap { secret in
                    try? keyring.keyForRepair(unlockingWith: reader.unlocker(secret))
                }.prefix(1) + keys
        }
    }

    private static func foreign(_ path: String, _ secrets: [CipherKey]) -> Failure? {
        guard let keyring = try? Keyring(of: path),
            !secrets.contains(where: { (try? keyring.hasAsPresentKey($0)) != false })
        else { return nil }
        return Failure(
            .foreignKeyring,
            "the key opens \(path), and \(keyring.path) does not have it: the keyring is another database's, "
                + "or the file is older than the keyring",
            hint:
                "put the right keyring there, from a copy or a backup (strongroom backup keyrings), or move "
                + "this one away")
    }

    /// Lines for people.
    func facts(besides diagnosis: DatabaseDiagnosis) -> [String] {
        guard let summary else {
            if let failure { return ["keyring: " + failure.message] }
            return diagnosis.verdict == .wrongKey
                ? ["there is no keyring; if the database had one, its secrets need it"] : []
        }
        var facts = ["keyring: " + summary.text]
        if let failure = failure ?? self.failure(besides: diagnosis) {
            facts.append("keyring: " + failure.message)
        }
        return facts + summary.unfinished.map { "keyring: " + $0 }
            + (summary.importedKey.map { ["keyring: " + $0] } ?? [])
    }

    var json: JSONValue {
        guard summary != nil || failure != nil else { return .null }
        return .object([
            .init("summary", summary?.json ?? .null),
            .init("problem", failure.map { .string($0.message) } ?? .null),
        ])
    }

    /// What is wrong with the file or the keyring beyond what the pages show.
    func failure(besides diagnosis: DatabaseDiagnosis) -> Failure? {
        if diagnosis.verdict == .sound, let failureIfSound { return failureIfSound }
        guard let failure, [.sound, .keyNeeded, .wrongKey].contains(diagnosis.verdict) else {
            return nil
        }
        return failure
    }
}
