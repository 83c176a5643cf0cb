import Foundation
import StrongroomTestSupport
import Testing

@Suite("Running programs in tests")
struct SubprocessTests {
    @Test("Streams, further descriptors, environment, directory and status pass through")
    func everythingPassesThrough() throws {
        let directory = try TemporaryDirectory()
        let result = try Subprocess.run(
            "sh", ["-c", "cat; cat <&5; echo $COLOUR >&2; pwd; exit 3"],
            environment: ["COLOUR": "blue", "PATH": "/usr/bin:/bin"],
            workingDirectory: directory.path,
            input: Data("in ".utf8), descriptors: [5: Data("five\n".utf8)])
        #expect(result.status == .exited(3))
        #expect(result.outputText.hasPrefix("in five\n"))
        #expect(result.outputText.hasSuffix(directory.path + "\n"))
        #expect(result.errorText == "blue\n")
    }

    @Test("More than a pipe holds goes in and comes out")
    func largeStreams() throws {
        let input = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(try Subprocess.run("cat", input: input).output == input)
        #expect(try Subprocess.run("true", input: input).isSuccess)
    }

    @Test("A signal reaches a program that has said it is ready")
    func signals() throws {
        let process = try Subprocess(starting: "sh", ["-c", "echo ready; exec cat /dev/zero >&2"])
        try process.wait(untilWritten: "ready")
        process.signal(SIGTERM)
        #expect(try process.wait().status == .killed(signal: SIGTERM))
    }

    @Test("A program that does not end in time is an error, and a missing one as well")
    func failures() throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path(of: "pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: Subprocess.TimedOut.self) {
            try Subprocess.run("sh", ["-c", "read line < \(pipe)"], timeout: .milliseconds(50))
        }
        #expect(throws: SystemCallError.self) { try Subprocess.run("no-such-program") }
    }

    @Test("A closed descriptor is closed, and SIGPIPE does what it does by default")
    func closedDescriptor() throws {
        #expect(try !Subprocess.run("sh", ["-c", "echo a"], closing: [1]).isSuccess)
        let result = try Subprocess.run("sh", ["-c", "kill -PIPE $$; echo survived"])
        #expect(result.status == .killed(signal: SIGPIPE))
    }
}
