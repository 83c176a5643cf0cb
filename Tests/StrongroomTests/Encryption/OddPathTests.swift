import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A path that is no text", .proves("HST-05", "OPR-19"))
struct OddPathTests {
    private let directory: TemporaryDirectory
    private let key: CipherKey
    /// A link to a database in a folder whose name is not UTF-8.
    private let link: String
    /// A database in a folder whose name is that one repaired.
    private let decoy: String

    init() throws {
        directory = try TemporaryDirectory()
        key = try EncryptedSample.key(EncryptedSample.rawKey)
        decoy = directory.path(of: "d\u{FFFD}/app.db")
        link = directory.path(of: "link.db")
        let odd =
            (directory.path + "/d").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xFF)]
        #expect(mkdir(odd + [0], 0o700) == 0)
        try FileManager.default.createDirectory(
            atPath: directory.path(of: "d\u{FFFD}"), withIntermediateDirectories: false)
        for path in [directory.path(of: "app.db"), decoy] {
            try SQLCipherShell(path: path, key: .content(EncryptedSample.rawKey))
                .create("CREATE TABLE t (a);")
        }
        let target = odd + "/app.db".utf8.map { CChar(bitPattern: $0) } + [0]
        #expect(rename(directory.path(of: "app.db"), target) == 0)
        #expect(symlink(target, link) == 0)
    }

    /// The file that the link leads to is worked on; the one of the repaired name stays as it is.
    private func expectRightFile(_ work: () throws -> Void) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: decoy))
        let names = try FileManager.default.contentsOfDirectory(
            atPath: directory.path + "/d\u{FFFD}")
        try work()
        #expect(try Data(contentsOf: URL(fileURLWithPath: decoy)) == before)
        let after = try FileManager.default.contentsOfDirectory(
            atPath: directory.path + "/d\u{FFFD}")
        #expect(after == names)
    }

    @Test("leads to no other file when a key is rotated")
    func rotation() throws {
        let file = DatabaseFile(path: link, key: key)
        let newKey = try CipherKey.generated()
        try expectRightFile { try file.rotateKey(to: newKey) }
        #expect(try DatabaseFile(path: link, key: newKey).check().isSound)
    }

    @Test("leads to no other file when a database is replaced")
    func transfer() throws {
        let source = directory.path(of: "source.db")
        try SQLCipherShell(path: source).create("CREATE TABLE u (a);")
        try expectRightFile {
            try DatabaseFile(path: source).transfer(
                to: DatabaseFile(path: link, key: key), overwrite: true)
        }
    }

    @Test("leads to no other file when an app opens it")
    func opening() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { [key] in try $0.useKey(key) }
        let opened = configuration
        try expectRightFile {
            let queue = try DatabaseQueue(path: link, configuration: opened)
            try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        }
    }
}
