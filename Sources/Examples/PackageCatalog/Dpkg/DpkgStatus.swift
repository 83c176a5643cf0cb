/// The packages that dpkg has installed, read one at a time from its status file.
///
///     var status = try DpkgStatus(path: "/var/lib/dpkg/status")
///     while let package = try status.next() { … }
struct DpkgStatus {
    /// Packages that dpkg knows, but that are not installed.
    private(set) var skippedCount = 0
    private var parser: ControlParser
    private var packageProblems: [ControlProblem] = []

    init(lines: LineReader) {
        parser = ControlParser(lines: lines)
    }

    init(path: String) throws {
        self.init(lines: try LineReader(path: path))
    }

    /// What could not be understood so far, in the order of the file.
    var problems: [ControlProblem] {
        (parser.problems + packageProblems).sorted { $0.line < $1.line }
    }

    mutating func next() throws -> Package? {
        while let paragraph = try parser.next() {
            guard isInstalled(paragraph) else {
                skippedCount += 1
                continue
            }
            do {
                return try Package(paragraph, problems: &packageProblems)
            } catch {
                packageProblems.append(error)
            }
        }
        return nil
    }

    /// The last of the three words in `Status: install ok installed` tells.
    private func isInstalled(_ paragraph: ControlParagraph) -> Bool {
        guard let status = paragraph.optional("Status") else { return true }
        return status.split(separator: " ").last == "installed"
    }
}
