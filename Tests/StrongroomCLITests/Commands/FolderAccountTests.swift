import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// `rotate-key FOLDER`: every file that is seen is counted once, and told of.
@Suite struct FolderAccountTests {
    private let fixture: CommandLineFixture
    private let newKey: String
    private let folder: String

    init() throws {
        fixture = try CommandLineFixture()
        newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        folder = fixture.path("shops")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for name in ["a.db", "b.db", "c.db"] { try copy(to: name) }
    }

    private func copy(to name: String) throws {
        try FileManager.default.copyItem(atPath: fixture.database, toPath: "\(folder)/\(name)")
    }

    private func put(_ content: Data, _ name: String) throws {
        try content.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }

    private func rotate(_ words: String...) throws -> CommandRun {
        try CommandRun(
            ["rotate-key", folder, "--key-file", fixture.keyFile, "--new-key-file", newKey] + words)
    }

    private func objects(_ run: CommandRun) throws -> [[String: Any]] {
        try run.output.split(separator: "\n").map {
            try #require(
                JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    /// Random bytes after the beginning of a JPEG, as large as two pages.
    private var photo: Data {
        Data([0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF".utf8) + Array(repeating: 0, count: 10))
            + Data([0xff]) + Data((0..<1003).map { _ in UInt8.random(in: .min ... .max) })
    }

    @Test("ten thousand photos are no databases", .proves("OPR-16"))
    func photos() throws {
        let photo = photo
        #expect(photo.count % 512 == 0)
        for number in 1...10_000 { try put(photo, "\(number).jpg") }
        let run = try rotate()
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.contains("10003 files seen: done 3, "), "\(run.output.suffix(300))")
        let end = "\nskipped 10000: JPEG pictures\n3 of 3 files have the new key\n"
        #expect(run.output.hasSuffix(end))
    }

    @Test("a database under a third key is no photo", .proves("OPR-16"))
    func thirdKey() throws {
        try put(photo, "photo.jpg")
        try SQLCipherShell(
            path: folder + "/third.db", key: .content("x'\(String(repeating: "77", count: 32))'")
        ).create(CommandLineFixture.schema)
        let run = try rotate()
        #expect(run.exitCode == .wrongKey)
        #expect(run.errors.contains("third.db: neither key opens it"), "\(run.errors)")
        #expect(run.output.contains("already done 0; skipped 1; failed 1\n"), "\(run.output)")
        let excluded = try rotate("--exclude", "third.*")
        #expect(excluded.exitCode == .done, "\(excluded.errors)")
        #expect(excluded.output.contains("done 0, "))
        #expect(excluded.output.contains("already done 3; skipped 2; failed 0\n"))
        #expect(excluded.output.contains("skipped 1: left out by --exclude\n"))
    }

    @Test("each file that is skipped has a reason", .proves("OPR-16"))
    func reasons() throws {
        try put(Data("notes, and more notes".utf8), "small.txt")
        try put(Data(String(repeating: "all work and no play ", count: 512).utf8), "text.txt")
        try put(Data(), "empty")
        try put(Data([0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa]) + photo, "a.png")
        try FileManager.default.copyItem(atPath: fixture.plain, toPath: folder + "/plain.sqlite")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/nowhere", withDestinationPath: "absent")
        let run = try rotate("--json")
        #expect(run.exitCode == .done, "\(run.errors)")
        let all = try objects(run)
        let sum = try #require(all.last)
        #expect(sum["outcome"] as? String == "sum" && sum["seen"] as? Int == all.count - 1)
        #expect(sum["rotated"] as? Int == 3 && sum["skipped"] as? Int == 6)
        var reasons: [String: String] = [:]
        for object in all {
            guard let path = object["file"] as? String else { continue }
            let name = URL(fileURLWithPath: path).lastPathComponent
            reasons[name] = object["reason"] as? String ?? ""
        }
        #expect(reasons["small.txt"] == "files that are too small for a database")
        #expect(reasons["text.txt"] == "files that do not look encrypted")
        #expect(reasons["a.png"] == "PNG pictures")
        #expect(reasons["plain.sqlite"] == "databases that are not encrypted")
        #expect(reasons["nowhere"] == "links that lead nowhere")
    }

    @Test("a name that is no text has its bytes in JSON", .proves("OPR-16", "OPR-19"))
    func bytes() throws {
        let result = try Subprocess.run(
            "sh",
            ["-c", "cp \"$1\" \"$2/$(printf 'caf\\351.db')\"", "sh", fixture.database, folder])
        #expect(result.isSuccess)
        let run = try rotate("--json")
        #expect(run.exitCode == .done, "\(run.errors)")
        let object = try #require(try objects(run).first { $0["fileBytes"] != nil })
        #expect(object["outcome"] as? String == "rotated")
        #expect(object["file"] as? String == folder + "/caf\\xE9.db")
        let bytes = Data(folder.utf8) + Data("/caf".utf8) + [0xe9] + Data(".db".utf8)
        #expect(object["fileBytes"] as? String == bytes.base64EncodedString())
        #expect(try rotate("--exclude", "caf*").exitCode == .done)
    }

    @Test("a file with a second name stays, and is told", .proves("OPR-16"))
    func hardLinks() throws {
        try FileManager.default.linkItem(atPath: folder + "/a.db", toPath: folder + "/second.db")
        let run = try rotate()
        #expect(run.exitCode != .done)
        #expect(run.errors.contains("a.db") && run.errors.contains("name"), "\(run.errors)")
        #expect(run.output.contains("4 files seen: done 2, "), "\(run.output)")
        #expect(run.output.contains("skipped 1: second names of files already counted\n"))
    }

    @Test("a dry run sums sizes and time up", .proves("OPR-16"))
    func dryRun() throws {
        let run = try rotate("--dry-run")
        #expect(run.exitCode == .done)
        #expect(
            run.output.contains(#/3 files seen: to do 3, 4[0-9.]+ .B, about \d+ s; already /#),
            "\(run.output)")
        let json = try #require(try objects(rotate("--dry-run", "--json")).last)
        #expect(json["planned"] as? Int == 3 && json["byteCount"] as? Int == 3 * 4 * 4096)
        #expect(json["seconds"] is Double)
        let shell = SQLCipherShell(path: folder + "/a.db", key: .content(CommandLineFixture.key))
        #expect(try shell.cell("SELECT count(*) FROM album") == 3)
    }

    @Test("keys given the wrong way round change nothing, and are suspected", .proves("OPR-12"))
    func wrongWayRound() throws {
        let run = try CommandRun(
            ["rotate-key", folder, "--key-file", newKey, "--new-key-file", fixture.keyFile])
        #expect(run.exitCode == .done && run.errors.contains("wrong way round"), "\(run.errors)")
        #expect(!(try rotate().errors.contains("wrong way round")))
    }
}
