/// Reads what a declaration with `@Record` describes: the properties that Codable would take.
package struct RecordAnalyzer {
    private let declaration: Declaration
    private let attribute: Attribute
    private var findings: [Finding] = []

    /// - Parameter attribute: `@Record`, which stands at the declaration.
    package static func analyze(
        _ declaration: Declaration, attribute: Attribute
    ) -> (description: RecordDescription?, findings: [Finding]) {
        var analyzer = RecordAnalyzer(declaration: declaration, attribute: attribute)
        let description = analyzer.describe()
        let failed = analyzer.findings.contains { $0.severity == .error }
        return (failed ? nil : description, analyzer.findings)
    }

    private init(declaration: Declaration, attribute: Attribute) {
        self.declaration = declaration
        self.attribute = attribute
    }

    private mutating func report(
        _ message: String, as severity: Finding.Severity = .error, at range: SourceSpan,
        fixIts: [FixIt] = []
    ) {
        findings.append(Finding(message, as: severity, at: range, fixIts: fixIts))
    }

    private mutating func describe() -> RecordDescription? {
        guard declaration.kind == .struct else {
            report(
                "'@Record' applies to structs; a class declares 'init(row:)' itself",
                at: attribute.range)
            return nil
        }
        reportOtherMacro()
        for range in declaration.conditionalColumns {
            report("'#if' around a property is not seen by '@Record'", at: range)
        }
        var description = RecordDescription(
            access: declaration.access, isGeneric: !declaration.genericParameters.isEmpty)
        description.properties = properties()
        let namesReading = declaration.names("FetchableRecord")
        let namesWriting = declaration.names(
            "EncodableRecord", "MutablePersistableRecord", "PersistableRecord")
        description.isRead = namesReading || !namesWriting
        description.isWritten = namesWriting || !namesReading
        description.hasReading = declaration.ownMembers["init(row:)"] != nil
        description.hasWriting = declaration.ownMembers[Declaration.encodingIntoContainer] != nil
        description.hasColumns = declaration.nestedTypes.contains { $0.name == "Columns" }
        description.availability = declaration.attributes.filter { $0.name == "available" }
            .map(\.source.text)
        if description.properties.isEmpty && findings.isEmpty {
            report("'@Record' needs a stored property to read a column into", at: attribute.range)
        }
        reportOwnCoding()
        return description
    }

    private mutating func reportOtherMacro() {
        guard let other = declaration.attribute("Table") ?? declaration.attribute("Selection")
        else { return }
        report(
            "'@\(other.name)' reads and writes the columns already", at: attribute.range,
            fixIts: [FixIt("Remove '@Record'", replacing: attribute.range, with: "")])
    }

    /// What Codable calls, and `@Record` does not.
    private mutating func reportOwnCoding() {
        let ofContainer = declaration.ownMembers[Declaration.encodingIntoContainer]
        for name in ["init(from:)", "encode(to:)"] {
            guard let range = declaration.ownMembers[name], range != ofContainer else { continue }
            report(
                "'@Record' reads and writes the properties, and does not call '\(name)'",
                as: .warning, at: range)
        }
    }

    // MARK: - Properties

    private mutating func properties() -> [RecordDescription.Property] {
        var properties: [RecordDescription.Property] = []
        for property in declaration.properties where !property.isStatic && !property.isLazy {
            for binding in property.bindings where !binding.isComputed {
                if let described = described(binding, of: property) { properties.append(described) }
            }
        }
        let names = Set(properties.map(\.name))
        for key in declaration.codingKeys ?? [] where !names.contains(key.name.text) {
            report("there is no stored property '\(key.name.text)'", at: key.name.range)
        }
        return properties
    }

    private mutating func described(
        _ binding: Property.Binding, of property: Property
    ) -> RecordDescription.Property? {
        guard let name = binding.name else {
            report("'@Record' takes properties with a name each", at: binding.range)
            return nil
        }
        if let wrapper = property.attributes.first(where: { !Analyzer.isKnown($0) }) {
            report(
                "'\(name.text)' has the property wrapper '@\(wrapper.name)', which '@Record' "
                    + "cannot read", at: wrapper.range)
            return nil
        }
        var described = RecordDescription.Property(name: name.text, key: name.text)
        described.isConstant = property.isLet && binding.value != nil
        guard let keys = declaration.codingKeys else { return described }
        if let key = keys.first(where: { $0.name.text == name.text }) {
            described.key = key.rawValue ?? name.text
            return described
        }
        let isNilByItself =
            !property.isLet && (binding.type.map { TypeText.isOptional($0.text) } ?? false)
        if binding.value == nil && !isNilByItself {
            report("'\(name.text)' has no coding key, and no default", at: name.range)
        }
        return nil
    }
}
