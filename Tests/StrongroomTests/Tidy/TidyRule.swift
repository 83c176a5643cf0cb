import Testing

/// Something that the project's files do, or do not do.
struct TidyRule: Sendable, CustomTestStringConvertible {
    let name: String
    /// The lines, counted from 1, where a file breaks the rule, each with what to do instead.
    let complaints: @Sendable (SourceFile) -> [Complaint]

    struct Complaint: Equatable, Sendable {
        var line: Int
        var advice: String
    }

    var testDescription: String { name }

    init(_ name: String, complaints: @escaping @Sendable (SourceFile) -> [Complaint]) {
        self.name = name
        self.complaints = complaints
    }
}

extension TidyRule {
    /// What is banned, where, and what stands in its place.
    ///
    /// - parameters:
    ///     - needles: one of them must be in a line before the slower pattern is tried.
    ///     - inComments: whether comments and strings are looked at too.
    init(
        ban name: String, needles: [String], pattern: @escaping @Sendable () -> Regex<Substring>,
        inComments: Bool = false, instead advice: String,
        where applies: @escaping @Sendable (SourceFile) -> Bool = { $0.isSwift }
    ) {
        self.init(name) { file in
            guard applies(file) else { return [] }
            let lines = inComments || !file.isSwift ? file.lines : file.code
            return lines.indices.compactMap { index in
                let line = lines[index]
                guard needles.contains(where: line.hasBytes) else { return nil }
                return line.contains(pattern()) ? Complaint(line: index + 1, advice: advice) : nil
            }
        }
    }
}
