extension Expansion {
    private var draftColumns: [Column] { table.columns.filter { !$0.isGenerated } }

    /// A row that is not in the table yet.
    var draft: [String] {
        let conformances =
            "\(Self.runtime).TableDraft" + (table.isSendable ? ", Swift.Sendable" : "")
        return ["\(access)struct Draft: \(conformances) {"]
            + indented(
                [
                    "\(access)typealias DraftedTable = \(type)",
                    "\(access)typealias TableColumns = \(type).TableColumns",
                    "\(access)typealias OuterColumns = \(type).OuterColumns",
                ] + draftColumns.map(draftProperty)
                    + draftInitialiser + draftEncoding + draftCopy) + ["}"]
    }

    /// Whether a draft may leave the column to the database.
    private func isLeftOut(_ column: Column) -> Bool { column.isPrimaryKey || column.isLazy }

    private func draftType(_ column: Column) -> String {
        let type = swiftType(column)
        return isLeftOut(column) ? TypeText.optional(type) : type
    }

    private func draftProperty(_ column: Column) -> String {
        let attributes = column.availability.map { $0 + " " }.joined()
        let head = "\(attributes)\(access)var \(column.escaped)"
        if isLeftOut(column) { return "\(head): \(draftType(column))" }
        let value = resolvedDefault(column).map { " = " + $0 } ?? ""
        return column.isInferred ? head + value : "\(head): \(draftType(column))\(value)"
    }

    /// The compiler's own is not public.
    private var draftInitialiser: [String] {
        guard table.access >= .package else { return [] }
        let parameters = draftColumns.map { column -> String in
            let type = draftType(column)
            let own = isLeftOut(column) ? nil : resolvedDefault(column)
            let value = own ?? (TypeText.isOptional(type) ? "nil" : nil)
            return "\(column.escaped): \(type)" + (value.map { " = \($0)" } ?? "")
        }
        let assignments = draftColumns.map { "self.\($0.escaped) = \($0.escaped)" }
        return ["\(access)init("] + indented(separated(parameters)) + [") {"]
            + indented(assignments) + ["}"]
    }

    private var draftEncoding: [String] {
        let lines = table.columns.map { column -> String in
            let type = "\(storage(column)).self"
            if column.isGenerated { return "row.skip(\(type))" }
            // The key of a row may be optional by itself: nil is left out, too.
            let leftOut = isLeftOut(column)
            let unwrapped = leftOut ? "\(unwrappedStorage(column)).self" : type
            return
                "row.\(leftOut ? "addUnlessNil" : "add")(self.\(column.escaped), as: \(unwrapped))"
        }
        return ["\(access)func _encode(_ row: inout \(Self.runtime).RowEncoder) {"]
            + indented(lines)
            + ["}"]
    }

    private var draftCopy: [String] {
        let arguments = draftColumns.map { "\(argumentLabel($0)): row.\($0.escaped)" }
        return [
            "\(access)static func _copy(_ row: \(type)) -> Self {",
            "    Self(\(arguments.joined(separator: ", ")))",
            "}",
        ]
    }

    private func argumentLabel(_ column: Column) -> String {
        ["inout", "var", "let"].contains(column.property) ? column.escaped : column.property
    }

    /// Keys of JSON that are the names of the columns, and the coding of what the compiler would
    /// code in another way: cases, and representations.
    var coding: [String] {
        guard table.codesColumns, !table.ownMembers.contains("CodingKeys") else { return [] }
        let cases = table.columns.map { column in
            let isOwnName = column.name == column.property
            return "case \(column.escaped)" + (isOwnName ? "" : " = \(swiftLiteral(column.name))")
        }
        let keys =
            ["\(access)enum CodingKeys: Swift.String, Swift.CodingKey {"] + indented(cases) + ["}"]
        guard table.isEnum || table.columns.contains(where: { $0.representation != nil }) else {
            return keys
        }
        var lines = keys
        if table.decodesColumns, !table.ownMembers.contains("init(from:)") {
            lines += [
                "\(access)init(from decoder: any Swift.Decoder) throws {",
                "    self = try \(Self.runtime)._decode(Self.self, from: decoder)", "}",
            ]
        }
        if table.encodesColumns, !table.ownMembers.contains("encode(to:)") {
            lines += [
                "\(access)func encode(to encoder: any Swift.Encoder) throws {",
                "    try \(Self.runtime)._encode(self, to: encoder)", "}",
            ]
        }
        return lines
    }
}
