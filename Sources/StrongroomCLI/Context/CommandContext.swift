package import StrongroomCore

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
    /// The width of the terminal that shows results; nil where they go elsewhere.
    package var outputColumns: () -> Int? = { nil }
    package var verbosity = Verbosity.normal
    /// Whether results, and whether errors have colours.
    package var colors = (output: false, errors: false)
    /// The width of the terminal that shows progress; nil where progress is not shown.
    package var progressColumns: () -> Int?
    /// Keeps what the process has in memory from being swapped, before it reads a key.
    var lockMemory: () -> Void = {}
    /// Time since any fixed moment.
    package var now: () -> Duration
    package var cancellation: Cancellation
    /// Errors and warnings are written as JSON.
    package var writesJSON = false
    /// A new passphrase is taken, however weak it is.
    var allowsWeakPassphrases = false
    /// Whether a key opens a file with the cipher settings that are named: so one of several keys is found.
    var opensWithNamedSettings: (DatabaseFile) throws -> Bool = { _ in false }
    /// How keyrings are used.
    var keyringUse = KeyringUse()
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
        var context = CommandContext(
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
        context.outputColumns = {
            Descriptor.standardOutput.isTerminal
                ? Descriptor.standardOutput.columns ?? 80 : nil
        }
        context.lockMemory = ProcessHardening.lockMemory
        return context
    }

    /// Follows what a command line says of all that is written, before it is parsed: so that an
    /// error of parsing is written as asked, too.
    mutating func configure(for words: [String]) {
        writesJSON = words.prefix { $0 != "--" }.contains("--json")
        verbosity = Verbosity(in: words)
        if verbosity == .quiet { progressColumns = { nil } }
        let choice = ColorChoice(in: words)
        colors.output = choice.isOn(onTerminal: outputColumns() != nil, variable: variable)
        colors.errors = choice.isOn(
            onTerminal: Descriptor.standardError.isTerminal, variable: variable)
    }

    /// Something that the person should know, though the work goes on.
    func warn(_ message: String, hint: String? = nil) {
        write(.warning, message, hint)
    }

    /// A line about work that was done: no data that was asked for, and no problem.
    func writeDone(_ line: String) throws(Failure) {
        if verbosity != .quiet { try output.writeLine(VisibleText.text(of: line)) }
    }

    /// The result of such work: JSON always, text if it is wanted.
    func writeDone(_ text: String, orJSON json: JSONValue?) throws(Failure) {
        guard let json else { return try writeDone(text) }
        try output.writeLine(json.indentedText)
    }

    /// Something that was found out on the way, and is no reason to worry.
    func note(_ message: String) {
        if verbosity != .quiet { write(.note, message) }
    }

    /// Something that only those want to know who ask for it.
    func detail(_ message: String) {
        if verbosity == .verbose { write(.note, message) }
    }

    /// Why the work stopped.
    func report(_ failure: Failure) {
        guard !failure.isQuiet else { return }
        write(.error(failure.exitCode), failure.message, failure.hint)
    }

    private func write(_ kind: Report.Kind, _ message: String, _ hint: String? = nil) {
        Report(kind: kind, message: message, hint: hint, hasColors: colors.errors)
            .write(to: errors, asJSON: writesJSON)
    }
}
