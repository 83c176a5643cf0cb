import StrongroomCore

/// Rotates the keys of many files, some at once; each is a rotation of its own.
///
/// A run that was killed at any point is simply run again: what it has done is found done.
final class RotationBatch: Sendable {
    private let files: [String]
    private let key: CipherKey
    private let newKey: NewKey
    private let change: CipherChange?
    private let settings: DatabaseSettings
    private let jobs: Int
    private let changesNothing: Bool
    private let overwritesOld: Bool
    private let cancellation: Cancellation

    init(
        _ files: [String], from key: CipherKey, to newKey: NewKey,
        changing change: CipherChange?, settings: DatabaseSettings, jobs: Int,
        changesNothing: Bool, overwritesOld: Bool, cancellation: Cancellation
    ) {
        self.change = change
        self.settings = settings
        self.files = files
        self.key = key
        self.newKey = newKey
        self.jobs = max(1, jobs)
        self.changesNothing = changesNothing
        self.overwritesOld = overwritesOld
        self.cancellation = cancellation
    }

    /// Calls closures on this thread: with each result as it comes, and with how far all is.
    ///
    /// - Returns: When all is done, or somebody wished to stop and what was begun has ended.
    func run(
        each: (RotationResult) throws -> Void,
        progress: (_ done: Int64, _ total: Int64, _ files: Int) -> Void
    ) throws {
        let batch = FileBatch(files, jobs: jobs, cancellation: cancellation) { index, note in
            self.outcome(of: self.files[index], note)
        }
        try batch.run(
            each: { index, outcome in
                try each(
                    RotationResult(
                        name: PathName(files[index]), subject: subject, outcome: outcome))
            }, progress: progress)
    }

    private var subject: RotationResult.Subject {
        guard change != nil else { return .key }
        return newKey.existing?.isSame(as: key) == true ? .settings : .keyAndSettings
    }

    private func outcome(
        of path: String, _ note: @escaping @Sendable (Int64) -> Void
    ) -> RotationResult.Outcome {
        do {
            try DatabasePrecheck.encrypted(path)
            guard var file = try pending(path) else { return .already }
            let threads = files.count == 1 ? jobs : 1
            if changesNothing {
                let newKey = try newKey.existing ?? .generated()
                let plan = try file.planRotation(to: newKey, changing: change, threads: threads)
                return .planned(plan, settingsAfterwards(of: file, newKey))
            }
            let newKey = try newKey.key()
            file.overwritesOldFile = overwritesOld
            file.confirmNewKey = self.newKey.confirm
            let report = try file.rotateKey(
                to: newKey, changing: change, threads: threads
            ) { progress in
                try self.cancellation.check()
                if let share = Self.share(progress) { note(share) }
            }
            return .rotated(report, settingsAfterwards(of: file, newKey))
        } catch {
            return .failed(failure(of: path, error))
        }
    }

    private func settingsAfterwards(
        of file: DatabaseFile, _ newKey: CipherKey
    ) -> UnusualSettings? {
        var rotated = file
        rotated.key = newKey
        return UnusualSettings(rotated.unusualSettings(after: change ?? CipherChange()))
    }

    /// Of a folder, what neither key opens may be no database at all.
    private func failure(of path: String, _ error: any Error) -> Failure {
        var failure = Failure(describing: error)
        guard failure.exitCode == .wrongKey, files.count > 1 else { return failure }
        failure.message =
            "\(path): neither key opens it: it has a third key, unusual settings, or is no database"
        failure.hint =
            "strongroom doctor \(ShellWord.text(path)) with its key; --exclude PATTERN leaves it out"
        return failure
    }

    /// The file with the settings that it has; nil if it has the new key, and new settings, already.
    private func pending(_ path: String) throws -> DatabaseFile? {
        let file = DatabaseFile(path: path, key: key)
        guard let newKey = newKey.existing else { return try opened(file) }
        var changed = DatabaseFile(path: path, key: newKey)
        changed.useSalt(of: key)
        guard let change else {
            if changed.opens() { return nil }
            if let found = try settings.found(for: file) { return found }
            // What is wrong with a file that neither key opens, the rotation tells.
            return try settings.found(for: changed) == nil ? file : nil
        }
        var refusal: (any Error)?
        do {
            if let found = try settings.found(for: file) {
                return key.isSame(as: newKey) && found.isUnchanged(by: change) ? nil : found
            }
        } catch {
            // The change may be the one to pages without HMACs, and done already.
            refusal = error
        }
        let done = try changed.findingSettings(
            trying: settings.named(for: changed, after: change))
        if done?.isUnchanged(by: change) == true { return nil }
        if let refusal { throw refusal }
        return file
    }

    /// The file with the settings that it has, as long as no file can have the new key.
    private func opened(_ file: DatabaseFile) throws -> DatabaseFile {
        if let found = try settings.found(for: file) { return found }
        // Says why the old key does not open it.
        _ = try file.planRotation(to: .generated(), changing: change)
        return file
    }

    /// Writing is two thirds of the work, reading back the rest.
    static func share(_ progress: OperationProgress) -> Int64? {
        switch progress.phase {
        case .copying: progress.completedByteCount * 2 / 3
        case .verifying: progress.totalByteCount * 2 / 3
        default: nil
        }
    }
}
