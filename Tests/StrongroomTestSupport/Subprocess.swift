public import Foundation

/// Another program, run as a person would run it: its streams, its status, and signals to it.
///
/// Output is collected while one of the methods waits; nothing runs in the background. A process
/// that outlives its time is killed, and one that is still running at the end of the test as well.
public final class Subprocess {
    /// How a program ended, and what it wrote.
    public struct Result: Sendable {
        public var status: Status
        public var output: Data
        public var errors: Data

        public var outputText: String { String(decoding: output, as: UTF8.self) }
        public var errorText: String { String(decoding: errors, as: UTF8.self) }
        public var isSuccess: Bool { status == .exited(0) }
    }

    public enum Status: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    public struct TimedOut: Error, CustomStringConvertible {
        public let description: String
    }

    public let processIdentifier: pid_t
    public private(set) var output = Data()
    public private(set) var errors = Data()

    private let program: String
    private var status: Status?
    private var inputs: [Feed]
    private var outputDescriptor: Int32?
    private var errorDescriptor: Int32?

    /// Starts a program.
    ///
    /// - parameters:
    ///     - program: a path, or a name that is looked up in `PATH`.
    ///     - environment: the whole environment; that of the tests when nil.
    ///     - input: what the program reads from its standard input, which ends after that.
    ///     - descriptors: what it reads from further file descriptors, as with `3<file` in a shell.
    ///     - closing: the standard descriptors that it starts without.
    public init(
        starting program: String, _ arguments: [String] = [],
        environment: [String: String]? = nil,
        workingDirectory: String? = nil,
        input: Data = Data(),
        descriptors: [Int32: Data] = [:],
        closing: Set<Int32> = []
    ) throws {
        Self.ignoreBrokenPipes
        var plan = try SpawnPlan()
        defer { plan.closeChildEnds() }
        self.program = program
        var inputs: [Feed] = []
        for (number, content) in descriptors.merging([0: input], uniquingKeysWith: { $1 }) {
            guard !closing.contains(number) else { continue }
            inputs.append(Feed(descriptor: try plan.pipeToChild(as: number), content: content))
        }
        self.inputs = inputs
        outputDescriptor = closing.contains(1) ? nil : try plan.pipeFromChild(as: 1)
        errorDescriptor = closing.contains(2) ? nil : try plan.pipeFromChild(as: 2)
        for number in closing { try plan.close(number) }
        // The shell changes to the directory and becomes the program.
        let change = workingDirectory.map { ["sh", "-c", #"cd "$0" && exec "$@""#, $0] } ?? []
        let command = change + [program] + arguments
        processIdentifier = try plan.spawn(
            command[0], Array(command.dropFirst()),
            environment: environment ?? ProcessInfo.processInfo.environment)
    }

    deinit {
        if status == nil {
            _ = kill(processIdentifier, SIGKILL)
            var code: Int32 = 0
            _ = waitpid(processIdentifier, &code, 0)
        }
        for feed in inputs { close(feed.descriptor) }
        for descriptor in [outputDescriptor, errorDescriptor] {
            if let descriptor { close(descriptor) }
        }
    }

    /// Runs a program to its end.
    public static func run(
        _ program: String, _ arguments: [String] = [],
        environment: [String: String]? = nil,
        workingDirectory: String? = nil,
        input: Data = Data(),
        descriptors: [Int32: Data] = [:],
        closing: Set<Int32> = [],
        timeout: Duration = .seconds(60)
    ) throws -> Result {
        try Subprocess(
            starting: program, arguments, environment: environment,
            workingDirectory: workingDirectory, input: input, descriptors: descriptors,
            closing: closing
        ).wait(timeout: timeout)
    }

    /// Waits for the end of the program.
    public func wait(timeout: Duration = .seconds(60)) throws -> Result {
        try pump(timeout: timeout) { self.status != nil }
        guard let status else { throw timedOut("end", timeout) }
        return Result(status: status, output: output, errors: errors)
    }

    /// Waits until the program has written that text, to its output or to its errors.
    public func wait(untilWritten text: String, timeout: Duration = .seconds(60)) throws {
        let wanted = Data(text.utf8)
        func isWritten() -> Bool {
            output.range(of: wanted) != nil || errors.range(of: wanted) != nil
        }
        try pump(timeout: timeout) { isWritten() || self.status != nil }
        guard isWritten() else { throw timedOut("write \(text.debugDescription)", timeout) }
    }

    /// Waits until something is so that the program does; it is asked every 10 ms.
    public func wait(
        until what: String, timeout: Duration = .seconds(60), _ isSo: () throws -> Bool
    ) throws {
        var found = Swift.Result<Bool, any Error>.success(false)
        try pump(timeout: timeout) {
            found = Swift.Result { try isSo() }
            return (try? found.get()) != false || status != nil
        }
        guard try found.get() else { throw timedOut(what, timeout) }
    }

    /// Sends a signal, unless the program has ended.
    public func signal(_ number: Int32) {
        if status == nil { _ = kill(processIdentifier, number) }
    }

    private func timedOut(_ what: String, _ timeout: Duration) -> TimedOut {
        signal(SIGKILL)
        return TimedOut(
            description: """
                \(program) did not \(what) within \(timeout) or before its end. \
                Output: \(String(decoding: output, as: UTF8.self)) \
                Errors: \(String(decoding: errors, as: UTF8.self))
                """)
    }

    // A program that does not read its input must not end the tests.
    private static let ignoreBrokenPipes: Void = {
        _ = Foundation.signal(SIGPIPE, SIG_IGN)
    }()
}

// MARK: - Moving bytes

extension Subprocess {
    /// What remains to be written to one of the program's descriptors.
    struct Feed {
        var descriptor: Int32
        var content: Data
    }

    private func pump(timeout: Duration, until isDone: () -> Bool) throws {
        let deadline = ContinuousClock.now + timeout
        while true {
            // In this order: what an ended program has written is complete.
            if status == nil { status = try endedStatus() }
            moveBytes()
            if isDone() || ContinuousClock.now >= deadline { return }
            waitForBytes()
        }
    }

    private func endedStatus() throws -> Status? {
        var code: Int32 = 0
        switch waitpid(processIdentifier, &code, WNOHANG) {
        case 0: return nil
        case processIdentifier:
            let signal = code & 0x7f
            return signal == 0 ? .exited((code >> 8) & 0xff) : .killed(signal: signal)
        default: throw SystemCallError("waitpid")
        }
    }

    private func waitForBytes() {
        var polled: [pollfd] = inputs.map {
            pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0)
        }
        for descriptor in [outputDescriptor, errorDescriptor] {
            if let descriptor {
                polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            }
        }
        // The end of a process is no event of a descriptor, so look again soon.
        _ = poll(&polled, nfds_t(polled.count), 10)
    }

    private func moveBytes() {
        inputs = inputs.compactMap { feed in
            var feed = feed
            while !feed.content.isEmpty {
                let count = feed.content.withUnsafeBytes {
                    write(feed.descriptor, $0.baseAddress, $0.count)
                }
                if count < 0, errno == EAGAIN { return feed }
                if count <= 0 { break }
                feed.content = Data(feed.content.dropFirst(count))
            }
            close(feed.descriptor)
            return nil
        }
        drain(&outputDescriptor, into: &output)
        drain(&errorDescriptor, into: &errors)
    }

    private func drain(_ descriptor: inout Int32?, into data: inout Data) {
        guard let open = descriptor else { return }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(open, &buffer, buffer.count)
            if count > 0 {
                data.append(contentsOf: buffer[..<count])
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                return
            } else {
                close(open)
                descriptor = nil
                return
            }
        }
    }
}
