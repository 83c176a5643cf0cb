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

    #if canImport(Glibc)
    @Test("A program has what it is given, and nothing that happens to be open")
    func othersAreClosed() throws {
        let directory = try TemporaryDirectory()
        try Data().write(to: URL(fileURLWithPath: directory.path(of: "open")))
        // Neither is close-on-exec.
        let first = open(directory.path(of: "open"), O_RDONLY)
        let second = fcntl(first, F_DUPFD, 100)
        defer { for descriptor in [first, second] { close(descriptor) } }
        #expect(fcntl(second, F_GETFD) == 0)
        let result = try Subprocess.run(
            "sh", ["-c", "ls -l /proc/$$/fd"], descriptors: [200: Data("x".utf8)])
        #expect(!result.outputText.contains(directory.path))
        #expect(result.outputText.contains(" 200 -> pipe:"))
    }
    #endif

    @Test("A closed descriptor is closed, and SIGPIPE does what it does by default")
    func closedDescriptor() throws {
        #expect(try !Subprocess.run("sh", ["-c", "echo a"], closing: [1]).isSuccess)
        let result = try Subprocess.run("sh", ["-c", "kill -PIPE $$; echo survived"])
        #expect(result.status == .killed(signal: SIGPIPE))
    }
}
