/// One block of `Name: value` fields; in dpkg's status file, one package.
struct ControlParagraph {
    struct Field: Equatable {
        /// What follows the colon; the lines of a longer value are separated by newlines.
        var value: String
        /// Where the field begins in the file.
        var line: Int
    }

    let firstLine: Int
    private var fields: [String: Field] = [:]

    init(firstLine: Int) {
        self.firstLine = firstLine
    }

    /// Field names are equal whatever their case is.
    subscript(name: String) -> Field? {
        get { fields[name.lowercased()] }
        set { fields[name.lowercased()] = newValue }
    }

    /// The value of a field that must be there and must not be empty.
    func required(_ name: String) throws(ControlProblem) -> String {
        guard let field = self[name] else {
            throw ControlProblem(line: firstLine, message: "a package without '\(name)' is skipped")
        }
        guard !field.value.isEmpty else {
            throw ControlProblem(
                line: field.line, message: "a package with an empty '\(name)' is skipped")
        }
        return field.value
    }

    /// The value of a field that may be missing; an empty value counts as missing.
    func optional(_ name: String) -> String? {
        guard let value = self[name]?.value, !value.isEmpty else { return nil }
        return value
    }
}
