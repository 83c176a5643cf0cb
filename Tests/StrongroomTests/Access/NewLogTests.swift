import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// What another user, who may not write, reads of a database that a pool has just created.
@Suite(.enabled(if: geteuid() == 0, "needs root, to become another user"))
struct NewLogTests {
    let fixture: FixtureDatabase
    let pool: DatabasePool

    init() throws {
        fixture = try FixtureDatabase()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: fixture.directory.path)
        pool = try DatabasePool(
            path: fixture.path, configuration: FixtureDatabase.configuration())
    }

    /// The names of tables that a pool of another user reads in a process of its own.
    private func expectReadable(_ names: [String]) async {
        await #expect(processExitsWith: .success) {
            [path = fixture.path as String, names = names as [String]] in
            try #require(setgid(65534) == 0 && setuid(65534) == 0)
            #expect(access(path, W_OK) != 0)
            let reader = try DatabasePool(
                path: path, configuration: FixtureDatabase.configuration { $0.readonly = true })
            let found = try reader.read {
                try String.fetchAll($0, sql: "SELECT name FROM sqlite_master")
            }
            #expect(found == names)
        }
    }

    @Test(.proves("CMP-85"))
    func `A new database can be read before anything is written to it`() async throws {
        let log = try FileManager.default.attributesOfItem(atPath: fixture.path + "-wal")
        #expect(try #require(log[.size] as? Int) > 0)
        await expectReadable([])
        try await pool.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        await expectReadable(["t"])
    }

    @Test(.proves("CMP-85"))
    func `A database can be read after a checkpoint has emptied its log`() async throws {
        try await pool.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        await expectReadable(["t"])
    }
}
