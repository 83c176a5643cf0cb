import Strongroom

/// The cipher settings that a database has: found where they can be, and else named by
/// `--cipher-settings`.
///
/// They are not in the file. Page sizes, HMACs, plaintext headers and the derivations of SQLCipher's
/// versions are tried. Not found are a number of iterations of the file's own, pages without HMACs, and
/// the salt of a plaintext header, unless the key brings it.
struct DatabaseSettings {
    private static let option = Option.value(
        "cipher-settings", "LIST",
        help:
            "what is not found of them, such as kdf-iterations=600000, hmac=none or salt=HEX"
    )

    static let group = CommandSyntax.OptionGroup(
        title: "the cipher settings that the database has", options: [option])

    /// The word for the salt of a file with a plaintext header.
    private static let saltName = "salt"

    /// What was named; nil if nothing was.
    private let named: CipherChange?
    private let salt: CipherSalt?

    init(_ arguments: ParsedArguments) throws(Failure) {
        guard let text = arguments.value(Self.option) else {
            named = nil
            salt = nil
            return
        }
        var change = CipherChange()
        var salt: CipherSalt?
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2, parts[0] == Self.saltName {
                salt = try Self.salt(parts[1])
                continue
            }
            guard parts.count == 2, try SettingsOptions.set(parts[0], parts[1], in: &change) else {
                let names = SettingsOptions.names + [Self.saltName]
                throw .usage(
                    "--cipher-settings does not know \(word)",
                    hint: "its words are \(names.map { $0 + "=…" }.joined(separator: ", "))")
            }
        }
        named = change
        self.salt = salt
    }

    private static func salt(_ text: String) throws(Failure) -> CipherSalt {
        guard let salt = CipherSalt(hexadecimal: text) else {
            throw .usage(
                "the salt in --cipher-settings is written with 32 hexadecimal digits",
                hint: "PRAGMA cipher_salt tells it where the file can be opened")
        }
        return salt
    }

    /// The file with the settings that were named; nil if none were.
    func named(for file: DatabaseFile) throws -> DatabaseFile? {
        try named.map { try file.withSettings($0, salt: salt) }
    }

    /// The file with the settings that were named, or with those that a key opens it with.
    func found(for file: DatabaseFile) throws -> DatabaseFile? {
        try file.findingSettings(trying: named(for: file))
    }

    /// Does something with the file of a database; where the key does not open it, the settings
    /// are sought, it is done with those, and the person is told of them.
    func opening<Result>(
        _ path: String, _ key: CipherKey, _ context: CommandContext,
        _ body: (DatabaseFile) throws -> Result
    ) throws -> Result {
        var file = DatabaseFile(path: path, key: key)
        file.findsSettings = false
        let named = try named(for: file)
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
    /// Tells of cipher settings that were found, if any were.
    func noteSettings(of file: DatabaseFile) {
        guard !file.foundCipherSettings.isEmpty else { return }
        note(
            "\(file.path) has cipher settings of its own, found with its key: "
                + file.foundCipherSettings.joined(separator: "; "))
    }
}
