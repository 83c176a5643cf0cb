import Strongroom

/// The options that change cipher settings together with the key.
enum SettingsOptions {
    private static let compatibility = Option.value(
        "compatibility", "N", help: "change to the settings of SQLCipher 1, 2, 3 or 4")
    private static let kdfIterations = Option.value(
        "kdf-iterations", "N", help: "change how often a passphrase is hashed")
    private static let pageSize = Option.value(
        "page-size", "BYTES", help: "change the size of pages: 512 to 65536")
    private static let hmac = Option.value(
        "hmac", "NAME", help: "change what authenticates pages: sha512, sha256, sha1 or none")

    static let group = CommandSyntax.OptionGroup(
        title: "cipher settings to change with the key (or, without a new one, alone)",
        options: [compatibility, kdfIterations, pageSize, hmac])

    /// Nil if none is given.
    static func change(in arguments: ParsedArguments) throws(Failure) -> CipherChange? {
        var change = CipherChange()
        change.compatibility = try number(arguments, compatibility, 1...4)
        change.kdfIterations = try number(arguments, kdfIterations, 1...Int(Int32.max))
        change.pageSize = try number(arguments, pageSize, 512...65536)
        if let size = change.pageSize, size.nonzeroBitCount != 1 {
            throw .usage("--page-size needs a power of two from 512 to 65536")
        }
        if let name = arguments.value(hmac) {
            guard let hmac = CipherChange.HMAC(rawValue: name) else {
                throw .usage("--hmac needs sha512, sha256, sha1 or none")
            }
            change.hmac = hmac
        }
        return change == CipherChange() ? nil : change
    }

    private static func number(
        _ arguments: ParsedArguments, _ option: Option, _ range: ClosedRange<Int>
    ) throws(Failure) -> Int? {
        guard let text = arguments.value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "--\(option.name) needs a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
