import Foundation
import Strongroom
import Synchronization

/// Rotates the keys of many files, some at once; each is a rotation of its own.
///
/// A run that was killed at any point is simply run again: what it has done is found done.
final class RotationBatch: Sendable {
    private let files: [String]
    private let key: CipherKey
    private let newKey: CipherKey
    private let change: CipherChange?
    private let settings: DatabaseSettings
    private let jobs: Int
    private let changesNothing: Bool
    private let cancellation: Cancellation
    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    private struct State {
        var nextFile = 0
        var results: [RotationResult] = []
        var runningJobs = 0
        /// Bytes of files that are done, and of each that is at work.
        var doneByteCount: Int64 = 0
        var partByteCounts: [Int: Int64] = [:]
    }

    init(
        _ files: [String], from key: CipherKey, to newKey: CipherKey,
        changing change: CipherChange?, settings: DatabaseSettings, jobs: Int,
        changesNothing: Bool, cancellation: Cancellation
    ) {
        self.change = change
        self.settings = settings
        self.files = files
        self.key = key
        self.newKey = newKey
        self.jobs = max(1, jobs)
        self.changesNothing = changesNothing
        self.cancellation = cancellation
    }

    /// Calls closures on this thread: with each result as it comes, and with how far all is.
    ///
    /// - Returns: When all is done, or somebody wished to stop and what was begun has ended.
    func run(
        each: (RotationResult) throws -> Void,
        progress: (_ done: Int64, _ total: Int64, _ files: Int) -> Void
    ) throws {
        let total = files.reduce(0) { $0 + RotationTargets.byteCount($1) }
        progress(0, total, 0)
        try cancellation.check()
        let workers = min(jobs, files.count)
        state.withLock { $0.runningJobs = workers }
        for _ in 0..<workers { Thread.detachNewThread { self.work() } }
        var reported = 0
        var error: (any Error)?
        while true {
            _ = news.wait(timeout: .now() + .milliseconds(50))
            let (results, isDone, done) = state.withLock { state in
                let parts = state.partByteCounts.values.reduce(0, +)
                return (state.results, state.runningJobs == 0, state.doneByteCount + parts)
            }
            while reported < results.count {
                do { try each(results[reported]) } catch let failed { error = error ?? failed }
                reported += 1
            }
            if isDone { break }
            progress(done, total, reported)
        }
        if let error { throw error }
        try cancellation.check()
    }

    private func work() {
        while !cancellation.isCancelled, let index = takeFile() {
            let path = files[index]
            let outcome = outcome(of: path, index)
            state.withLock { state in
                state.results.append(
                    RotationResult(name: PathName(path), subject: subject, outcome: outcome))
                state.partByteCounts[index] = nil
                state.doneByteCount += RotationTargets.byteCount(path)
            }
            news.signal()
        }
        state.withLock { $0.runningJobs -= 1 }
        news.signal()
    }

    private var subject: RotationResult.Subject {
        guard change != nil else { return .key }
        return key.isSame(as: newKey) ? .settings : .keyAndSettings
    }

    private func takeFile() -> Int? {
        state.withLock { state in
            guard state.nextFile < files.count else { return nil }
            defer { state.nextFile += 1 }
            return state.nextFile
        }
    }

    private func outcome(of path: String, _ index: Int) -> RotationResult.Outcome {
        do {
            try DatabasePrecheck.encrypted(path)
            guard let file = try pending(path) else { return .already }
            let threads = files.count == 1 ? jobs : 1
            if changesNothing {
                let plan = try file.planRotation(to: newKey, changing: change, threads: threads)
                return .planned(plan, settingsAfterwards(of: file))
            }
            let report = try file.rotateKey(
                to: newKey, changing: change, threads: threads
            ) { progress in
                try self.cancellation.check()
                self.note(progress, index)
            }
            return .rotated(report, settingsAfterwards(of: file))
        } catch {
            return .failed(failure(of: path, error))
        }
    }

    private func settingsAfterwards(
        of file: DatabaseFile
    ) -> (words: String, pragmas: [String])? {
        var rotated = file
        rotated.key = newKey
        return rotated.unusualSettings(after: change ?? CipherChange())
    }

    /// Of a folder, what neither key opens may be no database at all.
    private func failure(of path: String, _ error: any Error) -> Failure {
        var failure = Failure(describing: error)
        guard failure.exitCode == .wrongKey, files.count > 1 else { return failure }
        failure.message =
            "\(path): neither key opens it: it has a third key, settings of its own, or is no database"
        failure.hint =
            "strongroom doctor \(ShellWord.text(path)) with its key; --exclude PATTERN leaves it out"
        return failure
    }

    /// The file with the settings that it has; nil if it has the new key, and new settings, already.
    private func pending(_ path: String) throws -> DatabaseFile? {
        let file = DatabaseFile(path: path, key: key)
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

    /// Writing is two thirds of the work, reading back the rest.
    private func note(_ progress: OperationProgress, _ index: Int) {
        let share: Int64? =
            switch progress.phase {
            case .copying: progress.completedByteCount * 2 / 3
            case .verifying: progress.totalByteCount * 2 / 3
            default: nil
            }
        guard let share else { return }
        state.withLock { $0.partByteCounts[index] = share }
    }
}
