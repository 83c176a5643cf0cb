import Foundation
import Strongroom
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A database whose first page names another page size than its pages have.
@Suite("Commands on a first page of another page size")
struct FirstPageCommandTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
        let file = URL(fileURLWithPath: fixture.database)
        var bytes = [UInt8](try Data(contentsOf: file))
        let key = try Array(CommandLineFixture.key.utf8).withUnsafeBytes {
            try CipherKey(parsing: $0)
        }
        let pageKey = try PageKey(
            key, fileSalt: CipherSalt(bytes.prefix(16)), settings: .version(.v4))
        var codec = try PageCodec(pageKey)
        try bytes.withUnsafeMutableBytes { bytes in
            let page = UnsafeMutableRawBufferPointer(rebasing: bytes[..<4096])
            try codec.decrypt(page, number: 1)
            page[16] = 2
            try codec.encrypt(page, number: 1)
        }
        try Data(bytes).write(to: file)
    }

    @Test(
        "refuse it and change nothing", .proves("ENG-05"),
        arguments: [
            ["query", "DB", "SELECT 1"], ["query", "DB", "DELETE FROM album", "--write"],
            ["info", "DB"], ["check", "DB"], ["copy", "DB", "OUT"], ["decrypt", "DB", "OUT"],
            ["rotate-key", "DB", "--new-key-file", "NEW", "--page-size", "8192"],
            ["backup", "create", "DB", "--to", "ROOT"],
        ])
    func refused(words: [String]) throws {
        let root = fixture.path("repository")
        #expect(try fixture.run("backup", "init", root).exitCode == .done)
        let before = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        let names = [
            "DB": fixture.database, "OUT": fixture.path("out.db"), "ROOT": root,
            "NEW": try fixture.directory.write("another\n", to: "new.key"),
        ]
        let run = try CommandRun(words.map { names[$0] ?? $0 } + ["--key-file", fixture.keyFile])
        #expect(run.exitCode == .damaged)
        #expect(run.errors.contains("its first page says that pages have 512 bytes, not 4096"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.database)) == before)
        #expect(!FileManager.default.fileExists(atPath: fixture.path("out.db")))
    }
}
