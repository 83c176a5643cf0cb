import StrongroomCore
import StrongroomEssentials
import StrongroomKeyrings

/// What can be said of a database's keyring without a secret, in a line, and as JSON.
struct KeyringSummary {
    private let keyring: Keyring

    init(_ keyring: Keyring) {
        self.keyring = keyring
    }

    /// Of a database, if it has a keyring.
    ///
    /// - Throws: `KeyringError` for one that is damaged.
    init?(ofDatabase path: String) throws {
        guard try Keyring.exists(for: path) else { return nil }
        keyring = try Keyring(of: path)
    }

    /// What was begun and not finished, as lines for people; what to type for the database ends each.
    var unfinished: [String] { keyring.unfinished }

    /// That the key from before the keyring is still in force; nil while it is being changed.
    var importedKey: String? {
        guard !keyring.isChangingKey, keyring.keys.last?.origin == .imported else { return nil }
        let database = ShellWord.text(String(keyring.path.dropLast("-keyring".count)))
        return
            "the key from before the keyring opens the file without it; strongroom rotate-key \(database) "
            + "ends that"
    }

    private var counts: [(kind: SlotKind, count: Int)] {
        SlotKind.allCases.compactMap { kind in
            let count = keyring.slots.count { $0.kind == kind }
            return count == 0 ? nil : (kind, count)
        }
    }

    /// `4 slots (2 passphrases, 1 recovery code, 1 age identity)`
    var slots: String {
        let parts = counts.map { kind, count in
            "\(count) \(count == 1 ? kind.title : kind.plural)"
        }
        let count = keyring.slots.count
        return "\(count) \(count == 1 ? "slot" : "slots") (\(parts.joined(separator: ", ")))"
    }

    var text: String {
        "\(keyring.identifier), revision \(keyring.revision), \(slots)"
    }

    /// Since when the database has its key, and whether the key opens it without the keyring.
    var key: String? {
        guard let key = keyring.keys.last else { return nil }
        let day = WrittenTime.text(of: key.date).prefix(10)
        return "since \(day)"
            + (key.origin == .imported ? ", and it opens the file without the keyring, too" : "")
    }

    var json: JSONValue {
        .object([
            .init("id", .string(keyring.identifier)),
            .init("revision", .integer(Int64(keyring.revision))),
            .init(
                "slots",
                .object(counts.map { .init($0.kind.rawValue, .integer(Int64($0.count))) })),
            .init(
                "keyDate", keyring.keys.last.map { .string(WrittenTime.text(of: $0.date)) } ?? .null
            ),
            .init(
                "keyOrigin", keyring.keys.last.map { .string($0.origin.rawValue) } ?? .null),
            .init("isChangingKey", .boolean(keyring.isChangingKey)),
        ])
    }
}

extension Keyring {
    /// What was begun and not finished, as sentences that say what to type.
    var unfinished: [String] {
        let database = ShellWord.text(String(path.dropLast("-keyring".count)))
        var sentences: [String] = []
        if isChangingKey {
            sentences.append(
                "a rotation was interrupted; all slots open the file: strongroom rotate-key "
                    + "\(database) gives it a new key, strongroom key repair \(database) keeps the "
                    + "one that it has")
        }
        if let removal = removalSinceRotation {
            sentences.append(
                "a slot was removed on \(WrittenTime.text(of: removal.date).prefix(10)), and the key was "
                    + "not rotated since: earlier copies of the keyring still open the file; "
                    + "strongroom rotate-key \(database) ends that")
        }
        return sentences
    }
}

extension SlotKind {
    fileprivate var plural: String { self == .recipient ? "age identities" : title + "s" }
}
