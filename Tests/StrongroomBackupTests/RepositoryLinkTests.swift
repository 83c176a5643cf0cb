import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("A repository in which somebody has put links")
struct RepositoryLinkTests {
    private let fixture: BackupFixture
    private let elsewhere: String

    init() throws {
        fixture = try BackupFixture(rowCount: 40)
        elsewhere = fixture.path("elsewhere")
        try fixture.repository.backUp(fixture.file)
        try fixture.shell("app.db").run("UPDATE t SET n = 1")
        try fixture.repository.backUp(fixture.file)
        try FileManager.default.createDirectory(
            atPath: elsewhere, withIntermediateDirectories: false)
    }

    private func state(_ path: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            files[name] = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
        }
        return files
    }

    /// Runs all that changes a repository, and all that reads one.
    private func runEverything() throws -> [Result<Void, any Error>] {
        let repository = fixture.repository
        let key = try #require(fixture.file.key)
        let newKey = try BackupFixture.key(BackupFixture.otherKeyText)
        return [
            Result { try repository.backUp(fixture.file) },
            Result {
                try repository.prune(
                    keeping: RetentionPolicy(last: 1), key: BackupFixture.databaseKey)
            },
            Result { try repository.rekey(from: key, to: newKey) },
            Result { _ = try repository.verify() },
            Result { try repository.restore(to: fixture.path("out.db")) },
        ]
    }

    @Test(
        "A folder that is a link is refused, and nothing changes where it leads",
        .proves("HST-03"), arguments: ["tmp", "packs", "backups"])
    func folders(name: String) throws {
        let path = fixture.repository.path + "/" + name
        // What is there has the names that a repository gives.
        if name == "tmp" {
            try "mine".write(toFile: elsewhere + "/pack-1", atomically: false, encoding: .utf8)
            try "mine".write(toFile: elsewhere + "/deadbeef", atomically: false, encoding: .utf8)
        } else {
            for file in try FileManager.default.contentsOfDirectory(atPath: path) {
                try FileManager.default.copyItem(
                    atPath: path + "/" + file, toPath: elsewhere + "/" + file)
            }
        }
        let before = try state(elsewhere)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: elsewhere)
        for outcome in try runEverything().prefix(name == "tmp" ? 3 : 5) {
            #expect(throws: BackupError.self) { try outcome.get() }
        }
        #expect(try state(elsewhere) == before)
    }

    @Test(
        "A file that is a link is refused, and what it leads to stays",
        .proves("HST-03"), arguments: ["head", "lock", "packs", "backups", "aside"])
    func files(name: String) throws {
        let root = fixture.repository.path
        var path = root + "/" + name
        if ["packs", "backups"].contains(name) {
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            path += "/" + (try #require(names.last))
        }
        let target = elsewhere + "/target"
        if name == "aside" {
            // Something is to be moved there: the head goes back.
            let forged = ForgedRepository(fixture)
            let first = try #require(try fixture.repository.backups().first)
            try forged.forgeHead {
                $0["sequence"] = 1
                $0["manifest"] = first.hash
                $0["nextPack"] = 2
            }
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: elsewhere)
        } else {
            try FileManager.default.moveItem(atPath: path, toPath: target)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
        let before = try state(elsewhere)
        let outcomes = try runEverything()
        // What a pack has that is a link is stored again; nothing takes the place of the others.
        if name != "packs" { #expect(throws: BackupError.self) { try outcomes[2].get() } }
        #expect(try state(elsewhere) == before)
    }

    @Test("Of the temporary folder, only files of our names are removed", .proves("HST-03"))
    func foreignNames() throws {
        let temporary = fixture.repository.path + "/tmp"
        let manager = FileManager.default
        for name in ["notes.txt", "pack-x", "12345678901234567", "0123abcd", "pack-7"] {
            #expect(manager.createFile(atPath: temporary + "/" + name, contents: Data("x".utf8)))
        }
        try manager.createDirectory(
            atPath: temporary + "/abc", withIntermediateDirectories: false)
        try manager.createSymbolicLink(
            atPath: temporary + "/def", withDestinationPath: elsewhere)
        try fixture.repository.backUp(fixture.file)
        #expect(
            try manager.contentsOfDirectory(atPath: temporary).sorted()
                == ["12345678901234567", "abc", "def", "notes.txt", "pack-x"])
    }

    /// A folder of the repository that is exchanged for a link, and after which call.
    private struct Exchange: CustomStringConvertible {
        let folder: String
        let call: String
        let number: Int
        var description: String { "\(folder) after \(call) \(number)" }

        static let all =
            ["openFolder", "names", "remove", "create", "rename"].map {
                Exchange(folder: "tmp", call: $0, number: 1)
            } + [
                Exchange(folder: "tmp", call: "openFolder", number: 2),
                Exchange(folder: "packs", call: "create", number: 1),
                Exchange(folder: "packs", call: "names", number: 1),
                Exchange(folder: "backups", call: "create", number: 2),
                Exchange(folder: "backups", call: "names", number: 1),
            ]
    }

    @Test(
        "A folder that is exchanged for a link during the work leads nowhere else",
        .proves("HST-03"), arguments: Exchange.all)
    private func exchangedWhileWorking(exchange: Exchange) throws {
        let path = fixture.repository.path + "/" + exchange.folder
        let elsewhere = elsewhere
        // What an interrupted run has left, and files of the same names where the link leads.
        for name in ["0123abcd", "pack-7"] {
            for folder in [fixture.repository.path + "/tmp", elsewhere] {
                try name.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
            }
        }
        let before = try state(elsewhere)
        let count = Locked(0)
        @Sendable func done(_ call: String) {
            guard call == exchange.call,
                count.withLock({
                    $0 += 1; return $0
                }) == exchange.number
            else { return }
            try? FileManager.default.moveItem(atPath: path, toPath: path + ".old")
            try? FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: elsewhere)
        }
        var repository = fixture.repository
        repository.fileSystem.inFolder = Self.reporting(done)
        try fixture.shell("app.db").run("UPDATE t SET n = 2")
        let result = Result { try repository.backUp(fixture.file) }
        if exchange.folder == "tmp" { #expect(throws: BackupError.self) { try result.get() } }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == elsewhere)
        #expect(try state(elsewhere) == before)
    }

    /// The calls of the machine, each of which is reported when it is done.
    private static func reporting(_ done: @escaping @Sendable (String) -> Void) -> FolderCalls {
        let system = FolderCalls.system
        var calls = system
        calls.openFolder = { folder, name throws(SystemError) in
            defer { if name == "tmp" { done("openFolder") } }
            return try system.openFolder(folder, name)
        }
        calls.names = { folder throws(SystemError) in
            defer { done("names") }
            return try system.names(folder)
        }
        calls.remove = { folder, name throws(SystemError) in
            defer { done("remove") }
            try system.remove(folder, name)
        }
        calls.create = { folder, name throws(SystemError) in
            defer { done("create") }
            return try system.create(folder, name)
        }
        calls.rename = { from, name, to, newName throws(SystemError) in
            defer { done("rename") }
            try system.rename(from, name, to, newName)
        }
        return calls
    }
}
