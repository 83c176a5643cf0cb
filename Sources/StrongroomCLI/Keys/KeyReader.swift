import LibC
import StrongroomCore

/// Fetches keys from where they are kept. The bytes go through wiped memory only.
struct KeyReader {
    /// What a key is for; decides how it is asked for.
    enum Role {
        case opening(path: String)
        /// Several databases, with one key.
        case openingAll(hasKeyring: Bool)
        /// - Parameter option: What the options begin with that name its source.
        case making(path: String, option: String = "new-key")

        /// What it is for, as a text names it.
        var name: String {
            switch self {
            case .opening(let path), .making(let path, _): path
            case .openingAll: "the databases"
            }
        }
    }

    /// More than any passphrase, and an end for a source that never ends.
    static let limit = 4096

    let context: CommandContext
    /// A file may be opened whose first page is damaged.
    var isForRepair = false

    /// The key of what the role names: by its keyring, where one stands.
    func key(from source: KeySource, for role: Role) throws(Failure) -> CipherKey {
        if source.keyPaths != nil { return try chosenKey(from: source, for: role) }
        if case .unlockCommand(let command) = source {
            return try unlocked(byCommand: command, for: role)
        }
        return try unlocked(try secret(from: source, for: role), for: role)
    }

    /// What the source gives, as it is.
    func secret(from source: KeySource, for role: Role) throws(Failure) -> CipherKey {
        if source == .terminal { return try askedKey(for: role) }
        let key = try givenKey(from: source, for: role)
        if case .making = role, !context.allowsWeakPassphrases,
            let estimate = Self.weakness(of: key)
        {
            context.warn(
                "the new passphrase is weak: \(estimate.explanation)", hint: Self.betterKeys)
        }
        return key
    }

    private func givenKey(from source: KeySource, for role: Role) throws(Failure) -> CipherKey {
        switch source {
        case .file(let path):
            try key(try bytes(ofFile: path, for: role), from: "the key file \(path)", role)
        case .variable(let name):
            try key(try bytes(ofVariable: name), from: "the environment variable \(name)", role)
        case .descriptor(let number):
            try key(try bytes(ofDescriptor: number), from: "file descriptor \(number)", role)
        case .command(let command):
            try key(
                try KeyCommand(command).output(
                    limit: Self.limit, withholding: context.withheldKeys, context.cancellation),
                from: "the key command", role)
        case .unlockCommand:
            throw .usage("--unlock-command opens a keyring, and there is none")
        case .files, .terminal: throw .usage("a key is asked for")
        }
    }

    private static let betterKeys =
        "take six random words, or a key file (strongroom keygen PATH); "
        + "--allow-weak-passphrase accepts it"

    /// What is known of a passphrase that is weak; nil for any other key.
    private static func weakness(of key: CipherKey) -> PassphraseEstimate? {
        guard key.form == .passphrase else { return nil }
        let estimate = key.withSQLCipherBytes { PassphraseEstimate($0) }
        return estimate.isWeak ? estimate : nil
    }

    /// The key in a file that nobody else can have made or read.
    func key(ofOwnFile path: String) throws(Failure) -> CipherKey {
        try key(
            try bytes(ofFile: path, isOwn: true), from: "the key file \(path)",
            .making(path: path))
    }

    private func key(
        _ bytes: borrowing SecretBytes, from source: String, _ role: Role
    ) throws(Failure) -> CipherKey {
        let hasIdentity = KeyText.hasIdentity(bytes)
        let isIdentities = try hasIdentity ? mayHaveKeyring(role) : false
        if !isIdentities {
            do throws(Failure) {
                try KeyText.check(bytes, from: source)
            } catch {
                throw hasIdentity ? withoutKeyring(role, source) ?? error : error
            }
        }
        if !isIdentities, let blemish = KeyText.blemish(of: bytes) {
            let what = "\(source) \(blemish.rawValue)"
            if case .making = role {
                throw Failure(
                    .failed, "\(what), which would be a part of the new key",
                    hint: "write the key without it; \(Failure.keygenHint)")
            }
            context.warn("\(what), which is a part of the key")
        }
        context.detail("the key comes from \(source)")
        return try bytes.withUnsafeBytes { bytes throws(Failure) in
            do throws(CipherKeyError) {
                return try CipherKey(parsing: bytes)
            } catch {
                throw Failure(.failed, "\(source): \(error.message)", hint: error.hint)
            }
        }
    }

