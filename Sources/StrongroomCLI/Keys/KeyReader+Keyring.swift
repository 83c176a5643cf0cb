import StrongroomCore
import StrongroomKeyrings
import StrongroomSFTP

/// Secrets that open a keyring, where one stands next to a database.
extension KeyReader {
    /// Whether what a role opens is a database with a keyring that is not gone past.
    func hasKeyring(_ role: Role) throws(Failure) -> Bool {
        if case .openingAll(let hasKeyring) = role { return hasKeyring }
        guard case .opening(let path) = role, !context.keyringUse.isOff,
            FolderEntry(path)?.kind == .file
        else { return false }
        do {
            return try Keyring.exists(for: path)
        } catch {
            throw Failure(describing: error)
        }
    }

    /// The same, or whether it is a folder: a repository has the keyrings of its databases.
    func mayHaveKeyring(_ role: Role) throws(Failure) -> Bool {
        guard case .opening(let path) = role,
            RemotePlace.isURL(path) || FolderEntry(path)?.kind == .folder
        else {
            return try hasKeyring(role)
        }
        return true
    }

    /// That a file of identities opens a keyring alone, and there is none; nil if it could not serve anyway.
    func withoutKeyring(_ role: Role, _ source: String) -> Failure? {
        guard !context.keyringUse.isOff else { return nil }
        let message = "\(source) holds an age identity, which opens a keyring alone"
        switch role {
        case .opening(let path):
            return Failure(
                .wrongKey, "\(message), and \(path) has none",
                hint: "if the keyring was lost, put \(path)-keyring back, from a copy or a backup")
        case .openingAll:
            return Failure(
                .wrongKey, "\(message), and none of the databases has one",
                hint: "if keyrings were lost, put them back, from copies or backups")
        case .making: return nil
        }
    }

    /// The key to go on with: what the keyring has for the secret, or the secret itself where there is
    /// none.
    func unlocked(_ secret: CipherKey, for role: Role) throws(Failure) -> CipherKey {
        guard case .opening(let path) = role, try hasKeyring(role) else {
            if case .opening(let path) = role, context.keyringUse.slot != nil {
                throw .usage("--slot names a slot, and \(path) has no keyring")
            }
            warnIfKeyringIsMissing(secret, role)
            return secret
        }
        do {
            let keyring = try Keyring(of: path)
            return try key(from: keyring, by: unlocker(secret))
        } catch {
            throw Failure(describing: error)
        }
    }

    /// What a restore or a copy that was interrupted has left is opened by no secret.
    private func warnIfKeyringIsMissing(_ secret: CipherKey, _ role: Role) {
        guard case .opening(let path) = role, !context.keyringUse.isOff,
            FolderEntry(path)?.kind == .file, Keyring.isMissing(for: path),
            !DatabaseFile(path: path, key: secret).opens()
        else { return }
        context.warn(
            "\(path) has no keyring, though it was to get one: a restore or a copy was interrupted before it wrote "
                + "the keyring, or the keyring was removed",
            hint: "run the restore or the copy again (--force), or put \(path)-keyring back")
    }

    /// The key that a keyring has for the slot of a command.
    func unlocked(byCommand command: String, for role: Role) throws(Failure) -> CipherKey {
        guard case .opening(let path) = role, try hasKeyring(role) else {
            throw .usage(
                "--unlock-command opens a slot of a keyring, and there is none",
                hint: "for a command that prints the key itself, use --key-command")
        }
        do {
            return try key(from: Keyring(of: path), by: unlocker(byCommand: command))
        } catch {
            throw Failure(describing: error)
        }
    }

    /// What opens a keyring, from where it is kept.
    func unlocker(from source: KeySource, for role: Role) throws(Failure) -> Unlocker {
        if case .unlockCommand(let command) = source { return unlocker(byCommand: command) }
        return unlocker(try secret(from: source, for: role))
    }

