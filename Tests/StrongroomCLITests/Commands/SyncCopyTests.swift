import Foundation
import StrongroomTestSupport
import Testing

/// Files that are copied and put back while real processes of the tool write and exchange.
@Suite struct SyncCopyTests {
    private let fixture: CommandLineFixture
    private let hub: String

    init() throws {
        fixture = try CommandLineFixture()
        hub = fixture.path("hub")
        try FileManager.default.createDirectory(atPath: hub, withIntermediateDirectories: false)
        try shell("a.db").create(
            """
            CREATE TABLE note (id TEXT PRIMARY KEY NOT NULL, text TEXT, stars INTEGER NOT NULL DEFAULT 0);
            """)
        try #require(try tool("init", "a.db", "--hub", "hub", "--all").status == .exited(0))
        try join("b.db")
        try exchange("a.db")
    }

    private func shell(_ name: String) -> SQLCipherShell {
        SQLCipherShell(path: fixture.path(name), key: .content(CommandLineFixture.key))
    }

    private func tool(_ words: String...) throws -> Subprocess.Result {
        try start(words).wait()
    }

    private func start(_ words: [String]) throws -> Subprocess {
        try Subprocess(
            starting: PackageFiles.program("strongroom"),
            ["sync"] + words + ["--key-file", fixture.keyFile],
            workingDirectory: fixture.directory.path)
    }

    private func join(_ name: String) throws {
        let ticket = try tool("invite", "a.db", "--device").outputText
            .trimmingCharacters(in: .newlines)
        let joined = try tool("join", ticket, name)
        try #require(joined.status == .exited(0), "\(joined.errorText)")
    }

    private func exchange(_ name: String) throws {
        let once = try tool("once", name)
        #expect(once.status == .exited(0), "\(name): \(once.errorText)")
    }

    /// Copies a file as a person does: all that belongs to the database, and not the lock.
    private func copy(_ name: String, to other: String) throws {
        for end in ["", "-wal", "-journal"] {
            let (from, to) = (fixture.path(name + end), fixture.path(other + end))
            if FileManager.default.fileExists(atPath: to) {
                try FileManager.default.removeItem(atPath: to)
            }
            guard FileManager.default.fileExists(atPath: from) else { continue }
            try FileManager.default.copyItem(atPath: from, toPath: to)
        }
    }

    private func runs() throws -> Int {
        let space = try #require(try FileManager.default.contentsOfDirectory(atPath: hub).first)
        return try FileManager.default.contentsOfDirectory(atPath: "\(hub)/\(space)/log").count
    }

    private func expectEqual(_ names: [String], _ notes: Set<String>) throws {
        for _ in 0..<3 { for name in names { try exchange(name) } }
        for name in names {
            let rows = try shell(name).rows("SELECT id || ' ' || text FROM note ORDER BY id")
            #expect(Set(rows) == Set(notes.map { [.text($0)] }), "\(name)")
            #expect(rows.count == notes.count)
            #expect(try tool("verify", name).status == .exited(0))
        }
    }

    @Test(.proves("SYN-115", "SYN-116"))
    func `a copy and the original send under runs of their own, at the same time`() throws {
        try shell("a.db").run("INSERT INTO note VALUES ('1', 'before', 0)")
        try exchange("a.db")
        try shell("a.db").run("INSERT INTO note VALUES ('2', 'not sent', 0)")
        try copy("a.db", to: "c.db")
        try shell("a.db").run("INSERT INTO note VALUES ('3', 'original', 0)")
        try shell("c.db").run("INSERT INTO note VALUES ('4', 'copy', 0)")
        let before = try runs()
        let both = try ["a.db", "c.db"].map { try start(["once", $0]) }
        for process in both {
            let result = try process.wait()
            #expect(result.status == .exited(0), "\(result.errorText)")
        }
        // The copy has begun a run; the original, whose witness lies beside it, has not.
        #expect(try runs() == before + 1)
        try expectEqual(
            ["a.db", "b.db", "c.db"], ["1 before", "2 not sent", "3 original", "4 copy"])
    }

    @Test(.proves("SYN-115"))
    func `a file that was put back begins a run before it makes a batch`() throws {
        try shell("a.db").run("INSERT INTO note VALUES ('1', 'before', 0)")
        try exchange("a.db")
        try copy("a.db", to: "kept.db")
        try shell("a.db").run("INSERT INTO note VALUES ('2', 'lost and sent', 0)")
        try exchange("a.db")
        let before = try runs()
        try copy("kept.db", to: "a.db")
        try shell("a.db").run("INSERT INTO note VALUES ('3', 'after', 0)")
        try expectEqual(["a.db", "b.db"], ["1 before", "2 lost and sent", "3 after"])
        #expect(try runs() == before + 1)
    }

    @Test(.proves("SYN-115", "SYN-116"), .serialized, arguments: [1, 2, 3])
    func `copies that live side by side lose nothing`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var names = ["a.db", "b.db"]
        var notes: Set<String> = []
        for round in 0..<12 {
            let name = random.pick(names)
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where names.count < 4:
                // What was not sent is in both.
                try copy(name, to: "copy\(round).db")
                names.append("copy\(round).db")
            case 1:
                // Only what was sent may be put back: the rest is gone with the file.
                try exchange(name)
                try copy(name, to: "kept.db")
                try shell(name).run("INSERT INTO note VALUES ('\(round)', 'sent', 0)")
                notes.insert("\(round) sent")
                try exchange(name)
                try copy("kept.db", to: name)
            default:
                try shell(name).run("INSERT INTO note VALUES ('\(round)', '\(name)', 0)")
                notes.insert("\(round) \(name)")
            }
            if Bool.random(using: &random) {
                let both = try names.shuffled(using: &random).prefix(2).map {
                    try start(["once", $0])
                }
                for process in both {
                    let result = try process.wait()
                    #expect(result.status == .exited(0), "\(result.errorText)")
                }
            }
        }
        try expectEqual(names, notes)
    }

    @Test(.proves("SYN-167", "SYN-270"))
    func `a hub that was put back is named, with status 22`() throws {
        try exchange("b.db")
        try copyFolder("hub", to: "old")
        try shell("b.db").run("INSERT INTO note VALUES ('1', 'by b', 0)")
        try exchange("b.db")
        try exchange("a.db")
        try FileManager.default.removeItem(atPath: hub)
        try copyFolder("old", to: "hub")
        let once = try tool("once", "a.db")
        #expect(once.status == .exited(22))
        let status = try tool("status", "a.db")
        #expect(status.status == .exited(22))
        #expect(status.outputText.contains("the hub has lost batch 1 of the device "))
        try exchange("b.db")
        try exchange("a.db")
        #expect(try tool("status", "a.db").status == .exited(0))
        try expectEqual(["a.db", "b.db"], ["1 by b"])
    }

    private func copyFolder(_ name: String, to other: String) throws {
        try FileManager.default.copyItem(
            atPath: fixture.path(name), toPath: fixture.path(other))
    }
}
