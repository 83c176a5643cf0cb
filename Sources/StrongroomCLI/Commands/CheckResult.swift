import StrongroomCore

/// What `strongroom check` reports.
struct CheckResult {
    let report: IntegrityReport
    let path: String
    var hasColors = false

    /// Why the command fails, if it does.
    var failure: Failure? {
        if report.isSound { return nil }
        if report.isDamaged {
            if report.isLogAlone {
                return Failure(
                    .foreignLog, "\(path) is sound, but its log is damaged: commits are lost",
                    hint: DatabaseFileStep.keepLog(path, isEncrypted: true).hint)
            }
            return Failure(
                .damaged, "\(path) is damaged",
                hint: "stop writing to this file, and restore a copy that passes strongroom check")
        }
        return Failure(
            .failed, "rows of \(path) break a constraint or a foreign key",
            hint: "the file is intact; correct the rows, or the keys that they refer to")
    }

    func write(to output: TextOutput, asJSON: Bool) throws(Failure) {
        try output.write(asJSON ? json.indentedText + "\n" : text)
    }

    private var text: String {
        var fields: [String] = []
        for check in report.checks {
            let problems = report.problems.filter { check.problemKinds.contains($0.kind) }
            let verdict =
                switch problems.count {
                case 0: TextColor.good.paint("ok", if: hasColors)
                case 1: TextColor.bad.paint("1 problem", if: hasColors)
                default: TextColor.bad.paint("\(problems.count) problems", if: hasColors)
                }
            let name = check.title
            fields.append(name + String(repeating: " ", count: 20 - name.count) + verdict)
            fields += ProblemList.lines(problems.map(\.message), indentation: "    ")
        }
        for line in report.unexamined {
            fields.append(
                TextColor.doubtful.paint("not examined:", if: hasColors) + " "
                    + VisibleText.text(of: line))
        }
        if report.isSound {
            fields.append(
                "\(VisibleText.text(of: path)) is "
                    + TextColor.good.paint("sound", if: hasColors) + ": "
                    + "\(report.pageCount) pages of \(report.pageSize) bytes")
        }
        return fields.joined(separator: "\n") + "\n"
    }

    private var json: JSONValue {
        let problems = report.problems.map { problem in
            JSONValue.object([
                .init("kind", .string(problem.kind.rawValue)),
                .init("page", problem.page.map { .integer(Int64($0)) } ?? .null),
                .init("message", .string(problem.message)),
            ])
        }
        return .object([
            .init("file", .string(path)),
            .init("isSound", .boolean(report.isSound)),
            .init("isDamaged", .boolean(report.isDamaged)),
            .init("pageCount", .integer(Int64(report.pageCount))),
            .init("pageSize", .integer(Int64(report.pageSize))),
            .init("checks", .array(report.checks.map { .string($0.rawValue) })),
            .init("problems", .array(problems)),
            .init("unexamined", .array(report.unexamined.map { .string($0) })),
        ])
    }
}

extension IntegrityReport {
    /// Whether the log is all that is damaged.
    fileprivate var isLogAlone: Bool {
        problems.allSatisfy { [.log, .constraint, .foreignKey].contains($0.kind) }
    }
}
