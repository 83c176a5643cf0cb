/// Problems for people: one on each line, and of many the first.
enum ProblemList {
    private static let shownCount = 20

    static func lines(_ problems: [String], indentation: String = "") -> [String] {
        let shown = problems.prefix(shownCount).map { indentation + VisibleText.text(of: $0) }
        guard problems.count > shownCount else { return shown }
        return shown + ["\(indentation)and \(problems.count - shownCount) more (see --json)"]
    }
}
