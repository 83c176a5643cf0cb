import StrongroomCore

extension RotateKeyCommand {
    /// Reports results as they come, and how far all is.
    func collect(
        _ fileCount: Int, isSingle: Bool, in context: CommandContext,
        _ run: (
            _ each: (RotationResult) throws -> Void,
            _ progress: (_ done: Int64, _ total: Int64, _ files: Int) -> Void
        ) throws -> Void
    ) throws -> [RotationResult] {
        let line = context.progressColumns().map { _ in
            ProgressLine(
                output: context.errors, columns: { context.progressColumns() ?? 80 },
                now: context.now)
        }
        defer { line?.finish() }
        let start = context.now()
        var results: [RotationResult] = []
        try run(
            { result in
                line?.finish()
                results.append(result)
                try write(result, isSingle, in: context)
            },
            { done, total, count in
                let share = total > 0 ? Double(done) / Double(total) : 0
                line?.update(
                    "encrypting", fraction: share,
                    detail: Self.detail(done, total, count, fileCount, context.now() - start))
            })
        return results
    }

    static func detail(
        _ done: Int64, _ total: Int64, _ count: Int, _ fileCount: Int, _ elapsed: Duration
    ) -> String {
        var parts = ["\(ByteCount.text(min(done, total))) of \(ByteCount.text(total))"]
        if fileCount > 1 { parts.append("\(count) of \(fileCount) files") }
        if done > 0, elapsed > .seconds(1) {
            let rest = elapsed * (Double(max(0, total - done)) / Double(done))
            parts.append("\(RotationResult.text(rest)) left")
        }
        return parts.joined(separator: ", ")
    }

    func write(
        _ result: RotationResult, _ isSingle: Bool, in context: CommandContext
    ) throws {
        if context.cancellation.isCancelled, result.failure != nil { return }
        if let failure = result.failure, isSingle || !writesJSON {
            if !isSingle { context.report(failure) }
            return
        }
        // Ten thousand pictures are told of by their number.
        if !result.isDatabase && !writesJSON || isSilent(context) { return }
        let done = keepsKey ? "the settings are changed" : "the key is changed"
        let state =
            if case .rotated = result.outcome { done } else { "nothing else was to be done" }
        try TransferResult.finishing(state) { () throws(Failure) in
            try context.output.writeLine(
                writesJSON ? result.json.text : VisibleText.text(of: result.text))
            try context.output.flush()
        }
    }

    /// A plan is what a dry run is asked for.
    private func isSilent(_ context: CommandContext) -> Bool {
        context.verbosity == .quiet && !writesJSON && !changesNothing
    }

    func summarize(_ results: [RotationResult], in context: CommandContext) throws {
        let failures = results.compactMap(\.failure)
        let sum = RotationSum(results, jobs: jobCount)
        if writesJSON {
            try context.output.writeLine(sum.json(planned: changesNothing).text)
        } else if !isSilent(context) {
            for line in sum.lines(planned: changesNothing) { try context.output.writeLine(line) }
        }
        if sum.keyringCount > 0 {
            let files = sum.keyringCount == 1 ? "1 file" : "\(sum.keyringCount) files"
            context.note(
                "the given secret opens \(files) with a keyring as before: if it was exposed, add another way in, "
                    + "and remove that slot (strongroom key add, strongroom key remove --rotate)")
        }
        guard let first = failures.first else { return }
        let isOneKind = failures.allSatisfy { $0.exitCode == first.exitCode }
        throw Failure(
            isOneKind ? first.exitCode : .failed,
            "\(failures.count) of \(results.count(where: \.isDatabase)) files do not have the new key",
            hint: "see the report of each file, and run the same command again")
    }
}
