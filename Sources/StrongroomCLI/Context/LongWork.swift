import Strongroom
import StrongroomBackup

/// How far some work is, as the progress line shows it.
protocol WorkProgress {
    var completedByteCount: Int64 { get }
    var totalByteCount: Int64 { get }
    var fractionCompleted: Double? { get }

    /// What is being done; nil for the work itself.
    var phaseTitle: String? { get }
}

/// Work that may take long: shows how far it is, and stops when asked to.
struct LongWork {
    let context: CommandContext
    /// What is being done, as the progress line names it: `encrypting`.
    let title: String

    func run<Progress: WorkProgress, Result>(
        _ work: (@escaping (Progress) throws -> Void) throws -> Result
    ) throws -> Result {
        let line = context.progressColumns().map { _ in
            ProgressLine(
                output: context.errors, columns: { context.progressColumns() ?? 80 },
                now: context.now)
        }
        defer { line?.finish() }
        return try work { progress in
            try context.cancellation.check()
            line?.update(
                progress.phaseTitle ?? title, fraction: progress.fractionCompleted,
                detail: Self.detail(progress))
        }
    }

    private static func detail(_ progress: some WorkProgress) -> String {
        guard progress.totalByteCount > 0 else { return "" }
        let done = ByteCount.text(min(progress.completedByteCount, progress.totalByteCount))
        return "\(done) of \(ByteCount.text(progress.totalByteCount))"
    }
}

extension DatabaseFile.Progress: WorkProgress {
    var phaseTitle: String? {
        switch phase {
        case .copying: nil
        case .verifying: "verifying"
        case .checking: "checking"
        case .preparing: "preparing"
        case .finishing: "finishing"
        }
    }
}

extension BackupProgress: WorkProgress {
    var phaseTitle: String? {
        switch phase {
        case .storing, .restoring: nil
        case .waiting: "waiting for another run"
        case .preparing: "preparing"
        case .verifying: "verifying"
        case .pruning: "pruning"
        case .finishing: "finishing"
        }
    }
}
