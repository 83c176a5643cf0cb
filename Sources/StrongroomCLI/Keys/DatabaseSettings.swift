import StrongroomCore

/// The cipher settings that a database has: found where they can be, and else named by options.
///
/// They are not in the file. Page sizes, HMACs, plaintext headers and the derivations of SQLCipher's
/// versions are tried. Not found are a number of iterations of the file's own, pages without HMACs, and
/// the salt of a plaintext header, unless the key brings it.
struct DatabaseSettings {
    private static let plaintextHeader = Option.value(
        "plaintext-header", "BYTES", help: "the number of first bytes that are in plaintext")
    private static let salt = Option.value(
        "salt", "HEX", help: "the salt, if the file does not hold it: 32 digits")
    private static let saltFile = Option.value(
        "salt-from", "PATH", completion: .file,
        help: "take the salt from a file with its digits, or from a copy of the database")
    private static let list = Option.value(
        "cipher-settings", "LIST",
        help: "several of these in one word: kdf-iterations=600000,hmac=none")

    private static let options =
        SettingsOptions.present.options + [plaintextHeader, salt, saltFile]

    static let group = CommandSyntax.OptionGroup(
        title: "cipher settings (usually detected)",
        options: options + [list])

    /// What was named.
    private(set) var description = CipherDescription()
    /// A copy of the database that was named for its salt, which may be that of the file.
    private(set) var saltCopy: String?
    private var saltOfCopy: CipherSalt?
    /// The options as they were typed, for hints; empty if none were.
    private(set) var typed = ""

    /// - Parameter listWins: Whether the list may name again what an option names, which on
    ///   `rotate-key` may be the settings to change to.
    init(_ arguments: ParsedArguments, listWins: Bool = false) throws(Failure) {
        for option in Self.options {
            guard let text = arguments.value(option) else { continue }
            try set(option.name, text, as: option.name)
            typed += " --\(option.name) \(ShellWord.text(text))"
        }
        guard let list = arguments.value(Self.list) else { return }
        typed += " --\(Self.list.name) \(ShellWord.text(list))"
        for word in list.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            let option = Self.options.first { $0.name == parts.first }
            guard parts.count == 2, let option else {
                throw .usage(
                    "--cipher-settings does not know \(word)",
                    hint: "its words are "
                        + Self.options.map { $0.name + "=…" }.joined(separator: ", "))
            }
            if arguments.contains(option), !listWins {
                throw .usage("--\(option.name) is given twice", hint: "leave one out")
            }
            try set(parts[0], parts[1], as: Self.list.name)
        }
    }

    private mutating func set(
        _ name: String, _ text: String, as option: String
    ) throws(Failure) {
        switch name {
        case Self.plaintextHeader.name:
            description.plaintextHeaderByteCount = try SettingsOptions.headerByteCount(option, text)
        case Self.salt.name, Self.saltFile.name:
            guard description.salt == nil, saltCopy == nil else {
                throw .usage("two salts are given", hint: "give one of them")
            }
            if name == Self.saltFile.name { return try readSalt(text) }
            description.salt = try Self.parsedSalt(text)
        default:
            _ = try SettingsOptions.set(name, text, in: &description.layout, of: option)
        }
    }

    static func parsedSalt(_ text: String) throws(Failure) -> CipherSalt {
        guard let salt = CipherSalt(hexadecimal: text) else {
            throw .usage(
                "a salt is written with 32 hexadecimal digits",
                hint: "PRAGMA cipher_salt prints it if the file can be opened")
        }
        return salt
    }

    private mutating func readSalt(_ path: String) throws(Failure) {
        switch try SaltFile.read(path) {
        case .digits(let salt): description.salt = salt
        case .copy(let salt):
            saltCopy = path
            saltOfCopy = salt
        }
    }

    /// The file with the settings that were named; nil if none were.
    ///
    /// - Parameter change: A change that the file may have had since.
    func named(
        for file: DatabaseFile, after change: CipherChange = CipherChange()
    ) throws -> DatabaseFile? {
        let changed = description.changed(by: change)
        return changed.isEmpty ? nil : try file.withSettings(changed)
    }

    /// The same with the salt of a copy, for commands that do not look at copies themselves.
    private func namedWithCopy(for file: DatabaseFile) throws -> DatabaseFile? {
        guard let saltOfCopy else { return try named(for: file) }
        var description = description
        description.salt = saltOfCopy
        return try file.withSettings(description)
    }

    /// The file with the settings that were named, or with those that a key opens it with.
    func found(for file: DatabaseFile) throws -> DatabaseFile? {
        try file.findingSettings(trying: namedWithCopy(for: file))
    }

    /// Does something with the file of a database; where the key does not open it, the settings
    /// are sought, it is done with those, and the person is told of them.
    func opening<Result>(
        _ path: String, _ key: CipherKey, _ context: CommandContext,
        _ body: (DatabaseFile) throws -> Result
    ) throws -> Result {
        var file = DatabaseFile(path: path, key: key)
        file.findsSettings = false
        var named = try namedWithCopy(for: file)
        // A header of another size than the usual one makes page 1 alone seem damaged.
        if description.salt != nil, description.plaintextHeaderByteCount == nil {
            named = try file.findingSettings(trying: named) ?? named
            if let named { context.noteSettings(of: named) }
        }
        do {
            return try body(named ?? file)
        } catch let error as DatabaseFileError
            where error.code == .wrongKey || error.code == .notADatabase
        {
            // A file that was cut seems to be no database, until its settings are known.
            guard let found = try file.seekingSettings(after: named) else {
                var failure = Failure(describing: error)
                guard error.code == .wrongKey, !(named ?? file).lacksSalt else { throw failure }
                failure.hint = "other cipher settings were tried; " + (failure.hint ?? "")
                throw failure
            }
            context.noteSettings(of: found)
            return try body(found)
        }
    }
}

extension CommandContext {
    /// Reports cipher settings that were found, if any were.
    func noteSettings(of file: DatabaseFile) {
        guard !file.foundCipherSettings.isEmpty else { return }
        note(
            "\(file.path) has unusual cipher settings, found with its key: "
                + file.foundCipherSettings.joined(separator: "; "))
    }
}
