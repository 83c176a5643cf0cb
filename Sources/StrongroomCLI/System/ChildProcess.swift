import LibC
import StrongroomCore

/// A running shell command whose standard output is read through a pipe.
struct ChildProcess {
    enum Ending: Equatable, CustomStringConvertible {
        case exited(Int32)
        case killed(Int32)

        var description: String {
            switch self {
            case .exited(let status): "failed with exit status \(status)"
            case .killed(let signal): "was killed by signal \(signal)"
            }
        }
    }

    let output: Descriptor
    /// What it reads; nil if it reads this process's standard input, or nothing.
    private let input: Descriptor?
    private let id: pid_t

    /// - Parameters:
    ///   - hasInput: Whether ``feed(_:)`` gives it its standard input, instead of this process's.
    ///   - keys: What it does not inherit.
    init(
        shellCommand: String, hasInput: Bool = false, withholding keys: WithheldKeys
    ) throws(SystemError) {
        let results = try Self.pipe()
        output = results.reader
        defer { results.writer.close() }
        var feeding: (reader: Descriptor, writer: Descriptor)?
        do throws(SystemError) {
            if hasInput { feeding = try Self.pipe() }
            input = feeding?.writer
            id = try ProgramStart.spawn(
                ["/bin/sh", "-c", shellCommand], handing: results.writer, as: 1,
                input: feeding?.reader, hidesInput: keys.descriptors.contains(0),
                withholding: keys)
            feeding?.reader.close()
        } catch {
            output.close()
            feeding?.reader.close()
            feeding?.writer.close()
            throw error
        }
    }

    /// Writes all that it has to read: at most as much as a pipe holds, so that nobody waits for it.
    func feed(_ bytes: UnsafeRawBufferPointer) {
        // A command that does not read it says by what it prints that it went wrong.
        try? input?.write(bytes)
        input?.close()
    }

    /// Both ends are inherited by no other program.
    private static func pipe() throws(SystemError) -> (reader: Descriptor, writer: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard LibC.pipe(&ends) == 0 else { throw .last("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (Descriptor(number: ends[0]), Descriptor(number: ends[1]))
    }

    func terminate() {
        kill(id, SIGTERM)
    }

    func wait() -> Ending {
        output.close()
        let (status, signal) = waitForEnd(of: id)
        return signal == 0 ? .exited(status) : .killed(signal)
    }
}
