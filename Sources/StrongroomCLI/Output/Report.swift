/// An error, a warning or a note on standard error, as text or as one line of JSON.
struct Report {
    enum Kind {
        case error(ExitCode)
        case warning
        case note
    }

    let kind: Kind
    let message: String
    let hint: String?
    var hasColors = false

    /// Standard error may be closed; there is nowhere left to say so.
    func write(to output: TextOutput, asJSON: Bool) {
        try? output.write(asJSON ? json.text + "\n" : text)
        try? output.flush()
    }

    private var text: String {
        let label =
            switch kind {
            case .error: TextColor.bad.paint("error:", if: hasColors)
            case .warning: TextColor.doubtful.paint("warning:", if: hasColors)
            case .note: "note:"
            }
        // A path or a message from SQLite may hold anything.
        let line = "strongroom: \(label) \(VisibleText.text(of: message))\n"
        let advice = TextColor.advice.paint("hint:", if: hasColors)
        return line + (hint.map { "strongroom: \(advice) \(VisibleText.text(of: $0))\n" } ?? "")
    }

    private var json: JSONValue {
        var members = [JSONValue.Member("message", .string(message))]
        if let hint { members.append(.init("hint", .string(hint))) }
        switch kind {
        case .error(let code):
            let exit = JSONValue.Member("exitCode", .integer(Int64(code.rawValue)))
            members = [.init("code", .string(code.name)), exit] + members
            return .object([.init("error", .object(members))])
        case .warning:
            return .object([.init("warning", .object(members))])
        case .note:
            return .object([.init("note", .object(members))])
        }
    }
}
