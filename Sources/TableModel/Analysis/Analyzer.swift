/// Reads what a declaration describes. Each cause gives one finding, at the part that is at fault,
/// and the rest of the declaration is still described.
package struct Analyzer {
    let declaration: Declaration
    let attribute: Attribute
    let role: TableDescription.Role
    var findings: [Finding] = []

    private init(_ declaration: Declaration, attribute: Attribute, role: TableDescription.Role) {
        self.declaration = declaration
        self.attribute = attribute
        self.role = role
    }

    /// - parameter attribute: `@Table` or `@Selection`, which stands at the declaration.
    package static func analyze(
        _ declaration: Declaration, attribute: Attribute, role: TableDescription.Role
    ) -> Analysis {
        var analyzer = Analyzer(declaration, attribute: attribute, role: role)
        let description = analyzer.describe()
        return Analysis(description: description, findings: analyzer.findings)
    }

    private mutating func describe() -> TableDescription? {
        guard declaration.kind == .struct || declaration.kind == .enum else {
            report("'@\(role.rawValue)' applies to structs and enums", at: attribute.range)
            return nil
        }
        reportSecondMacro()
        var description = TableDescription(
            role: role, typeName: declaration.name.text, access: declaration.access,
            isEnum: declaration.kind == .enum, genericParameters: declaration.genericParameters,
            tableName: "")
        describeNames(&description)
        describeOptions(&description)
        reportForeignScope()
        for range in declaration.conditionalColumns {
            report(
                "'#if' around a column is not seen by '@\(role.rawValue)'; "
                    + "use '@Ephemeral' or two types", at: range)
        }
        if description.isEnum {
            describeCases(&description)
        } else {
            describeProperties(&description)
        }
        if description.columns.isEmpty && findings.isEmpty {
            let part = description.isEnum ? "case" : "stored property"
            report(
                "'@\(role.rawValue)' needs a \(part) to make a column of", at: attribute.range)
        }
        reportDoubledNames(description.columns)
        reportDoubledKeys(&description)
        reportOwnCoding(description)
        reportRecordCoding(&description)
        return description
    }

    mutating func report(
        _ message: String, as severity: Finding.Severity = .error, at range: SourceSpan,
        notes: [Note] = [], fixIts: [FixIt] = []
    ) {
        findings.append(Finding(message, as: severity, at: range, notes: notes, fixIts: fixIts))
    }

    private mutating func reportSecondMacro() {
        guard role == .table, let selection = declaration.attribute("Selection") else { return }
        report(
            "'@Table' is for rows that are stored, '@Selection' for rows that a query makes; "
                + "'@Table' alone does both", as: .warning, at: selection.range,
            fixIts: [
                FixIt("Remove '@Selection'", replacing: selection.range, with: ""),
                FixIt("Remove '@Table'", replacing: attribute.range, with: ""),
            ])
    }

    private mutating func reportDoubledNames(_ columns: [Column]) {
        var first: [String: Column] = [:]
        for column in columns {
            let name = column.name.lowercased()
            guard let other = first[name] else {
                first[name] = column
                continue
            }
            report(
                "column \"\(column.name)\" is declared twice", at: column.range,
                notes: [Note("the first is here", at: other.range)])
        }
    }

    private mutating func reportDoubledKeys(_ description: inout TableDescription) {
        let keys = description.columns.indices.filter { description.columns[$0].isPrimaryKey }
        guard let first = keys.first else { return }
        for index in keys.dropFirst() {
            let column = description.columns[index]
            description.columns[index].isPrimaryKey = false
            let mark = declaration.properties
                .first { $0.bindings.contains { $0.name?.text == column.property } }?
                .attribute("Column", "Columns")
            report(
                "two primary keys; make a key of several columns a '@Selection'",
                at: mark?.argument("primaryKey")?.range ?? column.range,
                notes: [Note("the first is here", at: description.columns[first].range)],
                fixIts: mark.map { [Self.removal(of: "primaryKey", from: $0, "primaryKey: true")] }
                    ?? [])
        }
    }

    private mutating func reportOwnCoding(_ description: TableDescription) {
        let asked = attribute.argument("coding") != nil
        guard asked, description.codesColumns else { return }
        for name in ["CodingKeys", "init(from:)", "encode(to:)"] {
            guard let range = declaration.ownMembers[name] else { continue }
            report(
                "'coding: .columns' generates '\(name)'", at: range,
                fixIts: [FixIt("Remove '\(name)'", replacing: range, with: "")])
        }
    }

    /// The fix-it that takes an argument away, and the attribute with it when nothing else is in
    /// it.
    static func removal(of label: String, from attribute: Attribute, _ text: String) -> FixIt {
        let message = "Remove '\(text)'"
        guard attribute.arguments.count > 1, let argument = attribute.argument(label) else {
            return FixIt(message, replacing: attribute.range, with: "")
        }
        guard argument == attribute.arguments.last else {
            return FixIt(message, replacing: argument.range, with: "")
        }
        let before = attribute.arguments[attribute.arguments.count - 2]
        return FixIt(
            message, replacing: SourceSpan(before.value.range.end, argument.value.range.end),
            with: "")
    }
}
