import LibC
import StrongroomCore

/// A program that takes over the terminal until it ends, and reads something from a pipe.
///
/// It is in this process's group: Ctrl-C and Ctrl-Z on the terminal reach both. This process does not
/// end by Ctrl-C meanwhile, as a shell does not.
struct ForegroundProcess {
    /// Where it finds the pipe.
    static let handedDescriptor: Int32 = 3
    static let handedPath = "/dev/fd/\(handedDescriptor)"
    /// What a pipe takes before anybody reads.
    private static let pipeByteCount = 4096 * 4

    private let id: pid_t

    /// - Parameters:
    ///   - words: The program, sought in `PATH`, and its arguments.
    ///   - secret: What it reads from ``handedPath``; it is in no argument, variable or file.
    ///   - variables: What it gets besides the variables of this process.
    ///   - keys: What it does not inherit.
    init(
        _ words: [String], handing secret: borrowing SecretBytes, variables: [String: String],
        withholding keys: WithheldKeys
    ) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .last("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reader, writer) = (Descriptor(number: ends[0]), Descriptor(number: ends[1]))
        defer { reader.close() }
        guard secret.count <= Self.pipeByteCount else {
            writer.close()
            throw SystemError("write", "", number: EFBIG)
        }
        do throws(SystemError) {
            try secret.withUnsafeBytes { bytes throws(SystemError) in try writer.write(bytes) }
        } catch {
            writer.close()
            throw error
        }
        writer.close()
        id = try ProgramStart.spawn(
            words, handing: reader, as: Self.handedDescriptor, variables: variables,
            withholding: keys)
    }

    func signal(_ number: Int32) {
        kill(id, number)
    }

    /// The exit status, or 128 and the number of the signal that ended it, as shells have it.
    func wait() -> Int32 {
        let (status, signal) = waitForEnd(of: id)
        return signal == 0 ? status : 128 + signal
    }
}
