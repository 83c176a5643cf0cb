import LibC
import StrongroomCore
import StrongroomEssentials
import StrongroomKeyrings

/// `strongroom key recovery FILE`
struct KeyRecoveryCommand: Command {
    private static let replace = Option.flag(
        "replace", help: "remove the recovery code that there is")
    private static let out = Option.value(
        "out", "PATH", completion: .file,
        help: "write the code to a new file that only you can read, and ask nothing")

    private static let page = Option.flag(
        "print", help: "print a page to keep on paper to standard output, and ask nothing")

    static let syntax = CommandSyntax(
        "key recovery", summary: "create a recovery code, for when all else is lost",
        operands: [.database], options: [replace, out, page], groups: [KeyOptions.ofKeyring.group],
        notes: [
            "The code is shown once, on the terminal. It opens the database as soon as you have "
                + "typed one of its groups back. Write it down on paper, and keep it away from the "
                + "database: the code opens the database like a passphrase. It survives rotations.",
            "With --print, the code opens the database before it is printed. If printing fails, the "
                + "new code is removed again; with --replace, the old one is removed last.",
            "When all else is lost: strongroom key change FILE --name NAME, and type the code.",
        ],
        examples: [
            .init(line: "strongroom key recovery shop.db", meaning: "show a code to write down"),
            .init(
                line: "strongroom key recovery shop.db --print | lpr",
                meaning: "print a page with the code and what to type"),
        ])

    private let access: KeyringAccess
    private let replaces: Bool
    private let output: String?
    private let printsPage: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        access = try KeyringAccess(arguments)
        replaces = arguments.contains(Self.replace)
        output = arguments.value(Self.out)
        printsPage = arguments.contains(Self.page)
        if output != nil, printsPage {
            throw .usage("--out and --print are two places for the code", hint: "give one of them")
        }
    }

    func run(in context: CommandContext) throws {
        try access.noting("recovery") { try work(in: context) }
    }

    private func work(in context: CommandContext) throws {
        let (keyring, unlocker) = try access.open(context)
        let old = keyring.slots.filter { $0.kind == .recovery }
        if let first = old.first, !replaces {
            throw Failure(
                .failed, "\(access.path) has a recovery code already: “\(first.name)”",
                hint: "strongroom key recovery \(ShellWord.text(access.path)) --replace makes "
                    + "another, and the old one opens nothing")
        }
        // A code that will not count is not shown.
        _ = try keyring.unlocked(with: unlocker)
        let code = try RecoveryCode.generated()
        if let output {
            do {
                try CipherKey(passphrase: code.text).write(toNewFile: output)
            } catch {
                throw explaining(error, output, keyring)
            }
        } else if printsPage {
            return try storeAndPrint(code, keyring, replacing: old, unlocker, context)
        } else {
            try confirm(code, context)
        }
        let name = old.first?.name ?? "recovery"
        do {
            try keyring.change(unlockingWith: unlocker) { change in
                guard !old.isEmpty else { return try change.addRecoveryCode(code, name: name) }
                for slot in old.dropFirst() { try change.remove(slot.name) }
                try change.replace(name) { try $0.addRecoveryCode(code, name: name) }
            }
        } catch {
            // It may count all the same, if only the disk could not say so.
            let counts = try? Keyring(of: access.path).unlocked(with: .recoveryCode(code))
            if let output, counts == nil { try? FileSystem.system.remove(output) }
            throw error
        }
        try context.writeDone(
            output.map { "the recovery code of \(access.path) is in \($0)" }
                ?? "the recovery code opens \(access.path) from now on")
    }

    /// Stores the code before it is printed, and removes the one that it replaces last: what cannot be stored is
    /// not printed, and what cannot be printed does not count.
    private func storeAndPrint(
        _ code: RecoveryCode, _ keyring: Keyring, replacing old: [Keyring.Slot],
        _ unlocker: Unlocker, _ context: CommandContext
    ) throws {
        let name = old.first?.name ?? "recovery"
        let names = Set(keyring.slots.map(\.name))
        let free = (1...).lazy.map { "recovery \($0)" }.first { !names.contains($0) }
        let interim = old.isEmpty ? name : free ?? name
        try keyring.change(unlockingWith: unlocker) {
            try $0.addRecoveryCode(code, name: interim)
        }
        do {
            try context.output.write(page(code, keyring))
            try context.output.flush()
        } catch {
            takeBack(interim, keyring, unlocker, context)
            throw error
        }
        guard !old.isEmpty else { return }
        do {
            try keyring.change(unlockingWith: unlocker) { change in
                for slot in old { try change.remove(slot.name) }
                try change.rename(interim, to: name)
            }
        } catch {
            var failure = Failure(describing: error)
            failure.message =
                "the printed code opens \(access.path), and so does the old one: \(failure.message)"
            failure.hint =
                "strongroom key remove \(ShellWord.text(access.path)) \(ShellWord.text(name)) removes the old one"
            throw failure
        }
    }

    private func takeBack(
        _ name: String, _ keyring: Keyring, _ unlocker: Unlocker, _ context: CommandContext
    ) {
        do {
            try keyring.change(unlockingWith: unlocker) { try $0.remove(name) }
        } catch {
            context.warn(
                "the slot “\(name)” has a code that was not printed in full: "
                    + Failure(describing: error).message,
                hint: "strongroom key remove \(ShellWord.text(access.path)) \(ShellWord.text(name))"
            )
        }
    }

    /// An earlier run may have been killed between its code and the keyring.
    private func explaining(_ error: any Error, _ output: String, _ keyring: Keyring) -> any Error {
        guard let file = try? Descriptor.open(output, O_RDONLY) else { return error }
        defer { file.close() }
        let text = file.bytes(at: 0, count: Self.largestByteCount)
        guard let code = RecoveryCode(String(decoding: text, as: UTF8.self)) else { return error }
        let opens = (try? keyring.unlocked(with: .recoveryCode(code))) != nil
        return Failure(
            .failed,
            "\(output) exists already: "
                + (opens
                    ? "its recovery code opens \(access.path)" : "its recovery code opens nothing"),
            hint: opens
                ? "choose another name"
                : "an earlier run may have been interrupted: remove it, and run "
                    + "the command again")
    }

    /// More than any code takes.
    private static let largestByteCount = 256

    /// What helps somebody who finds nothing else.
    private func page(_ code: RecoveryCode, _ keyring: Keyring) -> String {
        let file = ShellWord.text(String(keyring.path.dropLast(DatabaseFile.keyringSuffix.count)))
        return """
            Recovery code

                \(code.text)

            Date      \(WrittenTime.text(of: Date()).prefix(10))
            Database  \(file)
            Keyring   \(keyring.identifier)

            This code opens the database when everything else is lost. Anyone who has it
            and the two files can read the database: keep it away from them.

            To set a new passphrase, type the first line; the code is asked for:

                strongroom key change \(file) --name me
                strongroom rotate-key \(file)

            To test the code, once a year:

                strongroom key test \(file) --recovery

            """
    }

    /// Shows the code, and asks for a part of it.
    private func confirm(_ code: RecoveryCode, _ context: CommandContext) throws {
        let groups = code.text.split(separator: "-")
        let index = Int.random(in: groups.indices)
        let answer = try context.askSecret(
            "Recovery code: \(code.text)  Write it down, and type group \(index + 1) of it: ")
        guard RecoveryCode.isGroup(answer, String(groups[index])) else {
            throw Failure(
                .failed, "that is not group \(index + 1) of the code; nothing was changed",
                hint: "run the command again: it shows another code")
        }
    }
}
