import StrongroomCore
import StrongroomKeyrings

/// What became of one file.
struct RotationResult: Sendable {
    enum Outcome: Sendable {
        /// With the cipher settings that it has then, if they are not the usual ones.
        case rotated(RotationReport, UnusualSettings?)
        /// By its keyring, as it is then.
        case rotatedByKeyring(RotationReport, Keyring)
        /// The new key opens it already, from an earlier run.
        case already
        /// With the cipher settings that it will have, if they are not the usual ones.
        case planned(RotationPlan, UnusualSettings?)
        /// It is none of the databases that get a key; why, as of any number of files.
        case skipped(String)
        case failed(Failure)
    }

    /// What changes, as a text names it.
    enum Subject: String, Sendable {
        case key = "the key"
        case settings = "the cipher settings"
        case keyAndSettings = "key and cipher settings"
    }

    let name: PathName
    let subject: Subject
    let outcome: Outcome

    init(name: PathName, subject: Subject, outcome: Outcome) {
        self.name = name
        self.subject = subject
        self.outcome = outcome
    }

    private var path: String { name.text }

    /// Whether it counts among the databases.
    var isDatabase: Bool {
        if case .skipped = outcome { return false }
        return true
    }

    var failure: Failure? {
        guard case .failed(let failure) = outcome else { return nil }
        return failure
    }

    var text: String {
        switch outcome {
        case .rotated(let report, let settings):
            "changed \(subject.rawValue) of \(path): \(report.pageCount) pages, "
                + "\(ByteCount.text(report.byteCount)), verified"
                + (report.oldBlocks.map { "; \($0.text(of: "the old file's"))" } ?? "")
                + (settings?.advice ?? "")
        case .rotatedByKeyring(let report, let keyring):
            "changed the key of \(path): \(report.pageCount) pages, "
                + "\(ByteCount.text(report.byteCount)), verified; "
                + Self.text(ofSlots: keyring.slots.count)
                + (report.oldBlocks.map { "; \($0.text(of: "the old file's"))" } ?? "")
        case .already:
            subject == .key
                ? "\(path) has the new key already" : "\(path) has \(subject.rawValue) already"
        case .planned(let plan, let settings):
            "would change \(subject.rawValue) of \(path): \(plan.pageCount) pages, "
                + "\(ByteCount.text(plan.byteCount)), about \(Self.text(plan.estimatedDuration))"
                + (settings?.advice ?? "")
        case .skipped(let reason):
            "\(path): skipped: \(reason)"
        case .failed(let failure):
            "\(path): \(failure.message)"
        }
    }

    /// One object, to be written on one line.
    var json: JSONValue {
        var members = name.json + [.init("outcome", .string(outcomeName))]
        switch outcome {
        case .rotated(let report, let settings):
            members += Self.size(report.byteCount, report.pageCount, report.pageSize)
            members += settings?.json ?? []
            if let blocks = report.oldBlocks {
                members.append(.init("oldBlocks", .string(blocks.name)))
            }
        case .rotatedByKeyring(let report, let keyring):
            members += Self.size(report.byteCount, report.pageCount, report.pageSize)
            members.append(.init("keyring", .string(keyring.identifier)))
            members.append(.init("slotCount", .integer(Int64(keyring.slots.count))))
            if let blocks = report.oldBlocks {
                members.append(.init("oldBlocks", .string(blocks.name)))
            }
        case .already:
            break
        case .skipped(let reason):
            members.append(.init("reason", .string(reason)))
        case .planned(let plan, let settings):
            members += Self.size(plan.byteCount, plan.pageCount, plan.pageSize)
            members.append(.init("seconds", .real(Self.seconds(plan.estimatedDuration))))
            members += settings?.json ?? []
        case .failed(let failure):
            members.append(
                .init(
                    "error",
                    .object([
                        .init("code", .string(failure.exitCode.name)),
                        .init("exitCode", .integer(Int64(failure.exitCode.rawValue))),
                        .init("message", .string(failure.message)),
                    ])))
        }
        return .object(members)
    }

    private var outcomeName: String {
        switch outcome {
        case .rotated, .rotatedByKeyring: "rotated"
        case .already: "already"
        case .planned: "planned"
        case .skipped: "skipped"
        case .failed: "failed"
        }
    }

    private static func size(
        _ byteCount: Int64, _ pageCount: Int, _ pageSize: Int
    ) -> [JSONValue.Member] {
        [
            .init("byteCount", .integer(byteCount)),
            .init("pageCount", .integer(Int64(pageCount))),
            .init("pageSize", .integer(Int64(pageSize))),
        ]
    }

    static func seconds(_ duration: Duration) -> Double {
        let parts = duration.components
        return Double(parts.seconds) + (Double(parts.attoseconds) / 1e15).rounded() / 1000
    }

    static func text(ofSlots count: Int) -> String {
        count == 1 ? "its slot opens it as before" : "its \(count) slots open it as before"
    }

    /// `3 s`, `12 min`.
    static func text(_ duration: Duration) -> String {
        let seconds = max(1, Int64(Self.seconds(duration).rounded(.up)))
        return seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    }
}
