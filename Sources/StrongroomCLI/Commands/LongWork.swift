import Strongroom

/// Work on a database file that may take long: shows how far it is, and stops when asked to.
struct LongWork {
    let surroundings: Surroundings
    /// What is being done, as the progress line names it: `encrypting`.
    let title: String

    func run<Result>(
        _ work: (@escaping DatabaseFile.ProgressHandler) throws -> Result
    ) throws -> Result {
        let line = surroundings.progressColumns().map { _ in
            ProgressLine(
                output: surroundings.errors, columns: { surroundings.progressColumns() ?? 80 },
                now: surroundings.now)
        }
        defer { line?.finish() }
        return try work { progress in
            try surroundings.cancellation.check()
            line?.update(
                title(of: progress.phase), fraction: progress.fractionCompleted,
                detail: Self.detail(progress))
        }
    }

    private func title(of phase: DatabaseFile.Progress.Phase) -> String {
        switch phase {
        case .copying: title
        case .verifying: "verifying"
        case .checking: "checking"
        case .preparing: "preparing"
        case .finishing: "finishing"
        }
    }

    private static func detail(_ progress: DatabaseFile.Progress) -> String {
        guard progress.totalByteCount > 0 else { return "" }
        let done = ByteCount.text(min(progress.completedByteCount, progress.totalByteCount))
        return "\(done) of \(ByteCount.text(progress.totalByteCount))"
    }
}
