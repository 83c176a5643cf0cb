/// What the program was asked to do.
struct Arguments: Equatable {
    struct UsageError: Error, Equatable, CustomStringConvertible {
        var description: String
    }

    static let help = """
        usage: PackageCatalog DATABASE --keys FOLDER [options]

        Keeps a catalog of the packages that dpkg has installed in an encrypted database: creates
        it or brings it up to date, then answers a few questions.

          --keys FOLDER       where the keys are kept: the first one is created with the database
          --rotate-key        give the database a new key afterwards; the folder keeps the old one
          --key-file FILE     in place of --keys: a passphrase, or a raw key x'…'
          --status FILE       the file to read (/var/lib/dpkg/status)
          --depends-on NAME   tell which packages depend on NAME; may be repeated
          --about WORDS       tell which packages are about WORDS; may be repeated
          --show NAME         tell all that is known of a package; may be repeated
          --top N             show so many lines of each answer (5)
          --no-import         only answer, from what the catalog holds
          --quiet             only bring the catalog up to date
          --commit-every N    let others see the import grow by N packages at a time
          --watch             only tell how much there is, now and after every change, other
                              processes' too, until Ctrl-C
          --json              tell it as JSON, one object in a line
          --help              print this
        """

    var database = ""
    var keys = ""
    var rotatesKey = false
    var keyFile = ""
    var status = "/var/lib/dpkg/status"
    var dependsOn: [String] = []
    var about: [String] = []
    var show: [String] = []
    var top = 5
    var imports = true
    var answers = true
    var commitsEvery: Int?
    var watches = false
    var asJSON = false
    var wantsHelp = false

    init(_ words: [String]) throws(UsageError) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--keys": keys = try Self.value(of: word, &words)
            case "--rotate-key": rotatesKey = true
            case "--key-file": keyFile = try Self.value(of: word, &words)
            case "--status": status = try Self.value(of: word, &words)
            case "--depends-on": dependsOn.append(try Self.value(of: word, &words))
            case "--about": about.append(try Self.value(of: word, &words))
            case "--show": show.append(try Self.value(of: word, &words))
            case "--top": top = try Self.count(of: word, &words)
            case "--no-import": imports = false
            case "--quiet": answers = false
            case "--commit-every": commitsEvery = try Self.count(of: word, &words)
            case "--watch": watches = true
            case "--json": asJSON = true
            case "--help", "-h": wantsHelp = true
            default: try addOperand(word)
            }
        }
        guard wantsHelp || (!database.isEmpty && keys.isEmpty != keyFile.isEmpty) else {
            throw UsageError(
                description: "a DATABASE is needed, and its --keys or its --key-file")
        }
        guard !rotatesKey || (!keys.isEmpty && !watches) else {
            throw UsageError(description: "--rotate-key needs --keys, and cannot --watch")
        }
        guard watches || !asJSON else {
            throw UsageError(description: "only what --watch tells can be --json")
        }
    }

    private mutating func addOperand(_ word: String) throws(UsageError) {
        guard !word.hasPrefix("-") else {
            throw UsageError(description: "there is no option \(word)")
        }
        guard database.isEmpty else {
            throw UsageError(description: "one DATABASE is enough, what is \(word)?")
        }
        database = word
    }

    private static func value(
        of option: String, _ words: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = words.popFirst(), !value.isEmpty else {
            throw UsageError(description: "\(option) needs a value")
        }
        return value
    }

    private static func count(
        of option: String, _ words: inout ArraySlice<String>
    ) throws(UsageError) -> Int {
        let value = try value(of: option, &words)
        guard let count = Int(value), count > 0 else {
            throw UsageError(description: "\(option) needs a number above 0, not \(value)")
        }
        return count
    }
}
