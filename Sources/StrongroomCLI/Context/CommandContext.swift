package import Strongroom

/// What a command sees of the world outside, so that tests can put another one in its place.
package struct CommandContext {
    package var output: TextOutput
    package var errors: TextOutput
    package var input: Descriptor
    /// The value of an environment variable, which is removed; nil if it is not set.
    package var takeVariable: (String) -> SecretBytes?
    /// The value of an environment variable that is no secret.
    package var variable: (String) -> String?
    /// Asks on the terminal, without echo.
    package var askSecret: (_ prompt: String) throws(Failure) -> SecretBytes
    /// The width of the terminal that shows progress; nil where progress is not shown.
    package var progressColumns: () -> Int?
    /// Time since any fixed moment.
    package var now: () -> Duration
    package var cancellation: Cancellation
    /// Errors and warnings are written as JSON.
    package var writesJSON = false
    /// What a key command does not inherit.
    var withheldKeys = WithheldKeys()

    package init(
        output: TextOutput, errors: TextOutput, input: Descriptor,
        takeVariable: @escaping (String) -> SecretBytes?,
        askSecret: @escaping (_ prompt: String) throws(Failure) -> SecretBytes,
        progressColumns: @escaping () -> Int?, now: @escaping () -> Duration,
        cancellation: Cancellation, variable: @escaping (String) -> String?
    ) {
        self.output = output
        self.errors = errors
        self.input = input
        self.takeVariable = takeVariable
        self.askSecret = askSecret
        self.progressColumns = progressColumns
        self.now = now
        self.cancellation = cancellation
        self.variable = variable
    }

    /// The process's own.
    static func process(_ cancellation: Cancellation) -> CommandContext {
        let clock = ContinuousClock()
        let start = clock.now
        return CommandContext(
            output: TextOutput(.standardOutput, name: "standard output"),
            errors: TextOutput(.standardError, name: "standard error", capacity: 0),
            input: .standardInput,
            takeVariable: ProcessVariables.take,
            askSecret: { prompt throws(Failure) in
                try ControllingTerminal.askSecret(prompt, cancellation)
            },
            progressColumns: {
                Descriptor.standardError.isTerminal
                    ? Descriptor.standardError.columns ?? 80 : nil
            },
            now: { clock.now - start },
            cancellation: cancellation, variable: ProcessVariables.value)
    }

    /// Something that the person should know, though the work goes on.
    func warn(_ message: String, hint: String? = nil) {
        Report(kind: .warning, message: message, hint: hint).write(to: errors, asJSON: writesJSON)
    }

    /// Something that was found out on the way, and is no reason to worry.
    func note(_ message: String) {
        Report(kind: .note, message: message, hint: nil).write(to: errors, asJSON: writesJSON)
    }

    /// Why the work stopped.
    func report(_ failure: Failure) {
        guard !failure.isQuiet else { return }
        Report(kind: .error(failure.exitCode), message: failure.message, hint: failure.hint)
            .write(to: errors, asJSON: writesJSON)
    }
}