    private func unlocker(byCommand command: String) -> Unlocker {
        let unlocking = UnlockCommand(command, context)
        let unlocker = Unlocker.command(secretly: unlocking.secret)
        return context.keyringUse.slot.map { unlocker.onlySlot($0) } ?? unlocker
    }

    /// The same for the one of several secrets that opens the keyring.
    func unlocked(byOneOf secrets: [CipherKey], for role: Role) throws(Failure) -> CipherKey? {
        for secret in secrets {
            try context.cancellation.check()
            do throws(Failure) {
                return try unlocked(secret, for: role)
            } catch {
                guard error.exitCode == .wrongKey else { throw error }
            }
        }
        return nil
    }

    private func key(from keyring: Keyring, by unlocker: Unlocker) throws -> CipherKey {
        do {
            let unlocked = try keyring.unlocked(with: unlocker)
            warnIfNotVouched(unlocked, keyring)
            if let slot = unlocked.slot { context.detail("it opens the slot “\(slot.name)”") }
            return unlocked.key
        } catch  where isForRepair {
            // A secret that opens nothing, and a forged keyring, are refused again.
            guard let key = try keyring.keyForRepair(unlockingWith: unlocker) else { throw error }
            context.warn(Failure(describing: error).message)
            return key
        }
    }

    /// What was given, as the keyring reads it.
    func unlocker(_ secret: CipherKey) -> Unlocker {
        let unlocker = Unlocker.parsing(secret).remembering()
        return context.keyringUse.slot.map { unlocker.onlySlot($0) } ?? unlocker
    }

    func warnIfNotVouched(_ unlocked: Keyring.Unlocked, _ keyring: Keyring) {
        guard unlocked.vouching == .missing else { return }
        if unlocked.slot?.kind == .command {
            return context.warn(
                "\(keyring.path) is opened by a command: anyone who can encrypt with its service could have written it",
                hint:
                    "compare its authority with the one that you noted elsewhere: \(keyring.authority)"
            )
        }
        context.warn(
            "\(keyring.path) is opened with this identity for the first time: an attacker could have written it",
            hint: "compare its authority with the one that its creator sees (strongroom key list): "
                + "\(keyring.authority); if it is the same, strongroom key vouch ends this warning")
    }
}

extension CommandContext {
    /// Whether a database has a keyring that a secret opens.
    func opensKeyring(of path: String, by secret: CipherKey) -> Bool {
        guard !keyringUse.isOff, let keyring = try? Keyring(of: path) else { return false }
        return (try? keyring.unlock(with: .parsing(secret))) != nil
    }
}

extension KeyReader {
    /// The same reader for keys that are the database's own.
    var pastKeyring: KeyReader {
        var context = context
        context.keyringUse = KeyringUse(isOff: true)
        return KeyReader(context: context)
    }
}

extension KeyReader {
    /// Calls a closure that writes a copy, and then copies the keyring.
    ///
    /// - Parameter source: What is copied; nil if the copy gets another key.
    func copyingKeyring<Result>(
        of source: String?, to destination: String, _ body: () throws -> Result
    ) throws -> Result {
        guard let source, try hasKeyring(.opening(path: source)) else { return try body() }
        try Keyring.announce(for: destination)
        let result: Result
        do {
            result = try body()
        } catch {
            Keyring.withdrawAnnouncement(for: destination)
            throw error
        }
        try copyKeyring(of: source, to: destination)
        return result
    }

    /// A copy with the same key has the same ways in; without them, nobody could open it.
    private func copyKeyring(of source: String, to destination: String) throws(Failure) {
        do {
            let kept = try Keyring(of: source).copy(toDatabase: destination)
            if let kept { context.warn(kept.notice) }
        } catch {
            var failure = Failure(describing: error)
            failure.message =
                "\(destination) was created, but its keyring was not: \(failure.message)"
            failure.hint = "see to the cause, and run the command again, with --force"
            throw failure
        }
    }
}
