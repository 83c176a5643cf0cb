import StrongroomBackup
import StrongroomCore
import StrongroomKeyrings

extension BackupCreateCommand {
    /// Backs up files and all databases in folders, each to a repository of its own.
    func backUpAll(in context: CommandContext) throws {
        let root = try BackupRoot(path: path)
        try requireApart(root)
        var targets = try RotationTargets(paths, excluding: excluded, verb: "backed up")
        let reader = KeyReader(context: context)
        let store = try keyStore.store(for: "the databases", reader)
        let given =
            try store == nil
            ? secret(reader, haveKeyring: targets.files) : (key: nil, unlocker: nil)
        let keys = try store?.keysInForce() ?? [given.key].compactMap { $0 }
        let backup = RootBackup(
            root: root, key: keys.first, unlocker: context.keyringUse.isOff ? nil : given.unlocker,
            store: store, cipherSettings: settings,
            settings: try rootSettings(reader, context), slots: WorkSlots(jobCount))
        targets.addFiles(openedBy: keys, settings)
        let (files, refused) = try RootBackup.targets(targets.files, namedBy: paths)
        var results = refused + skipped(&targets, keys)
        let named = files.map(\.file) + results.map(\.file)
        results += try lost(in: root, besides: Set(named), targets)
        for result in results { try write(result, in: context) }
        results += try backUp(files, by: backup, in: context)
        try summarize(results, in: context)
    }

    /// What opens the databases, and those of them that have a keyring.
    private func secret(
        _ reader: KeyReader, haveKeyring files: [String]
    ) throws -> (key: CipherKey?, unlocker: Unlocker?) {
        let hasKeyring =
            try !reader.context.keyringUse.isOff
            && files.contains { try Keyring.exists(for: $0) }
        let role = KeyReader.Role.openingAll(hasKeyring: hasKeyring)
        if case .unlockCommand = keySource {
            return (nil, try reader.unlocker(from: keySource, for: role))
        }
        let key = try reader.key(from: keySource, for: role)
        return (key, reader.unlocker(key))
    }

    private func rootSettings(
        _ reader: KeyReader, _ context: CommandContext
    ) throws -> RootBackup.Settings {
        RootBackup.Settings(
            tag: word, authenticating: authenticating, isFull: isFull, keepsFormat: keepsFormat,
            takesOtherDatabases: takesOtherDatabases, readsUnchangedFiles: readsUnchangedFiles,
            storedKeyrings: storedKeyrings,
            authority: try authority(reader),
            memory: repositoryOptions.memory(in: context),
            acceptsRollback: repositoryOptions.acceptsRollback, youngest: youngest)
    }

    /// What the run writes must not be among what it reads.
    private func requireApart(_ root: BackupRoot) throws {
        func real(_ path: String) -> String {
            (try? FileSystem.system.resolve(path)) ?? path
        }
        let place = real(root.path) + "/"
        for path in paths where place.hasPrefix(real(path) + "/") {
            throw Failure.usage(
                "\(root.path) is inside \(path), the folder to back up",
                hint: "keep backups elsewhere, on another disk")
        }
    }

    /// What is not backed up of what was seen, and why.
    private func skipped(_ targets: inout RotationTargets, _ keys: [CipherKey])
        -> [RootBackupResult]
    {
        let plain = targets.plaintextFiles.map { file in
            RootBackupResult(
                file: file, repository: nil,
                outcome: .failed(
                    Failure(
                        .notADatabase, "\(file) is not backed up: it is not encrypted",
                        hint:
                            "strongroom encrypt \(ShellWord.text(file)) OUT writes an encrypted copy"
                    )))
        }
        let others = targets.results(keys: keys).compactMap { result in
            result.failure.map {
                RootBackupResult(file: result.name.text, repository: nil, outcome: .failed($0))
            }
        }
        return plain + others
    }

    /// What is no database any more, or is gone and has left its keyring, though the root has backups of it. What was
    /// removed altogether may have been removed on purpose: `backup status` reports it when its backup is overdue.
    private func lost(
        in root: BackupRoot, besides named: Set<String>, _ targets: RotationTargets
    ) throws -> [RootBackupResult] {
        let members = try root.members().compactMap(\.databasePath)
        return paths.filter { FolderEntry($0)?.kind == .folder }.flatMap { folder in
            members.compactMap { member -> RootBackupResult? in
                let file = folder.appendingName(member)
                guard !named.contains(file), !targets.isExcluded(member, in: folder) else {
                    return nil
                }
                let reason: String
                if let entry = FolderEntry(file, followingLinks: false) {
                    // What a link leads to is backed up under its own name.
                    if entry.kind == .link, FolderEntry(file) != nil { return nil }
                    // So is another name of the same file.
                    if entry.kind == .file, Candidate(file).isWhole { return nil }
                    reason = "it is no encrypted database any more"
                } else if FolderEntry(file + "-keyring") != nil {
                    reason = "it is gone, and its keyring is still there"
                } else {
                    return nil
                }
                return RootBackupResult(
                    file: file, repository: nil,
                    outcome: .failed(
                        Failure(
                            .damaged,
                            "\(file) is not backed up: \(reason), and \(root.path) has backups of it",
                            hint: RotationTargets.lostHint)))
            }
        }
    }

    private func backUp(
        _ targets: [RootBackup.Target], by backup: RootBackup, in context: CommandContext
    ) throws -> [RootBackupResult] {
        let cancellation = context.cancellation
        let batch = FileBatch(
            targets.map(\.file), slots: backup.slots, cancellation: cancellation
        ) { index, note in
            backup.outcome(of: targets[index], cancellation, note)
        }
        let line = context.progressColumns().map { _ in
            ProgressLine(
                output: context.errors, columns: { context.progressColumns() ?? 80 },
                now: context.now)
        }
        defer { line?.finish() }
        let start = context.now()
        var results: [RootBackupResult] = []
        try batch.run(inOrder: true) { _, result in
            line?.finish()
            results.append(result)
            try write(result, in: context)
        } progress: { done, total, count in
            line?.update(
                "storing", fraction: total > 0 ? Double(done) / Double(total) : 0,
                detail: RotateKeyCommand.detail(
                    done, total, count, targets.count, context.now() - start))
        }
        return results
    }

    private func write(_ result: RootBackupResult, in context: CommandContext) throws {
        // An interruption is told once.
        if context.cancellation.isCancelled, result.failure != nil { return }
        if case .done(let backup) = result.outcome {
            for notice in backup.notices { context.warn("\(result.file): \(notice)") }
        }
        if let failure = result.failure, !writesJSON { return context.report(failure) }
        if writesJSON {
            try context.output.writeLine(result.json.text)
        } else {
            try context.writeDone(VisibleText.text(of: result.text))
        }
        try context.output.flush()
    }

    private func summarize(_ results: [RootBackupResult], in context: CommandContext) throws {
        let failures = results.compactMap(\.failure)
        let stored = results.reduce(Int64(0)) { sum, result in
            if case .done(let backup) = result.outcome { sum + backup.storedByteCount } else { sum }
        }
        if !writesJSON {
            try context.writeDone(
                "\(results.count - failures.count) of \(results.count) databases are backed up to "
                    + "\(path), \(ByteCount.text(stored)) stored")
        }
        guard let first = failures.first else { return }
        throw Failure(
            failures.allSatisfy { $0.exitCode == first.exitCode } ? first.exitCode : .failed,
            "\(failures.count) of \(results.count) files are not backed up",
            hint: "see the report of each file, and run the same command again")
    }
}
