import StrongroomCore
public import StrongroomEssentials

/// The slots of a database: a file with its key, wrapped once for each of them.
///
/// A slot is for a passphrase, a key file, an age identity, a recovery code or a command.
///
/// The keyring of `app.db` is the file `app.db-keyring` next to it. The database has a random key, which
/// no one needs to know: adding or removing a person, or changing a passphrase, replaces the small
/// file, and does not touch the database. `KeyringFormat.md` describes the file; stock `age` and the
/// `sqlcipher` shell open a database by it.
///
/// ```swift
/// let keyring = try Keyring(of: "app.db")
/// configuration.prepareDatabase { db in try db.unlock(with: .passphrase(passphrase)) }
/// try keyring.change(unlockingWith: .passphrase(passphrase)) { change in
///     try change.addRecipient("age1…", name: "ops")
/// }
/// ```
///
/// A value of this type is what the file said when it was read. It can be used on any thread. Errors are
/// ``KeyringError``.
public struct Keyring: Sendable {
    let file: KeyringFile
    let text: KeyringText

    var content: KeyringContent { text.content }

    init(_ text: KeyringText, in file: KeyringFile) {
        self.text = text
        self.file = file
    }

    /// Reads the keyring of a database, and verifies its signatures. No secret is needed.
    ///
    ///     let names = try Keyring(of: "app.db").slots.map(\.name)
    ///
    /// - Parameter path: The path of the database; links are followed.
    /// - Throws: ``KeyringError``: `.notFound` if there is no keyring, `.damaged` if it is not as it was
    ///   written.
    public init(of path: String) throws {
        let file = try KeyringFile(ofDatabase: path)
        self.init(try file.read(), in: file)
    }

    /// Whether a database has a keyring, be it sound or not.
    ///
    ///     let hasKeyring = try Keyring.exists(for: "app.db")
    ///
    /// - Throws: ``KeyringError`` if that cannot be told.
    public static func exists(for path: String) throws -> Bool {
        let file = try KeyringFile(ofDatabase: path)
        do throws(SystemError) {
            return try file.fileSystem.statusIfPresent(file.path) != nil
        } catch {
            throw KeyringError(error, file.path)
        }
    }
}

// MARK: - What it says without a secret

extension Keyring {
    /// The path of the keyring.
    public var path: String { file.path }

    /// The identity of the database, in hexadecimal digits: it never changes, whatever becomes of its key.
    public var identifier: String { content.keyring }

    /// How often the keyring was written.
    public var revision: Int { Int(content.revision) }

    /// When it was written.
    public var date: Date { WrittenTime.date(of: content.written) ?? .distantPast }

    /// The public key that has signed it, `ed25519:` and 64 hexadecimal digits.
    ///
    /// Note it elsewhere to recognise the keyring later: see ``unlock(with:requiring:)``.
    public var authority: String { Self.text(ofAuthority: content.authorities.last) }

    static func text(ofAuthority entry: KeyringContent.AuthorityEntry?) -> String {
        "ed25519:" + (entry?.public ?? "")
    }

    /// The slots.
    public var slots: [Slot] { content.slots.map(Slot.init) }

    /// The keys of the database: one, or two while a rotation is under way.
    public var keys: [Key] { content.generations.map(Key.init) }

    /// The last changes, oldest first.
    public var events: [Event] { content.events.map(Event.init) }

    /// Whether a rotation was begun and not finished.
    public var isChangingKey: Bool { content.generations.count == 2 }

    /// One secret that opens the database.
    public struct Slot: Sendable, Identifiable {
        /// Eight hexadecimal digits, never used twice in a keyring.
        public let id: String
        /// What people call it.
        public let name: String
        /// What kind of secret opens it.
        public let kind: SlotKind
        /// When it was added.
        public let date: Date
        /// Its public key, `age1…`; nil for a sealed slot.
        public let recipient: String?
        /// How much a guess of its passphrase costs: the base-2 logarithm of scrypt's N.
        public let work: Int?
        /// Whether it has a vouch of a holder of its secret, be it for an earlier authority.
        public let hasVouch: Bool

        init(_ slot: KeyringContent.StoredSlot) {
            id = slot.id
            name = slot.name
            kind = slot.kind
            date = WrittenTime.date(of: slot.created) ?? .distantPast
            recipient = slot.recipient
            work = slot.kdf.map { $0.n.trailingZeroBitCount }
            hasVouch = slot.vouch != nil
        }
    }

    /// One key of the database, by what may be known of it.
    public struct Key: Sendable, Identifiable {
        /// Where a key comes from.
        public enum Origin: String, Sendable {
            /// It was made for a new database.
            case new
            /// It was made by a change of the key.
            case rotated
            /// The database had it before it had a keyring: with it, the database opens without the keyring.
            case imported
        }

        /// The identifier of the key, as in backups.
        public let id: String
        /// Since when the database has it.
        public let date: Date
        /// Where it comes from.
        public let origin: Origin
        /// The identifiers of the keys before it which the keyring keeps, newest first.
        public let previous: [String]

        init(_ generation: KeyringContent.Generation) {
            id = generation.key
            date = WrittenTime.date(of: generation.created) ?? .distantPast
            origin =
                switch generation.origin {
                case .new: .new
                case .rotated: .rotated
                case .imported: .imported
                }
            previous = generation.previous.map(\.key)
        }
    }

    /// One change of the keyring.
    public struct Event: Sendable {
        /// When it was made, by the clock of the machine.
        public let date: Date
        /// What was changed, such as `add`.
        public let what: String
        /// The user, by the system's word.
        public let user: String
        /// The machine, by its own word.
        public let host: String
        /// The slot's id, if it was about one.
        public let slot: String?
        /// The key's identifier, if it was about one.
        public let key: String?

        init(_ event: KeyringContent.StoredEvent) {
            date = WrittenTime.date(of: event.time) ?? .distantPast
            what = event.what
            user = event.user
            host = event.host
            slot = event.slot
            key = event.key
        }
    }
}
