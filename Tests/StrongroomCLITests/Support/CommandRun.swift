import Foundation
import Strongroom
import StrongroomCLI

/// A command line carried out inside the tests, with everything around it replaced.
struct CommandRun {
    let exitCode: ExitCode
    let output: String
    let errors: String

    /// What a command line meets: nothing of the machine but its files.
    struct World {
        var variables: [String: String] = [:]
        /// Variables that are no secrets.
        var settings = ["STRONGROOM_STATE": "none"]
        /// What is typed where a key is asked for; nil for no terminal.
        var answers: [String]?
        var input = ""
        var cancellation = Cancellation()
        /// The width of a terminal that shows progress.
        var progressColumns: Int?
        /// The width of a terminal that shows results.
        var outputColumns: Int?
        /// Called before every write to standard error.
        var onError: () -> Void = {}
    }

    init(_ words: [String], in world: World = World()) throws {
        let output = Collector()
        let errors = Collector()
        let input = Pipe()
        // What other tests start must not keep it open.
        for handle in [input.fileHandleForReading, input.fileHandleForWriting] {
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        try input.fileHandleForWriting.write(contentsOf: Data(world.input.utf8))
        try input.fileHandleForWriting.close()
        let terminal = Terminal(answers: world.answers)
        var clock = Duration.zero
        var context = CommandContext(
            output: TextOutput(name: "standard output") { output.append($0) },
            errors: TextOutput(name: "standard error", capacity: 0) {
                world.onError()
                errors.append($0)
            },
            input: Descriptor(number: input.fileHandleForReading.fileDescriptor),
            takeVariable: { name in world.variables[name].map { Self.secret($0) } },
            askSecret: { prompt throws(Failure) in try terminal.ask(prompt, errors) },
            progressColumns: { world.progressColumns },
            // A second passes between any two looks at the clock.
            now: {
                clock += .seconds(1)
                return clock
            },
            cancellation: world.cancellation, variable: { world.settings[$0] })
        context.outputColumns = { world.outputColumns }
        exitCode = Program.run(words, in: context)
        self.output = output.text
        self.errors = errors.text
    }

    /// The output as JSON.
    var json: Any? {
        try? JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
    }

    static func secret(_ text: String) -> SecretBytes {
        var secret = SecretBytes(capacity: text.utf8.count)
        for byte in text.utf8 { secret.append(byte) }
        return secret
    }
}

extension CommandRun {
    /// Bytes that were written.
    private final class Collector {
        private var bytes: [UInt8] = []

        var text: String { String(decoding: bytes, as: UTF8.self) }

        func append(_ more: UnsafeRawBufferPointer) { bytes += more }

        func append(_ text: String) { bytes += Array(text.utf8) }
    }

    /// Someone who types answers; the prompts show among the errors, as on a terminal.
    private final class Terminal {
        private var answers: [String]?

        init(answers: [String]?) {
            self.answers = answers
        }

        func ask(_ prompt: String, _ screen: Collector) throws(Failure) -> SecretBytes {
            guard let remaining = answers else { throw Failure(.usage, "there is no terminal") }
            screen.append(prompt + "\n")
            guard let answer = remaining.first else { throw Failure(.failed, "no key was typed") }
            answers?.removeFirst()
            return CommandRun.secret(answer)
        }
    }
}
