/// The options that name a key's source: `--key-…` or, for the new one of two keys, `--new-key-…`.
package struct KeyOptions: Sendable {
    private let prefix: String
    private let title: String
    /// A key that may be left out altogether, so that being asked for it must be wished for.
    private let isOptional: Bool
    /// A key that a file gets, which is to be no weak one.
    private var isNew = false
    /// A key that only reads: the one of several is found that fits.
    private var isFound = true
    private var keyringOptions: [Option] = []

    private static let slot = Option.value(
        "slot", "NAME", help: "if FILE has a keyring, try only this slot")
    private static let unlockCommand = Option.value(
        "unlock-command", "COMMAND",
        help: "unlock a command slot: COMMAND reads the wrapped secret and prints the secret")
    private static let noKeyring = Option.flag(
        "no-keyring", help: "use the key as the database's own key, not as a secret of its keyring")

    static let audit = Option.value(
        "audit", "PATH", completion: .file,
        help: "append a line about what was done to a log, which key log --verify checks")

    private static let weakOption = Option.flag(
        "allow-weak-passphrase", help: "accept a new passphrase that is easy to guess")

    /// The key that opens the database.
    package static let current = KeyOptions(
        prefix: "key", title: "key (one of these; default: prompt)",
        isOptional: false, keyringOptions: [unlockCommand, slot, noKeyring])
    /// The same, of a database whose key is changed, or whose backups it signs.
    static let signing = KeyOptions(
        prefix: "key", title: "key (one of these; default: prompt)",
        isOptional: false, isFound: false, keyringOptions: [unlockCommand, slot, noKeyring])
    /// The same, of a database that is rotated.
    static let ofRotation = KeyOptions(
        prefix: "key", title: "key (one of these; default: prompt)",
        isOptional: false, isFound: false, keyringOptions: [unlockCommand, slot, noKeyring, audit])
    /// The key of a database that gets a keyring.
    static let ofDatabase = KeyOptions(
        prefix: "key", title: "current key (one of these; default: prompt)",
        isOptional: false, isFound: false, keyringOptions: [audit])
    /// What opens a keyring: a passphrase, a key, a recovery code or an age identity.
    static let ofKeyring = KeyOptions(
        prefix: "key", title: "passphrase, key, code or identity (one of these; default: prompt)",
        isOptional: false, isFound: false, keyringOptions: [unlockCommand, slot, audit])
    /// The key of a database that is made.
    static let ofResult = KeyOptions(
        prefix: "key", title: "key of OUT (one of these; default: prompt)",
        isOptional: false, isNew: true)
    /// The key that takes the current one's place.
    static let new = KeyOptions(
        prefix: "new-key", title: "new key (one of these; default: prompt)",
        isOptional: false, isNew: true)
    /// What opens a slot that is added.
    static let ofSlot = KeyOptions(
        prefix: "new-key", title: "secret of the new slot (one of these; default: prompt)",
        isOptional: false, isNew: true)
    /// What opens a slot from now on.
    static let ofChangedSlot = KeyOptions(
        prefix: "new-key", title: "new secret of the slot (one of these; default: prompt)",
        isOptional: false, isNew: true)
    /// Another key for a copy.
    static let ofCopy = KeyOptions(
        prefix: "new-key", title: "key of OUT (one of these; default: the key of FILE)",
        isOptional: true, isNew: true)

    /// The key of a file that may also be looked at without one.
    static let ofPatient = KeyOptions(
        prefix: "key", title: "key (optional; without it, only what needs no key)",
        isOptional: true, keyringOptions: [unlockCommand, slot, noKeyring])
    /// Another key that pages of the file may have.
    static let old = KeyOptions(
        prefix: "old-key", title: "second key that pages may have, after an interrupted rotation",
        isOptional: true)

    /// The key of a second database that is only read.
    static let ofOther = KeyOptions(
        prefix: "other-key", title: "key of OTHER (one of these; default: the key of FILE)",
        isOptional: true)

    /// A key that authenticates or decrypts, where hashes alone would do.
    static let ofBackup = KeyOptions(
        prefix: "key", title: "key of the backup, or a secret of its keyring (optional)",
        isOptional: true, keyringOptions: [unlockCommand])

    /// A key that vouches for another one.
    static let ofIntroducer = KeyOptions(
        prefix: "introducer-key",
        title: "a key that already signs the repository, if the key does not (one of these)",
        isOptional: true)

    private var file: Option {
        isNew || !isFound
            ? .value("\(prefix)-file", "PATH", completion: .file, help: "read the key from a file")
            : .value(
                "\(prefix)-file", "PATH", completion: .file, repetition: .many,
                help: "read the key from a file, or try those in a folder; may be repeated")
    }

    private var variable: Option {
        .value(
            "\(prefix)-env", "NAME", completion: .variable,
            help: "read the key from an environment variable")
    }

    private var descriptor: Option {
        .value("\(prefix)-fd", "N", help: "read the key from file descriptor N")
    }

    private var command: Option {
        .value(
            "\(prefix)-command", "COMMAND",
            help: "run a shell command and use its output as the key")
    }

    private var ask: Option {
        .flag("\(prefix)-ask", help: "prompt for the key on the terminal")
    }

    package var group: CommandSyntax.OptionGroup {
        .init(title: title, options: sources + (isNew ? [Self.weakOption] : []) + keyringOptions)
    }

    private var sources: [Option] { [file, variable, descriptor, command, ask] }

    /// With the one that only keyrings have.
    private var allSources: [Option] {
        sources + keyringOptions.filter { $0 == Self.unlockCommand }
    }

    /// Whether one of the sources is named.
    func isNamed(in arguments: ParsedArguments) -> Bool {
        sources.contains(where: arguments.contains)
    }

    /// Whether a new passphrase is taken, however weak it is.
    static func allowsWeak(_ arguments: ParsedArguments) -> Bool {
        arguments.contains(weakOption)
    }

    /// How a command line wants keyrings to be used.
    static func keyringUse(in arguments: ParsedArguments) throws(Failure) -> KeyringUse {
        let use = KeyringUse(
            slot: arguments.value(slot), isOff: arguments.contains(noKeyring))
        if use.isOff, use.slot != nil {
            throw .usage("--slot names a slot of the keyring that --no-keyring leaves out")
        }
        return use
    }

    /// Refuses one source for a present secret and a new one.
    static func requireDistinct(in arguments: ParsedArguments) throws(Failure) {
        let present = try ofKeyring.source(in: arguments)
        if try new.source(in: arguments) == present, present != .terminal {
            throw .usage(
                "the new key and the current one come from the same source",
                hint: "name another source for the new key")
        }
    }

    /// The one source that is named; nil if none is, where that is allowed.
    package func optionalSource(in arguments: ParsedArguments) throws(Failure) -> KeySource? {
        let given = allSources.filter { arguments.contains($0) }
        guard given.count <= 1 else {
            let names = given.map { "--" + $0.name }.joined(separator: " and ")
            throw .usage("\(names) give two keys for the same purpose", hint: "give one of them")
        }
        let paths = arguments.values(file)
        if paths.count > 1 {
            for path in paths { _ = try nonEmpty(path, file) }
            return .files(paths)
        }
        if let path = arguments.value(file) {
            return .file(try nonEmpty(path, file))
        } else if let name = arguments.value(variable) {
            return .variable(try nonEmpty(name, variable))
        } else if let number = arguments.value(descriptor) {
            return .descriptor(try descriptorNumber(number))
        } else if let command = arguments.value(command) {
            return .command(try nonEmpty(command, self.command))
        } else if given == [Self.unlockCommand], let command = arguments.value(Self.unlockCommand) {
            return .unlockCommand(try nonEmpty(command, Self.unlockCommand))
        }
        return given.isEmpty && isOptional ? nil : .terminal
    }

    package func source(in arguments: ParsedArguments) throws(Failure) -> KeySource {
        try optionalSource(in: arguments) ?? .terminal
    }

    /// What the key command of one key must not get of the others.
    static func withheld(in arguments: ParsedArguments) -> WithheldKeys {
        let all = [current, new, old, ofOther, ofIntroducer]
        return WithheldKeys(
            variables: Set(all.compactMap { arguments.value($0.variable) }),
            descriptors: Set(
                all.compactMap { arguments.value($0.descriptor) }.compactMap { Int32($0) }))
    }

    private func nonEmpty(_ value: String, _ option: Option) throws(Failure) -> String {
        if value.isEmpty { throw .usage("--\(option.name) needs a value") }
        return value
    }

    private func descriptorNumber(_ text: String) throws(Failure) -> Int32 {
        guard let number = Int32(text), number >= 0 else {
            throw .usage(
                "--\(descriptor.name) needs the number of an open file descriptor",
                hint: "for example: --\(descriptor.name) 3 3< key.file")
        }
        if number == 1 || number == 2 {
            throw .usage(
                "--\(descriptor.name) \(number) is an output", hint: "use 0, or 3 and higher")
        }
        return number
    }
}
