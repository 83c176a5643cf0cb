import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite("Files of earlier versions")
struct FormatTests {
    @Test(
        "A generation is there, and its files are what they were", arguments: FormatGeneration.all)
    func unchanged(_ generation: FormatGeneration) throws {
        let list = try generation.content(of: "SHA256SUMS")
        let listed = String(decoding: list, as: UTF8.self).split(separator: "\n").map {
            String($0.split(separator: " ")[1])
        }
        #expect(try generation.files() == Set(listed))
        let check = try Subprocess.run(
            "sha256sum", ["--check", "--strict", "--quiet"],
            workingDirectory: "\(FormatGeneration.root)/\(generation.name)", input: list)
        #expect(check.isSuccess, "\(check.outputText)\(check.errorText)")
    }

    @Test("The first generation stays") func firstGenerationStays() throws {
        let first = try #require(FormatGeneration.all.first { $0.name == "2026-11" })
        #expect(try first.expectation().databases.count == 13)
        #expect(try first.expectation().repositories.count == 4)
    }

    @Test("Every database opens and has its rows", arguments: FormatGeneration.all)
    func databases(_ generation: FormatGeneration) throws {
        let folder = try generation.copy()
        for database in try generation.expectation().databases where !database.hasKeyring {
            let file = try Self.file(database, in: folder)
            let rows = try file.open().read { db in
                try String.fetchAll(db, sql: FormatGeneration.rowsSQL)
            }
            #expect(try rows == generation.rows(database.content), "\(database)")
            let report = try file.check()
            // Without HMACs nothing can be said of the pages.
            let problems = report.problems.filter { $0.kind != .cipher || database.hasHMAC }
            #expect(problems.isEmpty, "\(database)")
        }
    }

    @Test("Every database can be written to, and rotated", arguments: FormatGeneration.all)
    func writing(_ generation: FormatGeneration) throws {
        let folder = try generation.copy()
        let newKey = try CipherKey.generated()
        for database in try generation.expectation().databases
        where database.key != nil && !database.hasKeyring {
            var file = try Self.file(database, in: folder)
            try file.open().write { db in
                try db.execute(sql: "INSERT INTO artist VALUES (99, 'New')")
            }
            // A plaintext header cannot be kept under another key today.
            if database.tool == .salvages { continue }
            try file.rotateKey(to: newKey)
            file.key = newKey
            let count = try file.open().read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM artist WHERE id = 99")
            }
            #expect(count == 1, "\(database)")
        }
    }

    @Test("Every key file reads, and is written as it was", arguments: FormatGeneration.all)
    func keyFiles(_ generation: FormatGeneration) throws {
        let folder = try generation.copy()
        for name in try generation.files() where name.hasSuffix(".key") {
            let key = try CipherKey(contentsOfFile: folder.path(of: name))
            let again = folder.path(of: "again-" + (name as NSString).lastPathComponent)
            try key.write(toNewFile: again)
            let written = try Data(contentsOf: URL(fileURLWithPath: again))
            #expect(try written == generation.content(of: name), "\(name)")
        }
    }

    private static func file(
        _ database: FormatGeneration.Database, in folder: TemporaryDirectory
    ) throws -> DatabaseFile {
        var file = DatabaseFile(path: folder.path(of: database.file))
        file.key = try database.key.map { try CipherKey(contentsOfFile: folder.path(of: $0)) }
        for pragma in database.pragmas ?? [] {
            file.configuration.prepareDatabase { try $0.execute(sql: "PRAGMA \(pragma)") }
        }
        return file
    }
}
