import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct PrivateFileTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func configuration(isPrivate: Bool) throws -> Configuration {
        var configuration = Configuration()
        configuration.createsPrivateFiles = isPrivate
        configuration.prepareDatabase { try $0.usePassphrase("secret") }
        return configuration
    }

    private func mode(_ name: String) throws -> mode_t {
        var status = stat()
        try #require(stat(folder.path(of: name), &status) == 0, "\(name)")
        return status.st_mode & 0o777
    }

    private func write(_ database: Database) throws {
        try database.execute(sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)")
    }

    /// The mask of this process is that of all tests: what SQLite does under it is compared with.
    private var usual: mode_t {
        let mask = umask(0)
        umask(mask)
        return 0o644 & ~mask
    }

    @Test(.proves("OPR-42"), arguments: [true, false])
    func `A file that is created is its owner's alone if that is asked for`(isPrivate: Bool) throws
    {
        let expected = isPrivate ? 0o600 : usual
        let configuration = try configuration(isPrivate: isPrivate)
        let pool = try DatabasePool(path: folder.path(of: "pool.db"), configuration: configuration)
        try pool.write(write)
        for name in ["pool.db", "pool.db-wal", "pool.db-shm"] {
            #expect(try mode(name) == expected, "\(name)")
        }
        let queue = try DatabaseQueue(path: folder.path(of: "q.db"), configuration: configuration)
        try queue.write { database in
            try write(database)
            #expect(try mode("q.db-journal") == expected)
        }
        #expect(try mode("q.db") == expected)
        let uri = "file:\(folder.path(of: "uri.db"))"
        let named = try DatabaseQueue(path: uri, configuration: configuration)
        try named.write(write)
        #expect(try mode("uri.db") == expected)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: "link.db"), withDestinationPath: folder.path(of: "real.db"))
        let linked = try DatabaseQueue(
            path: folder.path(of: "link.db"), configuration: configuration)
        try linked.write(write)
        #expect(try mode("real.db") == expected)
    }

    @Test(.proves("OPR-42"))
    func `A file that exists keeps its mode, and a missing one is not created by a reader`() throws
    {
        let path = folder.path(of: "app.db")
        let open = try configuration(isPrivate: false)
        try DatabaseQueue(path: path, configuration: open).write(write)
        try #require(chmod(path, 0o640) == 0)
        var configuration = try configuration(isPrivate: true)
        try DatabaseQueue(path: path, configuration: configuration).write(write)
        #expect(try mode("app.db") == 0o640)
        configuration.readonly = true
        #expect(throws: DatabaseError.self) {
            try DatabaseQueue(path: folder.path(of: "none.db"), configuration: configuration)
        }
        #expect(try !folder.names().contains("none.db"))
        configuration.readonly = false
        var memory = Configuration()
        memory.createsPrivateFiles = true
        _ = try DatabaseQueue(path: ":memory:", configuration: memory)
        #expect(try !folder.names().contains(":memory:"))
    }
}
