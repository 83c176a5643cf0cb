import Foundation
import StrongroomTestSupport
import Testing

/// The example of a shared list in two windows: two processes, each with a file of its own, and one folder.
@Suite("The example of a shared list", .timeLimit(.minutes(30)))
struct SharedListTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "hub"), withIntermediateDirectories: false)
    }

    private func window(_ name: String, _ words: String...) throws -> TerminalSession {
        try TerminalSession(
            PackageFiles.program("SharedList"),
            ["\(name).db", "--keys", "\(name)-keys", "--hub", folder.path(of: "hub")] + words,
            in: folder.path)
    }

    @Test("what is typed in one window appears in the other", .proves("SYN-272", "SYN-110"))
    func twoWindows() throws {
        let left = try window("left")
        try left.wait(untilShown: "0 open")
        try left.type("add Milk\n")
        try left.wait(untilShown: "1 [ ] Milk\n1 open")
        try left.type("invite\n")
        try left.wait(untilShown: "has to show")
        let ticket = try #require(
            left.screen.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("srs1") })

        let right = try window("right", "--join", String(ticket))
        try right.wait(untilShown: "1 [ ] Milk\n1 open")
        try right.type("add Eggs\n")
        try left.wait(untilShown: "1 [ ] Eggs\n2 [ ] Milk\n2 open")
        try left.type("done 2\n")
        try right.wait(untilShown: "1 [ ] Eggs\n2 [x] Milk\n1 open")
        try right.type("remove 1\n")
        try left.wait(untilShown: "1 [x] Milk\n0 open")
        try right.type("remove 7\nwhat\n")
        try right.wait(untilShown: "there is no line 7")
        try right.wait(untilShown: "invite        print a ticket")

        // A window that is closed goes on where it was.
        try right.type("quit\n")
        #expect(try right.wait() == 0)
        try left.type("add Tea\n")
        try left.wait(untilShown: "2 [ ] Tea\n1 open")
        let again = try window("right")
        try again.wait(untilShown: "1 [x] Milk\n2 [ ] Tea\n1 open")
        for window in [left, again] {
            try window.type("\u{04}")
            #expect(try window.wait() == 0)
        }
    }

    @Test("says what is wrong with its words")
    func usage() throws {
        for words in [[], ["--hub"], ["a.db", "b.db"], ["a.db", "--keys", "k"]] {
            let result = try Subprocess.run(PackageFiles.program("SharedList"), words)
            #expect(result.status == .exited(2) && result.errorText.contains("usage: SharedList"))
        }
        let ticket = try Subprocess.run(
            PackageFiles.program("SharedList"),
            ["a.db", "--keys", "k", "--hub", folder.path(of: "hub"), "--join", "srs1nothing"],
            workingDirectory: folder.path)
        #expect(ticket.status == .exited(1) && ticket.errorText.contains("ticket"))
    }
}
