import Foundation
import StrongroomTestSupport
import Testing

@Suite("A key command", .proves("HST-51"))
struct WithheldKeyTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    private func said() throws -> String {
        try String(contentsOfFile: fixture.path("said"), encoding: .utf8)
    }

    private func rotate(
        _ command: String, _ words: String..., environment: [String: String] = [:],
        input: String = "", descriptors: [Int32: Data] = [:]
    ) throws {
        let result = try Subprocess.run(
            PackageFiles.program("strongroom"),
            ["rotate-key", "shop.db", "--key-command", command + "; cat shop.key"] + words,
            environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 },
            workingDirectory: fixture.directory.path, input: Data(input.utf8),
            descriptors: descriptors)
        #expect(result.isSuccess, "\(result.errorText)")
        let shell = SQLCipherShell(
            path: fixture.database, key: .content(CommandLineFixture.otherKey))
        #expect(try shell.cell("SELECT count(*) FROM album") == 3)
    }

    @Test("does not get the variable with the other key")
    func variable() throws {
        try rotate(
            "env >said", "--new-key-env", "NEW",
            environment: ["NEW": CommandLineFixture.otherKey, "NEWER": "stays"])
        #expect(try !said().contains("0ddba11f"))
        #expect(try said().contains("NEWER=stays"))
    }

    @Test("does not get the descriptor with the other key")
    func descriptor() throws {
        try rotate(
            "(cat <&5) >said 2>/dev/null", "--new-key-fd", "5",
            descriptors: [5: Data(CommandLineFixture.otherKey.utf8)])
        #expect(try said() == "")
    }

    @Test("does not get the other key from standard input")
    func standardInput() throws {
        try rotate("cat >said", "--new-key-fd", "0", input: CommandLineFixture.otherKey)
        #expect(try said() == "")
    }

    @Test("is started by a program that writes no reports of crashes")
    func crashReports() throws {
        let key = CommandLineFixture.otherKey
        try rotate(
            "grep SigCgt /proc/$PPID/status >said", "--new-key-env", "NEW",
            environment: ["NEW": key, "SWIFT_BACKTRACE": "enable=yes"])
        let mask = try #require(UInt64(said().split(separator: "\t")[1].dropLast(), radix: 16))
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] {
            #expect(mask & 1 << (UInt64(number) - 1) == 0, "signal \(number)")
        }
    }
}
