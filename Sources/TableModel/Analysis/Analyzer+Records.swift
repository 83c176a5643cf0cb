extension Analyzer {
    private static let recordProtocols = [
        "TableRecord", "FetchableRecord", "EncodableRecord", "PersistableRecord",
        "MutablePersistableRecord",
    ]

    /// Finds out whether a record keeps a coding of its own, and warns where that and the columns store
    /// different things.
    mutating func reportRecordCoding(_ description: inout TableDescription) {
        guard role == .table else { return }
        let asks = attribute.argument("records")?.value.kind == .implicitMember("codable")
        description.keepsRecordCoding = asks || description.ownMembers.contains(where: isCoding)
        let isRecord = description.inherited.contains { type in
            Self.recordProtocols.contains { type.hasSuffix($0) }
        }
        let choosesUUIDs = description.ownMembers.contains {
            $0.hasPrefix("databaseUUIDEncodingStrategy")
        }
        guard description.keepsRecordCoding, isRecord, !choosesUUIDs else { return }
        for column in description.columns where column.representation == nil {
            guard ["UUID", "Foundation.UUID"].contains(TypeText.base(column.type ?? "")) else {
                continue
            }
            report(
                "the record writes '\(column.property)' as a blob, typed statements as text",
                as: .warning, at: column.range, fixIts: bytesRepresentation(of: column))
        }
    }

    /// What a user writes to choose how a record is read or written.
    private func isCoding(_ member: String) -> Bool {
        if member == "encode(to:)" || member == "init(from:)" { return true }
        let name = member.prefix { $0 != "(" }
        return name.hasPrefix("database") && name.hasSuffix("Strategy")
    }

    private func bytesRepresentation(of column: Column) -> [FixIt] {
        let property = declaration.properties.first { property in
            property.bindings.contains { $0.name?.text == column.property }
        }
        guard let property else { return [] }
        let argument = "as: UUID.BytesRepresentation.self"
        let message = "Add '@Column(\(argument))'"
        if let last = property.attribute("Column", "Columns")?.arguments.last {
            return [FixIt(message, replacing: last.value.range.ending, with: ", \(argument)")]
        }
        return [
            FixIt(message, replacing: property.range.beginning, with: "@Column(\(argument)) ")
        ]
    }
}
