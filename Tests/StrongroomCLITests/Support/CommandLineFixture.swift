import Foundation
import StrongroomCLI
import StrongroomTestSupport

/// A folder with an encrypted database, its key file, and a plain database.
struct CommandLineFixture {
    static let passphrase = "correct horse battery staple"

    let directory: TemporaryDirectory
    /// `shop.db`, encrypted with the passphrase: two tables, five rows.
    let database: String
    /// `shop.key`, which holds the passphrase.
    let keyFile: String
    /// `plain.sqlite`, of the same content.
    let plain: String

    static let schema = """
        PRAGMA user_version = 7;
        PRAGMA application_id = 42;
        CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE album (
            id INTEGER PRIMARY KEY, artistId INTEGER REFERENCES artist(id), title TEXT,
            price REAL, cover BLOB);
        INSERT INTO artist VALUES (1, 'Anna'), (2, '坂本');
        INSERT INTO album VALUES
            (1, 1, 'One', 9.5, x'00FF'), (2, 1, NULL, 12, NULL), (3, 2, 'a,"b"', -0.25, x'');
        """

    init() throws {
        directory = try TemporaryDirectory()
        database = directory.path(of: "shop.db")
        plain = directory.path(of: "plain.sqlite")
        keyFile = try directory.write(Self.passphrase + "\n", to: "shop.key")
        try shell.create(Self.schema)
        try SQLCipherShell(path: plain).create(Self.schema)
    }

    /// The witness, given the passphrase.
    var shell: SQLCipherShell { SQLCipherShell(path: database, key: .passphrase(Self.passphrase)) }

    func path(_ name: String) -> String { directory.path(of: name) }

    /// Runs a command inside the tests.
    func run(
        _ words: String..., world: CommandRun.World = CommandRun.World()
    ) throws -> CommandRun {
        try CommandRun(words, in: world)
    }

    /// Runs a command on the database with its key file.
    func runOnDatabase(
        _ command: String, _ words: String..., world: CommandRun.World = CommandRun.World()
    ) throws -> CommandRun {
        try CommandRun([command, database] + words + ["--key-file", keyFile], in: world)
    }

    /// Runs the built program in the folder.
    func runProgram(
        _ words: String..., environment: [String: String] = [:], input: String = "",
        descriptors: [Int32: Data] = [:], closing: Set<Int32> = []
    ) throws -> Subprocess.Result {
        try Subprocess.run(
            PackageFiles.program("strongroom"), words,
            environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 },
            workingDirectory: directory.path, input: Data(input.utf8), descriptors: descriptors,
            closing: closing)
    }

    /// A text without the folder's own name.
    func anonymous(_ text: String) -> String {
        text.replacingOccurrences(of: directory.path + "/", with: "")
    }
}
