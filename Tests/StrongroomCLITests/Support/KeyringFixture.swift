import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A database with a keyring that five kinds of secrets open.
struct KeyringFixture {
    static let anna = "correct horse battery staple winter"
    static let berta = "violet umbrella rocket saddle onion"
    /// A vector of age's own documentation, and its recipient.
    static let identity =
        "AGE-SECRET-KEY-1LF8DQCNKVMHYNYY6MJSZQ2GW7WE7X2RU66GJVPCJVV5MYAQEC4JS4V5UUS"
    static let recipient = "age109l9su08kxnsrmz57hr79ucc5dv4dkru5499kmme22zc6h6pjg7q44s672"

    let files: CommandLineFixture
    /// The recovery code.
    let code: String

    var database: String { files.database }

    init() throws {
        files = try CommandLineFixture()
        for words in [
            ["key", "init", files.database],
            ["key", "add", files.database, "--passphrase", "anna", "--work", "14"],
            ["key", "add", files.database, "--recipient", Self.recipient, "--name", "ops"],
            ["key", "recovery", files.database, "--out", files.path("code")],
        ] {
            var world = CommandRun.World()
            world.variables = ["NEW": Self.anna]
            let new = words.contains("--passphrase") ? ["--new-key-env", "NEW"] : []
            let run = try CommandRun(words + new + ["--key-file", files.keyFile], in: world)
            try #require(run.exitCode == .done, "\(words): \(run.errors)")
        }
        code = try String(contentsOfFile: files.path("code"), encoding: .utf8)
            .trimmingCharacters(in: .newlines)
    }

    /// Runs a command with a secret, and perhaps a new one.
    func run(_ words: [String], _ secret: String, new: String? = nil) throws -> CommandRun {
        var world = CommandRun.World()
        world.variables = ["SECRET": secret]
        var sources = ["--key-env", "SECRET"]
        if let new {
            world.variables["NEW"] = new
            sources += ["--new-key-env", "NEW"]
        }
        return try CommandRun(words + sources, in: world)
    }

    func count(_ secret: String, _ words: String...) throws -> CommandRun {
        try run(["query", database, "SELECT count(*) FROM album", "--csv"] + words, secret)
    }

    func opens(_ secret: String) throws -> Bool {
        try count(secret).output.split(whereSeparator: \.isNewline).last == "3"
    }

    /// An empty repository.
    func repository() throws -> String {
        let path = files.path("repository")
        let run = try files.run("backup", "init", path)
        try #require(run.exitCode == .done)
        return path
    }

    /// Restores a backup to `restored-N.db`.
    func restored(_ number: Int, from repository: String, _ secret: String) throws -> CommandRun {
        let out = files.path("restored-\(number).db")
        return try run(["backup", "restore", repository, "\(number)", out], secret)
    }

    /// The database's own key.
    func exportedKey() throws -> String {
        let run = try run(["key", "export", database, "--show"], code)
        try #require(run.exitCode == .done, "\(run.errors)")
        return run.output.trimmingCharacters(in: .newlines)
    }
}
