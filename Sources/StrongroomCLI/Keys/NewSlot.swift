import StrongroomCore
import StrongroomKeyrings

/// A way in that is to be added to a keyring.
struct NewSlot {
    enum Secret {
        /// A passphrase, or the raw key of a key file.
        case key(CipherKey)
        case recipient(String)
        /// What wraps a random secret.
        case command(WrapCommand)
    }

    let name: String
    let secret: Secret
    var work = KeyringChange.usualWork
    var isSealed = false

    /// The slot of the key that a database has, or gets, under the user's name: nobody is locked out.
    static func first(
        _ key: CipherKey, work: Int = KeyringChange.usualWork, isSealed: Bool = false
    ) throws(Failure) -> NewSlot {
        guard key.form != .rawKeyAndSalt else {
            throw Failure(
                .failed, "a raw key of 96 digits opens no slot",
                hint: "name the first slot: --passphrase NAME, --recipient or --key-file-slot")
        }
        return NewSlot(name: Keyring.userName, secret: .key(key), work: work, isSealed: isSealed)
    }

    func add(to change: inout KeyringChange) throws {
        switch secret {
        case .recipient(let recipient): try change.addRecipient(recipient, name: name)
        case .command(let command):
            try change.addCommand(name: name, secretly: command.blob)
        case .key(let key) where key.form == .passphrase:
            try change.addPassphrase(key, name: name, work: work, isSealed: isSealed)
        case .key(let key): try change.addKeyFile(key, name: name, isSealed: isSealed)
        }
    }
}

/// The options that describe a new slot.
struct SlotOptions {
    private static let passphrase = Option.value(
        "passphrase", "NAME", help: "add a slot of this name for a new passphrase")
    private static let recipient = Option.value(
        "recipient", "RECIPIENT", help: "add a slot for the holder of an age identity: age1…")
    private static let keyFile = Option.value(
        "key-file-slot", "PATH", completion: .file,
        help: "add a slot for the key in a key file")
    private static let wrapCommand = Option.value(
        "wrap-command", "COMMAND",
        help: "add a slot for --unlock-command: COMMAND encrypts 32 bytes from its input")
    private static let name = Option.value(
        "name", "NAME", help: "the name of a slot that is not for a passphrase")
    static let work = Option.value(
        "work", "N",
        help: "the cost of guessing the passphrase: 14 to 20, one more doubles it (default: 17)")
    static let sealed = Option.flag(
        "sealed", help: "keep no public key of the slot: a rotation needs its secret")

    static let group = CommandSyntax.OptionGroup(
        title: "new slot (one of the first four)",
        options: [passphrase, recipient, keyFile, wrapCommand, name, work, sealed])

    private enum Kind {
        case passphrase, recipient(String), keyFile(String), command(String)
    }

    private let kind: Kind?
    let name: String
    let work: Int
    let isSealed: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        let kinds = [Self.passphrase, Self.recipient, Self.keyFile, Self.wrapCommand]
            .filter(arguments.contains)
        guard kinds.count <= 1 else {
            throw .usage(
                "\(kinds.map { "--" + $0.name }.joined(separator: " and ")) describe two slots",
                hint: "add one after the other")
        }
        let given = arguments.value(Self.name)
        if let passphrase = arguments.value(Self.passphrase) {
            guard given == nil else {
                throw .usage("--passphrase NAME already names the slot", hint: "leave out --name")
            }
            kind = .passphrase
            name = passphrase
        } else if let recipient = arguments.value(Self.recipient) {
            kind = .recipient(recipient)
            name = given ?? String(recipient.prefix(12))
        } else if let path = arguments.value(Self.keyFile) {
            kind = .keyFile(path)
            name = given ?? path.splitAtLastSlash.name
        } else if let command = arguments.value(Self.wrapCommand) {
            kind = .command(command)
            name = given ?? "command"
        } else {
            guard given == nil else {
                throw .usage(
                    "--name needs --recipient, --key-file-slot or --wrap-command",
                    hint:
                        "it names the slot that one of these describes; a slot for a passphrase is named by "
                        + "--passphrase NAME, and the first slot of key init after you")
            }
            kind = nil
            name = ""
        }
        work = try Self.work(arguments)
        isSealed = arguments.contains(Self.sealed)
        switch kind {
        case .recipient where isSealed, .command where isSealed:
            throw .usage("only slots for passphrases and key files can be sealed")
        default: break
        }
    }

    static func work(_ arguments: ParsedArguments) throws(Failure) -> Int {
        guard let text = arguments.value(work) else { return KeyringChange.usualWork }
        return try SettingsOptions.number(work.name, text, 14...20)
    }

    var isGiven: Bool { kind != nil }

    /// Whether the secret of the slot is a new passphrase.
    var takesNewKey: Bool {
        if case .passphrase = kind { true } else { false }
    }

    /// The slot, with its new secret; nil if none is described.
    func slot(_ source: KeySource, _ reader: KeyReader) throws(Failure) -> NewSlot? {
        guard let kind else { return nil }
        let secret: NewSlot.Secret
        switch kind {
        case .recipient(let recipient): secret = .recipient(recipient)
        case .command(let command): secret = .command(WrapCommand(command, reader.context))
        case .keyFile(let path):
            let key = try reader.secret(from: .file(path), for: .making(path: path))
            guard key.form == .rawKey else {
                throw Failure(
                    .failed, "\(path) does not hold a raw key of 64 digits",
                    hint: Failure.keygenHint)
            }
            secret = .key(key)
        case .passphrase:
            let key = try reader.secret(from: source, for: .making(path: "the slot “\(name)”"))
            guard key.form == .passphrase else {
                throw Failure(
                    .failed, "the new key of the slot “\(name)” is no passphrase",
                    hint: "add a raw key with --key-file-slot PATH")
            }
            secret = .key(key)
        }
        return NewSlot(name: name, secret: secret, work: work, isSealed: isSealed)
    }
}
