import StrongroomCore

/// Work that may take long: shows how far it is, and stops when asked to.
struct CommandProgress {
    let context: CommandContext
    /// What is being done, as the progress line names it: `encrypting`.
    let title: String

    func run<Result>(
        _ work: (@escaping OperationProgress.Handler) throws -> Result
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
                progress.title ?? title, fraction: progress.fractionCompleted,
                detail: Self.detail(progress))
        }
    }

    private static func detail(_ progress: OperationProgress) -> String {
        guard progress.totalByteCount > 0 else { return "" }
        let done = ByteCount.text(min(progress.completedByteCount, progress.totalByteCount))
        return "\(done) of \(ByteCount.text(progress.totalByteCount))"
    }
}

extension OperationProgress {
    /// What is being done; nil for the work itself.
    fileprivate var title: String? {
        switch phase {
        case .copying, .storing, .restoring: nil
        case .waiting: "waiting for another run"
        default: phase.rawValue
        }
    }
}
