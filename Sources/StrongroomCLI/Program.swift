import StrongroomCore
import StrongroomSFTP

/// The command-line tool `strongroom`.
public enum Program {
    /// Carries out the process's own command line, on its standard streams.
    ///
    /// Call it once, first thing and on the main thread: it forbids core dumps and takes over signals.
    ///
    /// - Parameter arguments: The name of the program, and its arguments: bytes, which name files.
    /// - Returns: the exit status.
    public static func run(_ arguments: [UnsafePointer<CChar>]) -> Int32 {
        ProcessHardening.apply()
        let cancellation = Cancellation()
        SignalWatch.start(cancellation)
        let context = CommandContext.process(cancellation)
        defer { TemporaryFileKeeper.holdRemoved() }
        return run(arguments.dropFirst().map { PathText.text(of: $0) }, in: context).rawValue
    }

    /// The arguments as Swift has them, for a C library that does not report them.
    public static var swiftArguments: [UnsafePointer<CChar>] {
        (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }.map { .init($0) }
    }

    /// Carries out a command line in any context.
    package static func run(_ words: [String], in context: CommandContext) -> ExitCode {
        var context = context
        context.configure(for: words)
        do {
            // What nobody else stops ends with the wish, too: a key that is derived for `info`.
            let work = LongOperation()
            try context.cancellation.onCancel({ work.stop() }) {
                try LongOperation.ofThisThread.withValue(work) { try execute(words, in: context) }
            }
            try context.output.flush()
            return .done
        } catch {
            return context.end(error)
        }
    }

    private static func execute(_ words: [String], in context: CommandContext) throws {
        guard let name = words.first else { return try context.output.write(HelpText.short) }
        switch name {
        case "--help", "-h": return try HelpCommand.writeOverview(to: context.output)
        case "--version", "-V", "version":
            return try HelpCommand.writeVersion(
                to: context.output, isVerbose: words.dropFirst().contains("--verbose"))
        default: break
        }
        guard let (command, wordCount) = CommandList.command(words) else {
            if try writeGroupHelp(words, in: context) { return }
            throw unknown(words)
        }
        let rest = Array(words.dropFirst(wordCount))
        if ArgumentParser.asksForHelp(rest) {
            return try context.output.write(HelpText.text(for: command.syntax))
        }
        let arguments = try ArgumentParser.parse(rest, as: command.syntax)
        if command.syntax.name != HelpCommand.syntax.name {
            try AddressSpace.require()
            context.lockMemory()
        }
        var context = context
        context.withheldKeys = KeyOptions.withheld(in: arguments)
        RemoteServer.withhold(context.withheldKeys.variables)
        context.allowsWeakPassphrases = KeyOptions.allowsWeak(arguments)
        let settings = try DatabaseSettings(arguments, listWins: true)
        context.opensWithNamedSettings = { try settings.found(for: $0) != nil }
        context.keyringUse = try KeyOptions.keyringUse(in: arguments)
        try run(command, arguments, in: context)
    }

    private static func run(
        _ command: any Command.Type, _ arguments: ParsedArguments, in context: CommandContext
    ) throws {
        if let choice = arguments.value(.color), ColorChoice(rawValue: choice) == nil {
            throw Failure.usage("--color is auto, always or never")
        }
        guard context.verbosity == .verbose else {
            return try command.init(arguments).run(in: context)
        }
        context.detail(try LibraryVersions.current().line)
        let start = context.now()
        defer {
            let seconds = Double((context.now() - start) / .milliseconds(1)) / 1000
            context.detail("it took \(seconds) seconds")
        }
        try command.init(arguments).run(in: context)
    }

    /// `strongroom backup --help` lists all the commands that begin so.
    private static func writeGroupHelp(
        _ words: [String], in context: CommandContext
    ) throws -> Bool {
        let group = CommandList.syntaxes.filter { $0.name.hasPrefix(words[0] + " ") }
        guard !group.isEmpty, ArgumentParser.asksForHelp(Array(words.dropFirst())) else {
            return false
        }
        try context.output.write(HelpText.overview(of: group))
        return true
    }

    private static func unknown(_ words: [String]) -> Failure {
        var name = words[0]
        let known = CommandList.all.map { $0.syntax.name }
        let group = known.filter { $0.hasPrefix(name + " ") }.map { $0.dropFirst(name.count + 1) }
        if !group.isEmpty {
            guard words.count > 1 else {
                return .usage(
                    "\(name) needs one of: \(group.joined(separator: ", "))",
                    hint: "strongroom \(name) --help")
            }
            name += " " + words[1]
        }
        if name.hasPrefix("-") {
            let option = String(name.drop { $0 == "-" }.prefix { $0 != "=" })
            return KeysOnCommandLine.refusal(of: option)
                ?? .usage("the command comes first, then its options", hint: "strongroom help")
        }
        let similar = Suggestion.closest(to: name, among: known)
        let other = WrongForm.hint(forCommand: name, among: known) { FolderEntry($0) != nil }
        return .usage(
            "unknown command \(name)",
            hint: similar.map { "did you mean strongroom \($0)?" } ?? other ?? "strongroom help")
    }
}

extension CommandContext {
    /// Says why the work ended early, and what the shell gets.
    fileprivate func end(_ error: any Error) -> ExitCode {
        // What the interruption broke is not what the person wants to read.
        let failure =
            cancellation.exitCode.map { Failure($0, "interrupted") } ?? Failure(describing: error)
        // The result so far; a failure to write it changes nothing any more.
        try? output.flush()
        report(failure)
        return failure.exitCode
    }
}
