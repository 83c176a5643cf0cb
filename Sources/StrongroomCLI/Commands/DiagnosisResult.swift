import Strongroom

/// What `strongroom doctor` reports of one file.
struct DiagnosisResult {
    let diagnosis: DatabaseDiagnosis

    /// What the shell gets, unless the file is sound.
    var failure: Failure? {
        guard diagnosis.verdict != .sound else { return nil }
        return Failure(exitCode, diagnosis.summary, hint: advice)
    }

    private var exitCode: ExitCode {
        switch diagnosis.verdict {
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

    /// What to type, where the library can only say what to call.
    private var advice: String? {
        let file = ShellWord.text(diagnosis.path)
        let hint: String? =
            switch diagnosis.verdict {
            case .plaintext where diagnosis.missingPages.isEmpty:
                "strongroom encrypt \(file) OUT makes an encrypted copy"
            case .keyNeeded: "give its key with --key-file PATH or its like"
            case .truncated, .damaged:
                "write nothing to it; look for a backup, or strongroom salvage \(file) OUT"
                    + (diagnosis.pagesOfKeys.count < 2
                        ? "; if its key was changed lately, give the other key with --old-key-file"
                        : "")
            case .damagedSalt:
                "write nothing to it; strongroom salvage \(file) OUT writes a whole copy (for a "
                    + "passphrase, with --salt-from BACKUP)"
            case .wrongKey where diagnosis.lacksSalt:
                "give its salt: a raw key of 96 digits, or --cipher-settings salt=HEX"
            case .wrongKey where diagnosis.pagesOfKeys.isEmpty:
                "try the key that was in use when the file was written; --salt-from BACKUP, if the "
                    + "beginning of the file may be damaged"
            case .otherSettings where !diagnosis.isAuthenticated:
                "if it was made without HMACs, give every command --cipher-settings "
                    + diagnosis.settingsWords
            case .otherSettings:
                "every command finds them; strongroom salvage \(file) OUT writes a copy with the usual "
                    + "ones, strongroom rotate-key \(file) --compatibility 4 changes them in place"
            case .twoKeys where !(diagnosis.advice ?? "").hasPrefix("open it once"):
                "write nothing to it; strongroom salvage \(file) OUT with both keys makes it whole"
            default: nil
            }
        return hint ?? diagnosis.advice
    }

    var text: String {
        var lines = [VisibleText.text(of: diagnosis.path) + ": " + diagnosis.verdict.title]
        var facts = [diagnosis.summary]
        if let pageSize = diagnosis.pageSize, let pageCount = diagnosis.pageCount {
            let expected = diagnosis.expectedPageCount.map { $0 == pageCount ? "" : " of \($0)" }
            facts.append("\(pageCount)\(expected ?? "") pages of \(pageSize) bytes")
        }
        if let log = diagnosis.log {
            facts.append(
                "log: \(log.frameCount) frames, \(log.transactionCount) transactions")
        }
        facts += diagnosis.notes
        if let advice { facts.append("next: " + advice) }
        lines += facts.map { "    " + VisibleText.text(of: $0) }
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
            .init("isAuthenticated", .boolean(diagnosis.isAuthenticated)),
            .init("log", log),
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
