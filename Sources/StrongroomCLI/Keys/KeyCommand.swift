import StrongroomCore

/// A shell command that prints a key, such as `pass show app`.
///
/// It shares standard input, standard error and the terminal, so that it can ask for what it needs;
/// its output goes to nobody else, and no message repeats it. It gets no variable and no descriptor
/// that holds another key.
struct KeyCommand {
    private let command: String

    init(_ command: String) {
        self.command = command
    }

    func output(
        limit: Int, withholding keys: WithheldKeys, _ cancellation: Cancellation
    ) throws(Failure) -> SecretBytes {
        let child: ChildProcess
        do throws(SystemError) {
            child = try ChildProcess(shellCommand: command, withholding: keys)
        } catch {
            throw Failure(.failed, "cannot run the key command: \(error.reason)")
        }
        var bytes: SecretBytes?
        var failure: Descriptor.ReadingError?
        do throws(Descriptor.ReadingError) {
            bytes = try child.output.readSecret(limit: limit, cancellation)
        } catch {
            failure = error
            child.terminate()
        }
        let ending = child.wait()
        if let failure { throw failure.failure(reading: "the key command's output") }
        try cancellation.check()
        guard ending == .exited(0), let secret = bytes.take() else {
            throw Failure(
                .failed, "the key command \(ending)", hint: "run it separately to see why")
        }
        return secret
    }
}
