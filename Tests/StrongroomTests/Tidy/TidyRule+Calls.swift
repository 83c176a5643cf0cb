extension TidyRule {
    /// Calls and words that have a better replacement.
    static let bannedCalls: [TidyRule] = [
        TidyRule(
            ban: "try!", needles: ["try!"], pattern: { #/(?:^|\W)try!/# },
            instead: "Throw, or use `try #require` in a test."),
        TidyRule(
            ban: "as!", needles: ["as!"], pattern: { #/(?:^|\W)as!/# },
            instead: "Use `as?` and say what happens when it is another type."),
        TidyRule(
            ban: "unfinished", needles: ["not implemented", "TODO", "FIXME"],
            pattern: { #/not implemented|(?:^|\W)(?:TODO|FIXME)(?:\W|$)/# }, inComments: true,
            instead: "Finish it, or leave it out."
        ) { $0.isSwift && !$0.isInside("Tests/StrongroomTests/Tidy") },
        TidyRule(
            ban: "print", needles: ["print(", "debugPrint(", "NSLog("],
            pattern: { #/(?:^|[^.\w`]|Swift\.)(?:print|debugPrint|NSLog)\(/# },
            instead: "A library does not write to its program's output: throw, or use the log hook."
        ) { $0.isInside("Sources/StrongroomCore") },
        TidyRule(
            ban: "option of the tool", needles: ["\""],
            pattern: {
                #/"[^"]*(?:--[a-z]{3}|strongroom (?:backup|check|copy|decrypt|doctor|encrypt))/#
            }, inComments: true,
            instead: "A library says what to call: what to type stands in StepHints of the tool."
        ) { file in
            ["StrongroomCore", "StrongroomBackup"].contains { file.isInside("Sources/\($0)") }
        },
        TidyRule(
            ban: "sleep", needles: ["sleep("], pattern: { #/(?:^|\W)(?:u|nano)?sleep\(/# },
            instead: "Wait for the event itself, with a confirmation, a semaphore or a stream."
        ) { $0.isSwift && $0.isInside("Tests") },
        TidyRule(
            ban: "DateFormatter", needles: ["DateFormatter"], pattern: { #/DateFormatter/# },
            instead: "Format dates by arithmetic: a formatter is slow and follows the locale."
        ) { $0.isInside("Sources/StrongroomCore/Values") },
        TidyRule(
            ban: "import CSQLCipher", needles: ["import CSQLCipher"],
            pattern: { #/import CSQLCipher/# },
            instead: "Only Engine talks to C: offer there what is needed here."
        ) { $0.isInside("Sources") && !$0.isInside("Sources/StrongroomCore/Engine") },
    ]

    /// Promises to the compiler that someone must have thought about.
    static let safety = TidyRule("safety") { file in
        guard file.isSwift else { return [] }
        return file.code.indices.compactMap { index in
            let line = file.code[index]
            guard
                line.hasBytes(of: "@unchecked Sendable")
                    || line.hasBytes(of: "nonisolated(unsafe)"),
                !file.saysWhySafe(index)
            else { return nil }
            return Complaint(
                line: index + 1,
                advice: "Say beside it why it holds: `// Safety: …`, or use a Mutex.")
        }
    }
}

extension SourceFile {
    /// Whether the comment above says so, or the first line inside.
    fileprivate func saysWhySafe(_ index: Int) -> Bool {
        let inside = lines[index].hasSuffix("{") ? lines[(index + 1)...].prefix(1) : []
        return (commentAbove(index) + inside).contains { $0.contains("// Safety:") }
    }

    /// The comment lines that end just above a line, or above its attributes.
    func commentAbove(_ index: Int) -> [String] {
        var comment: [String] = []
        var index = index - 1
        while index >= 0 {
            let line = lines[index].drop { $0 == " " }
            if line.hasPrefix("//") {
                comment.append(String(line))
            } else if comment.isEmpty, let start = attributeStart(endingAt: index) {
                index = start
            } else {
                break
            }
            index -= 1
        }
        return comment.reversed()
    }

    /// The first line of an attribute, whose arguments may go over several lines.
    private func attributeStart(endingAt end: Int) -> Int? {
        var depth = 0
        for index in stride(from: end, through: 0, by: -1) {
            depth += lines[index].count { $0 == ")" } - lines[index].count { $0 == "(" }
            guard depth > 0 else {
                return lines[index].drop { $0 == " " }.hasPrefix("@") ? index : nil
            }
        }
        return nil
    }
}