    private func askedKey(for role: Role) throws(Failure) -> CipherKey {
        switch role {
        case .opening, .openingAll:
            let what =
                try hasKeyring(role) ? "Passphrase, key or recovery code of" : "Key of"
            return try key(
                try context.askSecret("\(what) \(role.name): "), from: "the typed key", role)
        case .making(let path, let option):
            let first = try key(
                try asked("New key of \(path): ", option), from: "the typed key", role)
            if !context.allowsWeakPassphrases, let estimate = Self.weakness(of: first) {
                throw Failure(
                    .failed, "the new passphrase is weak: \(estimate.explanation)",
                    hint: Self.betterKeys)
            }
            let second = try key(
                try context.askSecret("The same again: "), from: "the typed key", role)
            guard first.isSame(as: second) else {
                throw Failure(
                    .failed, "the two keys differ; nothing was changed",
                    hint: "run the command again")
            }
            return first
        }
    }

    /// Where there is no terminal, it is the new key that is missing: the other one may have been given.
    private func asked(_ prompt: String, _ option: String) throws(Failure) -> SecretBytes {
        do throws(Failure) {
            return try context.askSecret(prompt)
        } catch {
            guard error.exitCode == .usage, option != "key" else { throw error }
            throw .usage(
                "no new key is given, and there is no terminal to prompt on",
                hint: "use --\(option)-file PATH, --\(option)-env NAME, --\(option)-fd N or "
                    + "--\(option)-command COMMAND")
        }
    }

    private func bytes(ofVariable name: String) throws(Failure) -> SecretBytes {
        guard let bytes = context.takeVariable(name) else {
            throw Failure(
                .failed, "the environment variable \(name) is not set",
                hint: "export \(name) before the command, or use --key-file PATH")
        }
        return bytes
    }

    private func bytes(ofDescriptor number: Int32) throws(Failure) -> SecretBytes {
        let descriptor = Descriptor(number: number)
        if descriptor.isTerminal {
            throw .usage(
                "file descriptor \(number) is a terminal, which would show the key",
                hint: "leave out --key-fd to be prompted without echo")
        }
        return try bytes(of: descriptor, "file descriptor \(number)")
    }

    private func bytes(
        ofFile path: String, for role: Role? = nil, isOwn: Bool = false
    ) throws(Failure) -> SecretBytes {
        let name = "the key file \(path)"
        let foreign = Failure(
            .failed, "\(path) already exists, and others may know the key in it",
            hint: "name a file that does not exist; to use this one, pass --new-key-file")
        let file: Descriptor
        do throws(SystemError) {
            // A pipe that nobody writes to yet must not hold up Ctrl-C.
            file = try .open(path, O_RDONLY | O_NONBLOCK | (isOwn ? O_NOFOLLOW : 0))
        } catch {
            if isOwn, error.number == ELOOP { throw foreign }
            throw cannotRead(name, error, for: role)
        }
        defer { file.close() }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw cannotRead(name, .last("fstat")) }
        if isOwn, !KeyFileStatus(status).isPrivate { throw foreign }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw Failure(.failed, "\(name) is a directory", hint: "name a file in it")
        }
        let bytes = try bytes(of: file, name)
        KeyFileStatus(status).warn(of: name, path, in: context)
        return bytes
    }

    private func bytes(of descriptor: Descriptor, _ name: String) throws(Failure) -> SecretBytes {
        do throws(Descriptor.ReadingError) {
            return try descriptor.readSecret(limit: Self.limit, context.cancellation)
        } catch {
            throw error.failure(reading: name)
        }
    }

    private func cannotRead(
        _ name: String, _ error: SystemError, for role: Role? = nil
    ) -> Failure {
        // A new key opens nothing that is there.
        let isForOpening =
            switch role {
            case .opening, .openingAll: true
            case .making, nil: false
            }
        let hint =
            switch error.number {
            case ENOENT where isForOpening:
                "check the path; the key of an existing database cannot be recreated"
            case ENOENT: Failure.keygenHint
            case EACCES: "the file belongs to another user, or its folder does"
            default: nil as String?
            }
        return Failure(.failed, "cannot read \(name): \(error.reason)", hint: hint)
    }
}
