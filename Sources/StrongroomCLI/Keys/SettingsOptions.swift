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

    /// The names of the settings, here and in `--cipher-settings`.
    static var names: [String] { group.options.map(\.name) }

    /// Nil if none is given.
    static func change(in arguments: ParsedArguments) throws(Failure) -> CipherChange? {
        var change = CipherChange()
        for option in group.options {
            guard let text = arguments.value(option) else { continue }
            _ = try set(option.name, text, in: &change)
        }
        return change == CipherChange() ? nil : change
    }

    /// Reads one setting; false if it has no such name.
    static func set(
        _ name: String, _ text: String, in change: inout CipherChange
    ) throws(Failure) -> Bool {
        switch name {
        case compatibility.name: change.compatibility = try number(name, text, 1...4)
        case kdfIterations.name:
            change.kdfIterations = try number(name, text, 1...Int(Int32.max))
        case pageSize.name:
            let size = try number(name, text, 512...65536)
            guard size.nonzeroBitCount == 1 else {
                throw .usage("--page-size needs a power of two from 512 to 65536")
            }
            change.pageSize = size
        case hmac.name:
            guard let hmac = CipherChange.HMAC(rawValue: text) else {
                throw .usage("--hmac needs sha512, sha256, sha1 or none")
            }
            change.hmac = hmac
        default: return false
        }
        return true
    }

    private static func number(
        _ name: String, _ text: String, _ range: ClosedRange<Int>
    ) throws(Failure) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "--\(name) needs a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
