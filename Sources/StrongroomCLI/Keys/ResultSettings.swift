import StrongroomCore

/// The cipher settings that a new file gets, `--new-…`: those of SQLCipher 4, or those of the file that
/// is copied, where nothing is said.
struct ResultSettings {
    private static let plaintextHeader = Option.value(
        "new-plaintext-header", "BYTES", help: "leave the first BYTES bytes in plaintext")
    private static let salt = Option.value(
        "new-salt", "HEX",
        help: "the salt of a file with a plaintext header: 32 digits (default: a random one)")

    /// Of a file that is made from a plain one.
    static let ofEncrypted = CommandSyntax.OptionGroup(
        title: "cipher settings of OUT (default: those of SQLCipher 4)",
        options: SettingsOptions.new.options + [plaintextHeader, salt])
    /// Of a file that is made from an encrypted one.
    static let ofCopy = CommandSyntax.OptionGroup(
        title: "cipher settings of OUT (default: those of FILE)",
        options: SettingsOptions.new.options)

    private let change: CipherChange?
    private let headerByteCount: Int?
    private let salt: CipherSalt?

    init(_ arguments: ParsedArguments) throws(Failure) {
        change = try SettingsOptions.new.change(in: arguments)
        headerByteCount = try arguments.value(Self.plaintextHeader).map { text throws(Failure) in
            try SettingsOptions.headerByteCount(Self.plaintextHeader.name, text)
        }
        salt = try arguments.value(Self.salt).map { text throws(Failure) in
            try DatabaseSettings.parsedSalt(text)
        }
        guard salt == nil || headerByteCount ?? 0 > 0 else {
            throw .usage(
                "--new-salt is for a file with a plaintext header: others contain their salt",
                hint: "add --new-plaintext-header 32, or leave it out")
        }
    }

    /// Whether nothing is said.
    var isEmpty: Bool { change == nil && headerByteCount == nil }

    /// A file that is to be made, with its settings.
    ///
    /// - Parameter source: The encrypted file that it is made from, if it is.
    func giving(_ file: DatabaseFile, copiedFrom source: DatabaseFile? = nil) throws -> DatabaseFile
    {
        guard !isEmpty else { return file }
        if let source { return try file.withSettings(of: source, change ?? CipherChange()) }
        var description = CipherDescription()
        description.layout = change ?? CipherChange()
        description.plaintextHeaderByteCount = headerByteCount
        if headerByteCount ?? 0 > 0, file.key?.salt == nil {
            description.salt = try salt ?? .random()
        } else if salt != nil {
            throw Failure.usage("the key includes a salt, and --new-salt gives a second one")
        }
        return try file.withSettings(description)
    }
}

/// The settings that a file has, if they are not the usual ones: what opens it from now on, beside
/// its key.
struct UnusualSettings: Sendable {
    /// As `--cipher-settings` takes them.
    let words: String
    let pragmas: [String]

    init?(_ settings: (words: String, pragmas: [String])?) {
        guard let settings else { return nil }
        (words, pragmas) = settings
    }

    var advice: String {
        var advice = "; its settings are not the default ones: from now on, "
        if !words.isEmpty { advice += "pass \(CipherSettings.options(words)) to strongroom, and " }
        return advice + "run \(pragmas.joined(separator: "; ")) in programs"
    }

    var json: [JSONValue.Member] {
        [
            .init("cipherSettings", .string(words)),
            .init("settingsOptions", .string(CipherSettings.options(words))),
        ]
    }
}
