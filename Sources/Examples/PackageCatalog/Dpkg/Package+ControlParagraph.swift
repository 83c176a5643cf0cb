extension Package {
    /// Reads a paragraph of dpkg's status file.
    ///
    /// What is wrong in a field that a package can do without is added to `problems`.
    ///
    /// - Throws: A problem, if a field is missing that the package cannot do without.
    init(_ paragraph: ControlParagraph, problems: inout [ControlProblem]) throws(ControlProblem) {
        name = try paragraph.required("Package")
        version = try paragraph.required("Version")
        architecture = try paragraph.required("Architecture")
        guard Package.isName(name) else {
            throw ControlProblem(
                line: paragraph.firstLine, message: "'\(name)' is not the name of a package")
        }
        guard Package.isVersion(version) else {
            throw ControlProblem(
                line: paragraph.firstLine, message: "'\(version)' is not a version of \(name)")
        }
        section = paragraph.optional("Section")
        maintainer = paragraph.optional("Maintainer").map(Maintainer.init(parsing:))
        homepage = paragraph.optional("Homepage")
        (summary, description) = Self.summaryAndDescription(paragraph)
        installedSize = Self.installedSize(paragraph, &problems)
        for kind in Requirement.Kind.allCases {
            requirements += paragraph.list(kind.rawValue, &problems) {
                (text) throws(PackageRelation.SyntaxError) in
                try Requirement(kind: kind, parsing: text)
            }
        }
        provides = paragraph.list("Provides", &problems) {
            (text) throws(PackageRelation.SyntaxError) in
            try PackageRelation(parsing: text).name
        }
    }

    /// The first line of the field, and those after it.
    private static func summaryAndDescription(
        _ paragraph: ControlParagraph
    ) -> (String?, String?) {
        guard let text = paragraph.optional("Description") else { return (nil, nil) }
        let summary = text.prefix { !$0.isNewline }
        let description = text.dropFirst(summary.count).trimmed
        return (String(summary), description.isEmpty ? nil : String(description))
    }

    private static func installedSize(
        _ paragraph: ControlParagraph, _ problems: inout [ControlProblem]
    ) -> Int64? {
        guard let field = paragraph["Installed-Size"] else { return nil }
        guard let kibibytes = Int64(field.value), (0...(Int64.max / 1024)).contains(kibibytes)
        else {
            let message = "Installed-Size '\(field.value)' is not a number of KiB"
            problems.append(ControlProblem(line: field.line, message: message))
            return nil
        }
        return kibibytes * 1024
    }
}

extension ControlParagraph {
    /// The elements of a field whose value is a list with commas; bad elements are left out.
    fileprivate func list<Element>(
        _ name: String,
        _ problems: inout [ControlProblem],
        parse: (Substring) throws(PackageRelation.SyntaxError) -> Element
    ) -> [Element] {
        guard let field = self[name], !field.value.isEmpty else { return [] }
        var elements: [Element] = []
        for text in field.value.split(separator: ",") where !text.trimmed.isEmpty {
            do {
                elements.append(try parse(text))
            } catch {
                let message = "\(name): \(error.message)"
                problems.append(ControlProblem(line: field.line, message: message))
            }
        }
        return elements
    }
}
