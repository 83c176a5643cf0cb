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
    private let id: pid_t

    /// - Parameter keys: What it does not inherit.
    init(shellCommand: String, withholding keys: WithheldKeys) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .last("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let writer = Descriptor(number: ends[1])
        output = Descriptor(number: ends[0])
        defer { writer.close() }
        do throws(SystemError) {
            id = try ProgramStart.spawn(
                ["/bin/sh", "-c", shellCommand], handing: writer, as: 1,
                hidesInput: keys.descriptors.contains(0), withholding: keys)
        } catch {
            output.close()
            throw error
        }
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
