import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("A backup of an older copy of the database")
struct OlderCopyTests: RepositorySuite {
    let repository: RepositoryFixture
    private let copy: String

    init() throws {
        repository = try RepositoryFixture()
        copy = repository.files.path("copy.db")
        try create()
        try FileManager.default.copyItem(atPath: fixture.database, toPath: copy)
        try fixture.shell.run("INSERT INTO album (title) VALUES ('later')")
        try create()
    }

    private let elsewhere = "which this host made of a file at another path"

    @Test("at another path is reported, once", .proves("OPR-188"))
    func elsewhereOnce() throws {
        let run = try withKey("create", copy, "--to", path)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.errors.contains(elsewhere), "\(run.errors)")
        #expect(run.errors.contains("backup forget"), "\(run.errors)")
        // The right one, and the copy again, are known now.
        #expect(try !create().errors.contains(elsewhere))
        #expect(try !withKey("create", copy, "--to", path).errors.contains(elsewhere))
    }

    @Test("with an older schema is reported, even in its place", .proves("OPR-188"))
    func olderSchema() throws {
        try fixture.shell.run("CREATE TABLE later (a)")
        try create()
        let manager = FileManager.default
        try manager.removeItem(atPath: fixture.database)
        try manager.copyItem(atPath: copy, toPath: fixture.database)
        let run = try withKey("create", fixture.database, "--to", path)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.errors.contains("is older than backup 3"), "\(run.errors)")
    }

    @Test("is not made by a repair", .proves("OPR-188"))
    func repair() throws {
        let run = try withKey("repair", path, "--database", copy)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.errors.contains("no backup was created"), "\(run.errors)")
        #expect(run.errors.contains(elsewhere), "\(run.errors)")
        let list = try self.run("list", path, "--json")
        #expect((list.json as? [Any])?.count == 2, "\(list.output)")
        let right = try withKey("repair", path, "--database", fixture.database)
        #expect(right.exitCode == .done && !right.errors.contains("no backup was created"))
    }
}
