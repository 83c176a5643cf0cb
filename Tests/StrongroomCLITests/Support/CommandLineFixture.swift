import Foundation
import StrongroomCLI
import StrongroomTestSupport

/// A folder with an encrypted database, its key file, and a plain database.
struct CommandLineFixture {
    /// Raw keys: nothing is derived, so that hundreds of openings take no time.
    static let key = "x'\(String(repeating: "5eed", count: 16))'"
    static let otherKey = "x'\(String(repeating: "0ddba11f", count: 8))'"

    let directory: TemporaryDirectory
    /// `shop.db`, encrypted with the key: two tables, five rows.
    let database: String
    /// `shop.key`, which holds the key.
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
        keyFile = try directory.write(Self.key + "\n", to: "shop.key")
        // Without waiting for the disk: each statement is a transaction.
        let sql = "PRAGMA synchronous = OFF;\n" + Self.schema
        try shell.create(sql)
        try SQLCipherShell(path: plain).create(sql)
    }

    /// The witness, given the key.
    var shell: SQLCipherShell { SQLCipherShell(path: database, key: .content(Self.key)) }

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
