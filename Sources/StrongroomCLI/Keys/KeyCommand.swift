import StrongroomCore

/// A shell command that prints a key, such as `pass show app`.
///
/// It shares standard input, standard error and the terminal, so that it can ask for what it needs;
/// its output goes to nobody else, and no message repeats it. It gets no variable and no descriptor
/// that holds another key.
struct KeyCommand {
    private let command: String
    /// What messages call it.
    private let title: String

    init(_ command: String, title: String = "the key command") {
        self.command = command
        self.title = title
    }

    /// - Parameter input: What it gets instead of standard input.
    func output(
        limit: Int, feeding input: consuming SecretBytes? = nil,
        withholding keys: WithheldKeys, _ cancellation: Cancellation
    ) throws(Failure) -> SecretBytes {
        let child: ChildProcess
        do throws(SystemError) {
            child = try ChildProcess(
                shellCommand: command, hasInput: input != nil, withholding: keys)
        } catch {
            throw Failure(.failed, "cannot run \(title): \(error.reason)")
        }
        if let input = consume input { input.withUnsafeBytes { child.feed($0) } }
        var bytes: SecretBytes?
        var failure: Descriptor.ReadingError?
        do throws(Descriptor.ReadingError) {
            bytes = try child.output.readSecret(limit: limit, cancellation)
        } catch {
            failure = error
            child.terminate()
        }
        let ending = child.wait()
        if let failure { throw failure.failure(reading: "\(title)'s output") }
        try cancellation.check()
        guard ending == .exited(0), let secret = bytes.take() else {
            throw Failure(
                .failed, "\(title) \(ending)", hint: "run it separately to see why")
        }
        return secret
    }
}
