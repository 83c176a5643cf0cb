extension Expansion {
    /// Tells the columns in declared order.
    var describing: [String] {
        let head =
            "\(access)static func _describe(_ columns: inout \(Self.runtime).ColumnDescriptions) {"
        return [head] + indented(table.columns.map(description)) + ["}"]
    }

    private func description(_ column: Column) -> String {
        let type = table.isEnum ? TypeText.optional(storage(column)) : storage(column)
        var arguments = [swiftLiteral(column.name), metatype(type)]
        if column.name != column.property {
            arguments.append("property: \(swiftLiteral(column.property))")
        }
        var options: [String] = []
        if column.isPrimaryKey { options.append(".primaryKey") }
        if column.isGenerated { options.append(".generated") }
        if column.isLazy { options.append(".lazy") }
        if column.defaultValue != nil, !table.isEnum { options.append(".hasDefault") }
        if options.count == 1 { arguments.append(options[0]) }
        if options.count > 1 { arguments.append("[\(options.joined(separator: ", "))]") }
        if !column.policies.isEmpty {
            let policies = column.policies.map(resolve).joined(separator: ", ")
            arguments.append("policies: .init(\(policies))")
        }
        return "columns.add(\(arguments.joined(separator: ", ")))"
    }

    /// Reads each column where it stands.
    var decoding: [String] {
        let head =
            "\(access)init(decoder: inout some \(Self.runtime).QueryDecoder) throws {"
        if table.isEnum { return [head] + indented(caseDecoding) + ["}"] }
        let lines = table.columns.map { column in
            "self.\(column.escaped) = try decoder.decode(\(storage(column)).self)"
        }
        return [head] + indented(lines) + ["}"]
    }

    private var caseDecoding: [String] {
        let looks = table.columns.map { column in
            let label = column.label.map { "\($0): " } ?? ""
            let make =
                column.isBare ? "_ in .\(column.escaped)" : ".\(column.escaped)(\(label)$0)"
            let arguments = "\(swiftLiteral(column.property)), \(metatype(storage(column)))"
            return "try found.look(\(arguments), in: &decoder) { \(make) }"
        }
        return ["var found = \(Self.runtime).FoundCase<Self>()"] + looks
            + ["self = try found.value(in: decoder)"]
    }

    /// Writes each column in the same order.
    var encoding: [String] {
        let head = "\(access)func _encode(_ row: inout \(Self.runtime).RowEncoder) {"
        let lines = table.columns.map(table.isEnum ? caseEncoding : rowEncoding)
        return [head] + indented(lines) + ["}"]
    }

    private func rowEncoding(_ column: Column) -> String {
        let method = column.isGenerated ? "addGenerated" : "add"
        return "row.\(method)(self.\(column.escaped), as: \(storage(column)).self)"
    }

    private func caseEncoding(_ column: Column) -> String {
        let pattern = column.isBare ? ".\(column.escaped)" : ".\(column.escaped)(let value)"
        let value = column.isBare ? "true" : "value"
        let type = metatype(TypeText.optional(storage(column)))
        return "row.add({ if case \(pattern) = self { \(value) } else { nil } }(), as: \(type))"
    }
}
