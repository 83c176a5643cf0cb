internal import StrongroomCore
internal import StrongroomEssentials

// JSON whose keys are the names of the columns, and whose values are what the columns store.

/// Reads a row from a document whose keys are the names of its columns. Macros call it.
public func _decode<Group: _ColumnGroup>(
    _ type: Group.Type, from decoder: any Decoder
) throws -> Group {
    try Group.row(of: JSONDocument(from: decoder))
}

/// Writes a row as a document whose keys are the names of its columns. Macros call it.
public func _encode<Group: _ColumnGroup>(_ row: Group, to encoder: any Encoder) throws {
    try Group._layout.document(of: row.encodedValues.map(\.binding)).encode(to: encoder)
}

extension TableLayout {
    /// A row as a document, with an object for each group. What is NULL is left out.
    fileprivate func document(of values: [QueryBinding]) throws -> JSONDocument {
        var document = JSONDocument.object([:])
        for (column, value) in zip(columns, values) {
            guard let value = try column.document(of: value) else { continue }
            let groups = column.property.split(separator: ".").dropLast().map(String.init)
            document.set(value, at: groups[...], column.name)
        }
        return document
    }
}

extension JSONDocument {
    fileprivate mutating func set(
        _ value: JSONDocument, at groups: ArraySlice<String>, _ name: String
    ) {
        guard case .object(var members) = self else { return }
        if let group = groups.first {
            members[group, default: .object([:])].set(value, at: groups.dropFirst(), name)
        } else {
            members[name] = value
        }
        self = .object(members)
    }
}

extension ColumnDescription {
    /// What the column stores, as it stands in a document; nil for NULL.
    fileprivate func document(of value: QueryBinding) throws -> JSONDocument? {
        switch value {
        case .null: return nil
        case .invalid(let error): throw error
        case .int(let number): return json == .bool ? .bool(number != 0) : .integer(number)
        case .double(let number):
            guard number.isFinite else {
                throw QueryBuildingError("\(number) is no number of JSON")
            }
            return .real(number)
        case .blob(let data): return .text(data.map(JSONText.hex).joined())
        case .text(let text):
            guard json == .document else { return .text(text) }
            return try JSONDecoder().decode(JSONDocument.self, from: Data(text.utf8))
        }
    }
}
