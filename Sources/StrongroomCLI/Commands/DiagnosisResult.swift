import StrongroomCore

/// What `strongroom doctor` reports of one file.
struct DiagnosisResult {
    let diagnosis: DatabaseDiagnosis
    let keyring: KeyringFindings
    let typed: TypedOptions
    var hasColors = false

    /// What the shell gets, unless the file is sound.
    var failure: Failure? {
        if let failure = keyring.failure(besides: diagnosis) { return failure }
        guard diagnosis.verdict != .sound else { return nil }
        return Failure(exitCode, diagnosis.summary, hint: advice)
    }

    private var exitCode: ExitCode {
        if let failure = keyring.failure(besides: diagnosis) { return failure.exitCode }
        return switch diagnosis.verdict {
        case .sound: .done
        case .keyNeeded: .keyNeeded
        case .wrongKey: .wrongKey
        case .otherSettings: .otherSettings
        case .plaintext, .notADatabase, .empty: .notADatabase
        case .truncated, .damaged, .damagedSalt: .damaged
        case .foreignLog: .foreignLog
        case .twoKeys: .twoKeys
        }
    }

    /// Green is nothing to do, yellow what a key or settings mend, red what is lost or may be.
    private var color: TextColor {
        switch diagnosis.verdict {
        case .sound: .good
        case .keyNeeded, .wrongKey, .otherSettings, .plaintext, .empty: .doubtful
        default: .bad
        }
    }

    private var advice: String? {
        keyring.failure(besides: diagnosis)?.hint
            ?? DiagnosisAdvice(diagnosis: diagnosis, typed: typed).text
    }

    var text: String {
        let isOutvoted = diagnosis.verdict == .sound && keyring.failure(besides: diagnosis) != nil
        let title =
            isOutvoted
            ? TextColor.doubtful.paint("sound, but not its keyring", if: hasColors)
            : color.paint(diagnosis.verdict.title, if: hasColors)
        var lines = [VisibleText.text(of: diagnosis.path) + ": " + title]
        var facts = [diagnosis.summary]
        if let pageSize = diagnosis.pageSize, let pageCount = diagnosis.pageCount {
            let expected = diagnosis.expectedPageCount.map { $0 == pageCount ? "" : " of \($0)" }
            facts.append("\(pageCount)\(expected ?? "") pages of \(pageSize) bytes")
        }
        if let log = diagnosis.log {
            facts.append(
                "log: \(log.frameCount) frames, \(log.transactionCount) transactions")
        }
        facts +=
            diagnosis.notes.filter { $0 != diagnosis.summary }
            + keyring.facts(besides: diagnosis)
        if let advice { facts.append("next: " + advice) }
        lines += facts.map { fact in
            let text = VisibleText.text(of: fact)
            let label = "next:"
            guard text.hasPrefix(label) else { return "    " + text }
            return "    " + TextColor.advice.paint(label, if: hasColors)
                + text.dropFirst(label.count)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var json: JSONValue {
        .object([
            .init("file", .string(diagnosis.path)),
            .init("verdict", .string(diagnosis.verdict.rawValue)),
            .init("exitCode", .integer(Int64(exitCode.rawValue))),
            .init("summary", .string(diagnosis.summary)),
            .init("advice", advice.map { .string($0) } ?? .null),
            .init("notes", .array(diagnosis.notes.map { .string($0) })),
            .init("byteCount", .integer(diagnosis.byteCount)),
            .init("pageSize", Self.number(diagnosis.pageSize)),
            .init("pageCount", Self.number(diagnosis.pageCount)),
            .init("expectedPageCount", Self.number(diagnosis.expectedPageCount)),
            .init("damagedPageCount", .integer(Int64(diagnosis.damagedPageCount))),
            .init("damagedPages", Self.ranges(diagnosis.damagedPages)),
            .init("missingPages", Self.ranges(diagnosis.missingPages)),
            .init("pagesOfKeys", .array(diagnosis.pagesOfKeys.map { .integer(Int64($0)) })),
            .init("settings", .array(diagnosis.settings.map { .string($0) })),
            .init("settingsOptions", .string(CipherSettings.options(diagnosis.settingsWords))),
            .init("isAuthenticated", .boolean(diagnosis.isAuthenticated)),
            .init("log", log),
            .init("keyring", keyring.json),
        ])
    }

    private var log: JSONValue {
        guard let log = diagnosis.log else { return .null }
        return .object([
            .init("frameCount", .integer(Int64(log.frameCount))),
            .init("transactionCount", .integer(Int64(log.transactionCount))),
            .init("isOfThisFile", log.isOfThisFile.map { .boolean($0) } ?? .null),
        ])
    }

    private static func number(_ value: Int?) -> JSONValue {
        value.map { .integer(Int64($0)) } ?? .null
    }

    /// Each range as its first and its last page.
    static func ranges(_ ranges: [ClosedRange<Int>]) -> JSONValue {
        .array(
            ranges.map { range in
                .array([.integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound))])
            })
    }
}

extension DatabaseDiagnosis.Verdict {
    /// The verdict in a few words.
    var title: String {
        switch self {
        case .sound: "sound"
        case .keyNeeded: "encrypted, no key given"
        case .wrongKey: "wrong key"
        case .otherSettings: "right key, other settings"
        case .plaintext: "not encrypted"
        case .notADatabase: "not a database"
        case .empty: "empty"
        case .truncated: "truncated"
        case .damaged: "damaged"
        case .damagedSalt: "salt damaged"
        case .foreignLog: "log not of this file, or damaged"
        case .twoKeys: "two keys"
        }
    }
}
