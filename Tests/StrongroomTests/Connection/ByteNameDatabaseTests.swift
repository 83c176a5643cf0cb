import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

/// Statements that name files, with names that are not UTF-8.
@Suite struct ByteNameDatabaseTests {
    private let folder: TemporaryDirectory
    private let queue: DatabaseQueue

    init() throws {
        folder = try TemporaryDirectory()
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.usePassphrase("secret") }
        queue = try DatabaseQueue(path: folder.path(of: "main.db"), configuration: configuration)
    }

    private var name: String { PathText.text(of: Array("\(folder.path)/caf".utf8) + [0xe9]) }

    private func names() throws -> [String] {
        try FileSystem.system.names(folder.path).sorted()
    }

    @Test("attach takes the file of that very name", .proves("HST-05"))
    func attach() throws {
        for _ in 0..<2 {
            try queue.inDatabase { db in
                try db.attach(name, as: "other", passphrase: "another")
                try db.execute(sql: "CREATE TABLE IF NOT EXISTS other.t (a)")
                try db.execute(sql: "INSERT INTO other.t VALUES (1)")
                try db.detach("other")
            }
        }
        #expect(try names().contains(PathText.text(of: Array("caf".utf8) + [0xe9])))
        let found = try names()
        #expect(found.count == 2, "\(found)")
    }

    @Test("VACUUM INTO makes no file of another name", .proves("HST-05"))
    func vacuum() throws {
        let before = try names()
        let error = #expect(throws: DatabaseError.self) { try queue.vacuum(into: name) }
        #expect(error?.message?.contains("not UTF-8") == true)
        #expect(try names() == before)
    }
}
