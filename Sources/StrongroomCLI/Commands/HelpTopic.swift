/// What `strongroom help` describes besides the commands.
package enum HelpTopic: String, CaseIterable, Sendable {
    case keys
    case status
    case json

    package var text: String {
        switch self {
        case .keys: Self.keysText
        case .status: Self.statusText
        case .json: Self.jsonText
        }
    }

    private static let keysText = """
        Where keys come from

        Keys are never taken from the command line, which every user of the machine
        can read while the program runs. A command that opens a database takes one of

          --key-file PATH        a file; a warning tells if others may read it
          --key-env NAME         an environment variable; it is removed at once, so that
                                 no program started from here inherits it
          --key-fd N             an open file descriptor, read up to its end
          --key-command COMMAND  what a command prints, run by /bin/sh -c
          --key-ask              the terminal, without echo

        and prompts on the terminal if none is given. A new key has the same options
        with `--new-` in front (rotate-key, copy); the prompt for it appears twice.

        A key is one line of text; a newline at its end is not part of it. It is either

          a passphrase           from which SQLCipher derives the key: slow on purpose
          x'…'                   a raw key of 64 hexadecimal digits, or of 96 with the
                                 database's salt, as `strongroom keygen` writes it

        What begins like a raw key but has another length is refused, because SQLCipher
        would take it as a passphrase. So are binary data and several lines.

        """

    private static let statusText: String = {
        let lines = ExitCode.allCases.map { code in
            let number = String(code.rawValue)
            return "  \(number)\(String(repeating: " ", count: 6 - number.count))\(code.meaning)\n"
        }
        return "How a run ended\n\n" + lines.joined()
    }()

    private static let jsonText = """
        What --json writes

        The result goes to standard output as JSON in UTF-8. Names are stable: new ones
        may be added, none is removed or changes its meaning.

        In `strongroom query`, each statement that returns rows gives one array of
        objects, one row on a line. Integers have 64 bits; a blob is base64 text; NULL
        is null; infinity is 9e999, which most readers take as infinity. A second
        column of the same name, id, is named id:1. If no statement returns rows, there
        is one object with changeCount, or an empty array without --write.

        Errors and warnings go to standard error, each as one line:

          {"error":{"code":"wrongKey","exitCode":12,"message":"…","hint":"…"}}
          {"warning":{"message":"…","hint":"…"}}

        """
}
