import StrongroomCore
import StrongroomKeyrings

/// Rotates the keys of many files by their keyrings, some at once; each gets a random key of its own.
///
/// One secret is given for all of them. A file whose keyring it does not open is reported, and left alone.
struct KeyringRotationBatch: Sendable {
    let files: [String]
    let unlocker: Unlocker
    let dropsSealed: Bool
    let overwritesOld: Bool
    /// New cipher settings were asked for, which no keyring takes.
    let changesSettings: Bool
    let changesNothing: Bool
    let settings: DatabaseSettings
    let jobs: Int
    let audit: AuditLog?
    let cancellation: Cancellation

    /// Calls closures on this thread: with each result as it comes, and with how far all is.
    func run(
        each: (RotationResult) throws -> Void,
        progress: (_ done: Int64, _ total: Int64, _ files: Int) -> Void
    ) throws {
        let batch = FileBatch(files, jobs: jobs, cancellation: cancellation) { index, note in
            outcome(of: files[index], note)
        }
        try batch.run(
            each: { index, outcome in
                try each(
                    RotationResult(name: PathName(files[index]), subject: .key, outcome: outcome))
            }, progress: progress)
    }

    private func outcome(
        of path: String, _ note: @escaping @Sendable (Int64) -> Void
    ) -> RotationResult.Outcome {
        do {
            try DatabasePrecheck.encrypted(path)
            guard !changesSettings else {
                throw Failure(
                    .failed, "\(path) has a keyring, which keeps its cipher settings",
                    hint: "rotate its key without new settings")
            }
            let keyring = try Keyring(of: path)
            let threads = files.count == 1 ? jobs : 1
            guard !changesNothing else { return try plan(path, keyring, threads) }
            return try audit.noting("rotate", path, isBegun: true) {
                let (rotated, report) = try keyring.rotateReporting(
                    unlockingWith: unlocker, droppingSealed: dropsSealed,
                    overwritingOldFile: overwritesOld, threads: threads
                ) { progress in
                    try cancellation.check()
                    if let share = RotationBatch.share(progress) { note(share) }
                }
                return .rotatedByKeyring(report, rotated)
            }
        } catch {
            return .failed(Failure(describing: error))
        }
    }

    private func plan(
        _ path: String, _ keyring: Keyring, _ threads: Int
    ) throws -> RotationResult.Outcome {
        let file = DatabaseFile(path: path, key: try keyring.unlock(with: unlocker))
        var found = try settings.found(for: file) ?? file
        found.isRotatedByKeyring = true
        return .planned(try found.planRotation(to: .generated(), threads: threads), nil)
    }
}
