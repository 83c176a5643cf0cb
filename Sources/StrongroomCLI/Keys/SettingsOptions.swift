import StrongroomCore

/// The options for cipher settings: `--page-size` describes the file as it is, and
/// `--new-page-size` names what a command changes it to.
struct SettingsOptions {
    private static let compatibilityName = "compatibility"
    private static let iterationsName = "kdf-iterations"
    private static let algorithmName = "kdf-algorithm"
    private static let pageSizeName = "page-size"
    private static let hmacName = "hmac"

    /// The settings that the database has.
    static let present = SettingsOptions(
        prefix: "",
        help: [
            "those of SQLCipher 1, 2, 3 or 4", "how often its passphrase is hashed",
            "what hashes its passphrase: sha512, sha256 or sha1",
            "the size of its pages: 512 to 65536",
            "what authenticates its pages: sha512, sha256, sha1 or none",
        ])
    /// The settings that it gets.
    static let new = SettingsOptions(
        prefix: "new-",
        help: [
            "use the settings of SQLCipher 1, 2, 3 or 4",
            "how often a passphrase is hashed",
            "what hashes a passphrase: sha512, sha256 or sha1",
            "the size of pages: 512 to 65536",
            "what authenticates pages: sha512, sha256, sha1 or none",
        ])

    private let prefix: String
    let options: [Option]

    private init(prefix: String, help: [String]) {
        self.prefix = prefix
        options = [
            .value("\(prefix)\(Self.compatibilityName)", "N", help: help[0]),
            .value("\(prefix)\(Self.iterationsName)", "N", help: help[1]),
            .value("\(prefix)\(Self.algorithmName)", "NAME", help: help[2]),
            .value("\(prefix)\(Self.pageSizeName)", "BYTES", help: help[3]),
            .value("\(prefix)\(Self.hmacName)", "NAME", help: help[4]),
        ]
    }

    static let changes = CommandSyntax.OptionGroup(
        title: "cipher settings to change (with the key, or alone)",
        options: new.options)

    /// Nil if none is given.
    func change(in arguments: ParsedArguments) throws(Failure) -> CipherChange? {
        var change = CipherChange()
        for option in options {
            guard let text = arguments.value(option) else { continue }
            let name = String(option.name.dropFirst(prefix.count))
            _ = try Self.set(name, text, in: &change, of: option.name)
        }
        return change == CipherChange() ? nil : change
    }

    /// What `rotate-key` once took for a change: `--kdf-algorithm` was not among it.
    func changeByOldNames(in arguments: ParsedArguments) throws(Failure) -> CipherChange? {
        var change = try change(in: arguments)
        change?.kdfAlgorithm = nil
        return change == CipherChange() ? nil : change
    }

    /// Reads one setting; false if it has no such name.
    ///
    /// - Parameter option: What the person has typed it as.
    static func set(
        _ name: String, _ text: String, in change: inout CipherChange, of option: String
    ) throws(Failure) -> Bool {
        switch name {
        case compatibilityName: change.compatibility = try number(option, text, 1...4)
        case iterationsName:
            change.kdfIterations = try number(option, text, 1...Int(Int32.max))
        case algorithmName:
            guard let algorithm = CipherChange.KDFAlgorithm(rawValue: text.lowercased()) else {
                throw .usage("--\(option) needs sha512, sha256 or sha1")
            }
            change.kdfAlgorithm = algorithm
        case pageSizeName:
            let size = try number(option, text, 512...65536)
            guard size.nonzeroBitCount == 1 else {
                throw .usage("--\(option) needs a power of two from 512 to 65536")
            }
            change.pageSize = size
        case hmacName:
            guard let hmac = CipherChange.HMAC(rawValue: text) else {
                throw .usage("--\(option) needs sha512, sha256, sha1 or none")
            }
            change.hmac = hmac
        default: return false
        }
        return true
    }

    static func headerByteCount(_ name: String, _ text: String) throws(Failure) -> Int {
        let count = try number(name, text, 0...512)
        guard count % 16 == 0 else { throw .usage("--\(name) needs a multiple of 16") }
        return count
    }

    static func number(
        _ name: String, _ text: String, _ range: ClosedRange<Int>
    ) throws(Failure) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "--\(name) needs a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
