extension Analyzer {
    mutating func describeCases(_ description: inout TableDescription) {
        for enumCase in declaration.cases {
            reportAttributes(of: enumCase)
            if let column = column(of: enumCase) { description.columns.append(column) }
        }
        guard !description.columns.isEmpty, description.columns.allSatisfy(\.isBare) else { return }
        report(
            "no case has a value: give the enum a raw value and make it 'QueryBindable'",
            at: attribute.range)
    }

    private mutating func column(of enumCase: EnumCase) -> Column? {
        guard enumCase.values.count <= 1 else {
            report(
                "a case holds one value; use a '@Selection' for several", at: enumCase.range)
            return nil
        }
        let value = enumCase.values.first
        var column = Column(
            property: enumCase.name.text, name: value?.label?.text ?? enumCase.name.text,
            type: value?.type.text ?? "Swift.Bool", range: enumCase.name.range)
        column.isBare = value == nil
        column.label = value?.label?.text
        column.defaultValue = value?.defaultValue?.text
        if let value { reportOptional(value, &column) }
        if let attribute = enumCase.attribute("Column", "Columns") {
            for argument in attribute.arguments {
                switch argument.label {
                case nil: readName(argument, &column)
                case "as": readRepresentation(argument, &column)
                default: break
                }
            }
        }
        return column
    }

    private mutating func reportOptional(_ value: EnumCase.Value, _ column: inout Column) {
        guard let inner = TypeText.unwrapped(value.type.text) else { return }
        report(
            "a case's value cannot be nil", at: value.type.range,
            notes: [Note("nil would look like another case", at: value.type.range)],
            fixIts: [FixIt("Remove '?'", replacing: value.type.range, with: inner)])
        column.type = inner
    }

    private mutating func reportAttributes(of enumCase: EnumCase) {
        if let ephemeral = enumCase.attribute("Ephemeral") {
            report(
                "'@Ephemeral' does not apply to a case", at: ephemeral.range,
                fixIts: [FixIt("Remove '@Ephemeral'", replacing: ephemeral.range, with: "")])
        }
        for attribute in enumCase.attributes where attribute.name.hasPrefix("Column") {
            for argument in attribute.arguments {
                guard let label = argument.label,
                    [
                        "primaryKey", "generated", "lazyInitializable", "merge", "owner",
                        "renamedFrom",
                    ].contains(label)
                else { continue }
                report("'\(label)' does not apply to a case", at: argument.range)
            }
        }
    }
}
