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
        let value = column.defaultValue.map { " = " + resolve($0) } ?? ""
        return column.isInferred ? head + value : "\(head): \(draftType(column))\(value)"
    }

    /// The compiler's own is not public.
    private var draftInitialiser: [String] {
        guard table.access >= .package else { return [] }
        let parameters = draftColumns.map { column -> String in
            let type = draftType(column)
            let own = isLeftOut(column) ? nil : column.defaultValue.map(resolve)
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

    /// Keys of JSON that are the names of the columns.
    var coding: [String] {
        guard table.codesColumns, !table.isEnum, !table.ownMembers.contains("CodingKeys") else {
            return []
        }
        let cases = table.columns.map { column in
            "case \(column.escaped) = \(swiftLiteral(column.name))"
        }
        return ["\(access)enum CodingKeys: Swift.String, Swift.CodingKey {"] + indented(cases) + [
            "}"
        ]
    }
}
