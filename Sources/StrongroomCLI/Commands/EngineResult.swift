import StrongroomCore

/// What `strongroom doctor --engine` reports.
struct EngineResult {
    let report: EngineReport

    /// Tries the engine in a temporary folder, if there can be one.
    init() throws {
        let folder = try? TemporaryFolder()
        defer { folder?.remove() }
        report = try EngineReport(probingIn: folder?.path)
    }

    /// One line, for `--version --verbose`.
    var line: String {
        let ids = report.findings.map(\.defect.id)
        guard !ids.isEmpty else { return "known defects of this engine: none" }
        return "known defects of this engine: \(ids.joined(separator: ", ")) "
            + "(strongroom doctor --engine)"
    }

    var text: String {
        var lines = ["SQLCipher \(report.cipherVersion), SQLite \(report.sqliteVersion)"]
        for finding in report.findings {
            let defect = finding.defect
            lines += [
                "", "\(defect.id): \(defect.title)",
                "    \(finding.isProved ? "tried here, and found" : "by its version"): \(defect.versions)",
                "    effect: \(defect.effect)", "    Strongroom: \(defect.protection)",
                "    test: \(defect.test)",
            ]
        }
        if report.findings.isEmpty { lines += ["", "none of the known defects"] }
        lines += ["", "advice: \(EngineDefect.advice)"]
        return lines.map { $0 + "\n" }.joined()
    }

    var json: JSONValue {
        .object([
            .init("sqlite", .string(report.sqliteVersion)),
            .init("sqlcipher", .string(report.cipherVersion)),
            .init("advice", .string(EngineDefect.advice)),
            .init("defects", .array(report.findings.map(Self.finding))),
        ])
    }

    private static func finding(_ finding: EngineReport.Finding) -> JSONValue {
        let defect = finding.defect
        return .object([
            .init("id", .string(defect.id)), .init("title", .string(defect.title)),
            .init("isProved", .boolean(finding.isProved)),
            .init("versions", .string(defect.versions)),
            .init("effect", .string(defect.effect)),
            .init("protection", .string(defect.protection)),
            .init("test", .string(defect.test)),
        ])
    }
}
