import Foundation
import StrongroomTestSupport
import Testing

/// The session of the guide, typed on a terminal by somebody who then loses all but the code.
@Suite struct KeyringSessionTests {
    private static let anna = KeyringFixture.anna
    private static let new = KeyringFixture.berta
    private static let last = "glacier pepper lantern orchid magnet"
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    /// Types answers to questions; each is a part of the question and what is typed.
    @discardableResult
    private func typed(
        _ line: String, _ answers: (question: String, text: String)...
    ) throws -> String {
        let words = line.split(separator: " ").map(String.init)
        let session = try TerminalSession(
            PackageFiles.program("strongroom"), words, in: fixture.directory.path)
        for answer in answers {
            try session.wait(untilShown: answer.question)
            try session.type(answer.text + "\n")
        }
        #expect(try session.wait() == 0, "\(line): \(session.screen)")
        for answer in answers { #expect(!session.screen.contains(answer.text)) }
        return session.screen
    }

    private func status(_ words: String..., key: String) throws -> Subprocess.Status {
        try Subprocess.run(
            PackageFiles.program("strongroom"), words + ["--key-env", "KEY"],
            environment: ["PATH": "/usr/bin:/bin", "KEY": key],
            workingDirectory: fixture.directory.path
        ).status
    }

    /// Asks for a code, and types the group back that is asked for.
    private func recoveryCode(_ line: String) throws -> String {
        let session = try TerminalSession(
            PackageFiles.program("strongroom"), line.split(separator: " ").map(String.init),
            in: fixture.directory.path)
        try session.wait(untilShown: " of it: ")
        let match = try #require(
            session.screen.firstMatch(of: #/Recovery code: ([A-Z0-9-]{39}) .* group (\d) of it: /#))
        let code = String(match.1)
        let groups = code.split(separator: "-")
        #expect(groups.count == 8)
        let index = try #require(Int(match.2))
        // In any case, as all of the code.
        try session.type(groups[index - 1].lowercased() + "\n")
        #expect(try session.wait() == 0, "\(session.screen)")
        #expect(session.screen.contains("the recovery code opens shop.db"))
        return code
    }

    @Test(
        "A session from init to a rotation, and back from the code alone",
        .proves("KSL-035", "KSL-040", "KSL-050", "RCV-003", "RCV-009"))
    func session() throws {
        let asked = "Passphrase, key or recovery code of shop.db: "
        try typed("key init shop.db --key-file shop.key")
        try typed(
            "key add shop.db --key-file shop.key --passphrase anna",
            ("New key of the slot “anna”: ", Self.anna), ("The same again: ", Self.anna))
        try typed(
            "key add shop.db --recipient \(KeyringFixture.recipient) --name bob",
            (asked, Self.anna))
        let code = try recoveryCode("key recovery shop.db --key-file shop.key")
        let list = try typed("key list shop.db")
        for name in ["anna", "bob", "recovery"] { #expect(list.contains(name)) }
        #expect(try typed("key test shop.db", (asked, Self.anna)).contains("“anna” (passphrase)"))
        try typed("key remove shop.db bob --rotate", (asked, Self.anna))
        #expect(try status("check", "shop.db", key: KeyringFixture.identity) == .exited(12))
        try typed(
            "key change shop.db", (asked, Self.anna), ("New key of the slot", Self.new),
            ("The same again: ", Self.new))
        #expect(try status("key", "test", "shop.db", key: Self.anna) == .exited(12))
        try typed("rotate-key shop.db", (asked, code))
        try typed("rotate-key shop.db --key-file shop.key")
        #expect(try status("check", "shop.db", key: Self.new) == .exited(0))

        // All is lost but the code.
        try FileManager.default.removeItem(atPath: fixture.keyFile)
        try typed(
            "key change shop.db --name me", (asked, code.lowercased()),
            ("New key of the slot “me”: ", Self.last), ("The same again: ", Self.last))
        let rows = try typed(
            "query shop.db SELECT/**/count(*)FROM/**/album --csv", (asked, Self.last))
        #expect(rows.split(whereSeparator: \.isNewline).last == "3")
    }
}
