import StrongroomCLI
import StrongroomTestSupport
import Testing

/// An encrypted database, and an empty repository that the host remembers.
struct RepositoryFixture {
    let files: CommandLineFixture
    let path: String
    let world: CommandRun.World

    init() throws {
        files = try CommandLineFixture()
        path = files.path("repository")
        var world = CommandRun.World()
        world.settings = ["STRONGROOM_STATE": files.path("state")]
        self.world = world
        let run = try CommandRun(["backup", "init", path], in: world)
        try #require(run.exitCode == .done, "\(run.errors)")
    }
}

/// A suite over one repository.
protocol RepositorySuite {
    var repository: RepositoryFixture { get }
}

extension RepositorySuite {
    var fixture: CommandLineFixture { repository.files }
    var path: String { repository.path }
    var world: CommandRun.World { repository.world }

    /// Runs a command of backups.
    func run(_ words: String...) throws -> CommandRun {
        try CommandRun(["backup"] + words, in: world)
    }

    /// The same with the key of the database, or another one.
    func withKey(_ words: String..., key: String? = nil) throws -> CommandRun {
        try CommandRun(["backup"] + words + ["--key-file", key ?? fixture.keyFile], in: world)
    }

    @discardableResult
    func create() throws -> CommandRun {
        let run = try withKey("create", fixture.database, "--to", path)
        try #require(run.exitCode == .done, "\(run.errors)")
        return run
    }

    /// Backs up as many states of the database, each with its number as the version.
    func create(versions count: Int) throws {
        for number in 1...count {
            try fixture.shell.run(
                "PRAGMA user_version = \(number); INSERT INTO album (title) VALUES ('\(number)')")
            try create()
        }
    }
}
