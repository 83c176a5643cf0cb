/// What the program is started with.
struct Options {
    let database: String
    let keys: String
    let hub: String
    let ticket: String?

    static let help = """
        usage: SharedList DATABASE --keys FOLDER --hub FOLDER [--join TICKET]

        Shows a list that several devices share over a folder. The first start creates the encrypted file
        with its key, and a space in the folder, or joins one with a ticket.

        \(TypedCommand.help)
        """

    /// What is wrong with the words, for the person who typed them.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    init(_ words: [String]) throws {
        var values: [String: String] = [:]
        var rest = words[...]
        var database: String?
        while let word = rest.popFirst() {
            if ["--keys", "--hub", "--join"].contains(word) {
                guard let value = rest.popFirst() else {
                    throw UsageError(description: "\(word) needs a value")
                }
                values[word] = value
            } else {
                guard database == nil, !word.hasPrefix("-") else {
                    throw UsageError(description: "\(word) is not understood")
                }
                database = word
            }
        }
        guard let database, let keys = values["--keys"], let hub = values["--hub"] else {
            throw UsageError(description: "a DATABASE, --keys and --hub are needed")
        }
        self.database = database
        self.keys = keys
        self.hub = hub
        ticket = values["--join"]
    }
}

/// What is typed while the program runs.
enum TypedCommand {
    case add(String)
    case toggle(Int)
    case remove(Int)
    case invite
    case quit
    case unknown

    static let help = """
        add TITLE     add a line
        done NUMBER   mark a line as done, or as open again
        remove NUMBER remove a line
        invite        print a ticket for another device
        quit          end the program
        """

    init(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let number = words.count > 1 ? Int(words[1]) : nil
        switch (words.first, number) {
        case ("add", _) where words.count > 1: self = .add(words[1])
        case ("done", let number?): self = .toggle(number)
        case ("remove", let number?): self = .remove(number)
        case ("invite", _): self = .invite
        case ("quit", _): self = .quit
        default: self = .unknown
        }
    }
}
