/// Splits a file in Debian's control format into paragraphs.
///
///     Package: adduser
///     Description: add and remove users and groups
///      A line that begins with a space continues the field above it,
///      .
///      and a space with a full stop stands for an empty line.
struct ControlParser {
    private(set) var problems: [ControlProblem] = []
    private var lines: LineReader

    init(lines: LineReader) {
        self.lines = lines
    }

    /// The next paragraph, or nil at the end of the file.
    mutating func next() throws -> ControlParagraph? {
        var paragraph: ControlParagraph?
        var lastField: String?
        while let line = try lines.next() {
            if !line.isValid {
                report("bytes that are not UTF-8 were replaced", line)
            }
            guard line.text.contains(where: { !$0.isWhitespace }) else {
                if let paragraph { return paragraph }
                continue
            }
            if line.text.first == " " || line.text.first == "\t" {
                extend(lastField, of: &paragraph, with: line)
            } else {
                lastField = addField(line, to: &paragraph)
            }
        }
        return paragraph
    }

    private mutating func addField(
        _ line: LineReader.Line, to paragraph: inout ControlParagraph?
    ) -> String? {
        let parts = line.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, isFieldName(parts[0]) else {
            report("expected 'Name: value', found '\(line.text.prefix(40))'", line)
            return nil
        }
        let name = String(parts[0])
        var target = paragraph ?? ControlParagraph(firstLine: line.number)
        defer { paragraph = target }
        guard target[name] == nil else {
            report("'\(name)' is given twice; the first one counts", line)
            return nil
        }
        target[name] = .init(value: parts[1].trimmed, line: line.number)
        return name
    }

    private mutating func extend(
        _ field: String?, of paragraph: inout ControlParagraph?, with line: LineReader.Line
    ) {
        guard let field, var content = paragraph?[field] else {
            // What continues a line that was reported already is not worth another report.
            if paragraph == nil { report("a continuation line that continues nothing", line) }
            return
        }
        let text = line.text.dropFirst()
        content.value += "\n" + (text.trimmed == "." ? "" : text)
        paragraph?[field] = content
    }

    private func isFieldName(_ text: Substring) -> Bool {
        guard let first = text.first, first != "-", first != "#" else { return false }
        return text.allSatisfy { $0.isASCII && !$0.isWhitespace }
    }

    private mutating func report(_ message: String, _ line: LineReader.Line) {
        problems.append(ControlProblem(line: line.number, message: message))
    }
}
