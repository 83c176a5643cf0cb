import Strongroom

/// The cipher settings that a database has: found where they can be, and else named by
/// `--cipher-settings`.
///
/// They are not in the file. Page sizes, HMACs and the derivations of SQLCipher's versions are tried;
/// of how often a passphrase is hashed there are too many numbers to try.
struct DatabaseSettings {
    private static let option = Option.value(
        "cipher-settings", "LIST",
        help:
            "what is not found of them, such as kdf-iterations=600000 or page-size=8192,hmac=sha256"
    )

    static let group = CommandSyntax.OptionGroup(
        title: "the cipher settings that the database has", options: [option])

    /// What was named; nil if nothing was.
    let named: CipherChange?

    init(_ arguments: ParsedArguments) throws(Failure) {
        guard let text = arguments.value(Self.option) else {
            named = nil
            return
        }
        var change = CipherChange()
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, try SettingsOptions.set(parts[0], parts[1], in: &change) else {
                throw .usage(
                    "--cipher-settings does not know \(word)",
                    hint:
                        "its words are \(SettingsOptions.names.map { $0 + "=…" }.joined(separator: ", "))"
                )
            }
        }
        named = change
    }

    /// Does something with the file of a database; where the key does not open it, the settings
    /// are sought, and it is done with those.
    func opening<Result>(
        _ path: String, _ key: CipherKey, _ body: (DatabaseFile) throws -> Result
    ) throws -> Result {
        let file = DatabaseFile(path: path, key: key)
        do {
            return try body(named.map(file.withSettings) ?? file)
        } catch let error as DatabaseFileError where error.code == .wrongKey {
            guard let found = try file.findingSettings(trying: named) else { throw error }
            return try body(found)
        }
    }
}
