/// Labels and values in two columns.
struct FieldList {
    private var fields: [(label: String, value: String)] = []

    mutating func append(_ label: String, _ value: String) {
        fields.append((label, VisibleText.text(of: value)))
    }

    func write(to output: TextOutput) throws(Failure) {
        let width = fields.map { DisplayWidth.columns(of: $0.label) }.max() ?? 0
        for (label, value) in fields {
            let padding = String(
                repeating: " ", count: width - DisplayWidth.columns(of: label) + 2)
            try output.writeLine(label + padding + value)
        }
    }
}
