import StrongroomCore

/// `strongroom doctor FILE...`
struct DoctorCommand: Command {
    private static let jobs = Option.value(
        "jobs", "N", help: "use N threads (default: number of processors, at most 4)")

    private static let engine = Option.flag(
        "engine", help: "list the known defects of this SQLite and SQLCipher; without FILE")

    static let syntax = CommandSyntax(
        "doctor", summary: "diagnose a database that does not open",
        operands: [
            Operand(
                "FILE", isOptional: true, isRepeated: true,
                help: "a file that is or was an encrypted database")
        ],
        options: [jobs, engine, .json],
        groups: [KeyOptions.ofPatient.group, KeyOptions.old.group, DatabaseSettings.group],
        notes: [
            "Distinguishes a wrong key; the right key with other cipher settings "
                + "(SQLCipher 1 to 4, page size, HMAC), which it finds; damaged pages, or pages "
                + "missing at the end; a damaged salt; a log that does not belong to the file; "
                + "an interrupted rotation; a plaintext database; a file that is no database. "
                + "Prints what to do next.",
            "Settings are printed as options of the other commands. Hints name commands "
                + "with the options that you gave here.",
            "Never writes to the file or its folder. Exit status 0 only if the file is "
                + "sound; strongroom help status lists the others.",
            "--engine creates small files in a temporary folder and tries SQLite and "
                + "SQLCipher on them. The exit status is 0 whatever it finds.",
        ],
        examples: [
            .init(
                line: "strongroom doctor shop.db --key-file shop.key", meaning: "diagnose a file"),
            .init(
                line: "strongroom doctor shop.db --key-file new.key --old-key-file old.key",
                meaning: "find out which pages have which key"),
            .init(line: "strongroom doctor *.db --json", meaning: "sort files, without a key"),
            .init(
                line: "strongroom doctor --engine",
                meaning: "report the defects of this SQLCipher, and which version to use"),
        ])

    private let paths: [String]
    private let keySource: KeySource?
    private let oldKeySource: KeySource?
    private let threads: Int?
    private let examinesEngine: Bool
    private let settings: DatabaseSettings
    private let typed: TypedOptions
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        paths = arguments.operands
        examinesEngine = arguments.contains(Self.engine)
        guard paths.isEmpty == examinesEngine else {
            throw .usage(
                examinesEngine ? "--engine takes no file" : "missing FILE",
                hint: "strongroom help doctor")
        }
        keySource = try KeyOptions.ofPatient.optionalSource(in: arguments)
        oldKeySource = try KeyOptions.old.optionalSource(in: arguments)
        guard oldKeySource == nil || keySource != nil else {
            throw .usage(
                "another key is given, but not the key itself", hint: "give it with --key-file")
        }
        threads = try Self.threads(arguments.value(Self.jobs))
        settings = try DatabaseSettings(arguments)
        typed = TypedOptions(arguments, key: .ofPatient, settings: settings)
        writesJSON = arguments.contains(.json)
    }

    static func threads(_ text: String?) throws(Failure) -> Int? {
        guard let text else { return nil }
        guard let count = Int(text), (1...256).contains(count) else {
            throw .usage("--jobs needs a number from 1 to 256")
        }
        return count
    }

    func run(in context: CommandContext) throws {
        if examinesEngine {
            let result = try EngineResult()
            return try context.output.write(
                writesJSON ? result.json.indentedText + "\n" : result.text)
        }
        let reader = KeyReader(context: context)
        let name = paths.count == 1 ? paths[0] : "the files"
        let secrets = try keySource.map { source in
            if case .unlockCommand = source { return [CipherKey]() }
            return try reader.secrets(from: source, for: .opening(path: name))
        }
        let oldKeys = try oldKeySource.map {
            try reader.pastKeyring.keys(from: $0, for: .opening(path: name))
        }
        var failures: [Failure] = []
        for path in paths {
            do {
                let findings = KeyringFindings(of: path, secrets, keySource, reader)
                let failure = try diagnose(path, findings, oldKeys ?? [], in: context)
                if let failure { failures.append(failure) }
            } catch {
                // One file that cannot be read is no reason to leave out the others.
                try context.cancellation.check()
                let failure = Failure(describing: error)
                guard paths.count > 1, !failure.isQuiet else { throw error }
                context.report(failure)
                failures.append(failure)
            }
        }
        try end(failures)
    }

    /// Of several keys, the one that opens the file; pages may have any of them if none does.
    private func diagnose(
        _ path: String, _ findings: KeyringFindings, _ oldKeys: [CipherKey],
        in context: CommandContext
    ) throws -> Failure? {
        let keys = findings.keys
        let opening =
            keys.count > 1 ? try keys.first { try opens(path, $0, context) } : keys.first
        let key = opening ?? keys.first
        let others = opening == nil ? keys.dropFirst() : []
        let hints = DatabaseFile.DiagnosisHints(
            otherKeys: oldKeys + others, backups: [settings.saltCopy].compactMap { $0 })
        let work = CommandProgress(context: context, title: "checking")
        let diagnosis = try work.run { progress in
            let file = DatabaseFile(path: path, key: key)
            return try (settings.named(for: file) ?? file)
                .diagnose(hints: hints, threads: threads, progress: progress)
        }
        let result = DiagnosisResult(
            diagnosis: diagnosis, keyring: findings, typed: typed,
            hasColors: context.colors.output)
        try context.output.write(writesJSON ? result.json.text + "\n" : result.text)
        try context.output.flush()
        var failure = result.failure
        // The text has said it; who reads JSON may look for errors alone.
        failure?.isQuiet = !writesJSON
        return failure
    }

    private func opens(
        _ path: String, _ key: CipherKey, _ context: CommandContext
    ) throws -> Bool {
        try context.cancellation.check()
        return (try? settings.found(for: DatabaseFile(path: path, key: key))) != nil
    }

    private func end(_ failures: [Failure]) throws {
        guard let first = failures.first else { return }
        if paths.count == 1 { throw first }
        let isOneKind = failures.allSatisfy { $0.exitCode == first.exitCode }
        throw Failure(
            isOneKind ? first.exitCode : .failed,
            "\(failures.count) of \(paths.count) files are not sound",
            hint: "see the report of each file")
    }
}
