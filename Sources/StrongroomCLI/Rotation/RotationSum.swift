import StrongroomCore

/// What became of all files that were seen: each is counted once.
struct RotationSum {
    private let results: [RotationResult]
    private let jobs: Int

    init(_ results: [RotationResult], jobs: Int) {
        self.results = results
        self.jobs = max(1, jobs)
    }

    private var failedCount: Int { results.count { $0.failure != nil } }
    private var databaseCount: Int { results.count(where: \.isDatabase) }

    /// Those of which a keyring gives the new key.
    var keyringCount: Int {
        results.count { if case .rotatedByKeyring = $0.outcome { true } else { false } }
    }

    private var alreadyCount: Int {
        results.count { if case .already = $0.outcome { true } else { false } }
    }

    private var skippedCount: Int { results.count - databaseCount }
    private var doneCount: Int { databaseCount - failedCount - alreadyCount }

    /// How many files were skipped for each reason, the most frequent first.
    private var reasons: [(reason: String, count: Int)] {
        var counts: [String: Int] = [:]
        for result in results {
            if case .skipped(let reason) = result.outcome { counts[reason, default: 0] += 1 }
        }
        return counts.map { (reason: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    }

    /// The size of all that is or would be done, in bytes.
    private var byteCount: Int64 {
        results.reduce(0) { sum, result in
            switch result.outcome {
            case .rotated(let report, _), .rotatedByKeyring(let report, _):
                sum + report.byteCount
            case .planned(let plan, _): sum + plan.byteCount
            default: sum
            }
        }
    }

    /// How long what is planned takes; the longest file is waited for in any case.
    private var estimate: Duration {
        let durations = results.compactMap { result -> Duration? in
            guard case .planned(let plan, _) = result.outcome else { return nil }
            return plan.estimatedDuration
        }
        let share = durations.reduce(.zero, +) / min(jobs, max(1, durations.count))
        return max(share, durations.max() ?? .zero)
    }

    func lines(planned: Bool) -> [String] {
        var done = "\(planned ? "to do" : "done") \(doneCount), \(ByteCount.text(byteCount))"
        if planned, doneCount > 0 { done += ", about \(RotationResult.text(estimate))" }
        var lines = [
            "\(results.count) files seen: \(done); already done \(alreadyCount); "
                + "skipped \(skippedCount); failed \(failedCount)"
        ]
        lines += reasons.map { "skipped \($0.count): \($0.reason)" }
        return lines + [outcome(planned)]
    }

    /// Those with keyrings have no key that was given, and are told of apart.
    private func outcome(_ planned: Bool) -> String {
        let good = databaseCount - failedCount - keyringCount
        if good == 0, keyringCount > 0 {
            return
                "\(keyringCount) of \(databaseCount) files have new keys of their own, which their keyrings give"
        }
        let verb = planned ? "can get the new key, or have it" : "have the new key"
        let given = "\(good) of \(databaseCount) files \(verb)"
        return switch keyringCount {
        case 0: given
        case 1: given + "; 1 has a key of its own, which its keyring gives"
        default: given + "; \(keyringCount) have keys of their own, which their keyrings give"
        }
    }

    /// The last object of `--json`.
    func json(planned: Bool) -> JSONValue {
        func number(_ value: Int) -> JSONValue { .integer(Int64(value)) }
        var members: [JSONValue.Member] = [
            .init("outcome", .string("sum")), .init("seen", number(results.count)),
            .init(planned ? "planned" : "rotated", number(doneCount)),
            .init("already", number(alreadyCount)), .init("skipped", number(skippedCount)),
            .init("failed", number(failedCount)), .init("byteCount", .integer(byteCount)),
            .init(
                "skippedReasons",
                .array(
                    reasons.map {
                        .object([
                            .init("reason", .string($0.reason)), .init("count", number($0.count)),
                        ])
                    })),
        ]
        if planned {
            members.append(.init("seconds", .real(RotationResult.seconds(estimate))))
        }
        return .object(members)
    }
}
