// What is true by default is not written. What is not known is refused: a misspelt field of a file
// that someone wrote by hand would leave a property unchecked.

/// The name of a field in a file.
struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
    init(_ name: String) { stringValue = name }
}

extension KeyedDecodingContainer<FieldName> {
    /// - Throws: When there is a field of another name.
    func refuseFields(besides names: Set<String>) throws {
        let unknown = allKeys.map(\.stringValue).filter { !names.contains($0) }.sorted()
        guard let first = unknown.first else { return }
        let isWhole = codingPath.isEmpty
        throw SchemaFileError("\(isWhole ? "it" : place) has an unknown field \"\(first)\"")
    }

    /// `tables[2].columns[0]`
    var place: String {
        codingPath.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }

    func value<Value: Decodable>(_ name: String, or value: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: FieldName(name)) ?? value
    }

    func value<Value: Decodable>(_ name: String) throws -> Value {
        try decode(Value.self, forKey: FieldName(name))
    }
}

extension KeyedEncodingContainer<FieldName> {
    mutating func write(_ value: some Encodable, _ name: String) throws {
        try encode(value, forKey: FieldName(name))
    }

    mutating func write(_ value: Bool, _ name: String) throws {
        if value { try encode(true, forKey: FieldName(name)) }
    }

    mutating func writeIfPresent(_ value: (some Encodable)?, _ name: String) throws {
        if let value { try encode(value, forKey: FieldName(name)) }
    }
}

extension TableSchema.Column: Codable {
    private static let fields: Set = [
        "name", "property", "type", "representation", "affinity", "isOptional", "keyPosition",
        "isGenerated", "isLazy", "hasDefault", "merge", "isOwner", "renamedFrom",
    ]

    /// Reads a column of `tables.json`.
    ///
    /// - Throws: When a field is missing, unknown or of another type.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: FieldName.self)
        try fields.refuseFields(besides: Self.fields)
        name = try fields.value("name")
        property = try fields.value("property", or: name)
        type = try fields.value("type")
        representation = try fields.decodeIfPresent(
            String.self, forKey: FieldName("representation"))
        affinity = try fields.value("affinity")
        isOptional = try fields.value("isOptional", or: false)
        keyPosition = try fields.decodeIfPresent(Int.self, forKey: FieldName("keyPosition"))
        isGenerated = try fields.value("isGenerated", or: false)
        isLazy = try fields.value("isLazy", or: false)
        hasDefault = try fields.value("hasDefault", or: false)
        policies.merge = try fields.decodeIfPresent(MergePolicy.self, forKey: FieldName("merge"))
        policies.isOwner = try fields.value("isOwner", or: false)
        policies.renamedFrom = try fields.decodeIfPresent(
            String.self, forKey: FieldName("renamedFrom"))
    }

    /// Writes a column of `tables.json`.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: FieldName.self)
        try fields.write(name, "name")
        if property != name { try fields.write(property, "property") }
        try fields.write(type, "type")
        try fields.writeIfPresent(representation, "representation")
        try fields.write(affinity, "affinity")
        try fields.write(isOptional, "isOptional")
        try fields.writeIfPresent(keyPosition, "keyPosition")
        try fields.write(isGenerated, "isGenerated")
        try fields.write(isLazy, "isLazy")
        try fields.write(hasDefault, "hasDefault")
        try fields.writeIfPresent(policies.merge, "merge")
        try fields.write(policies.isOwner, "isOwner")
        try fields.writeIfPresent(policies.renamedFrom, "renamedFrom")
    }
}

extension TableSchema: Codable {
    private static let fields: Set = [
        "type", "name", "schema", "kind", "isFullText", "columns", "onConflictingDelete",
        "renamedFrom",
    ]

    /// Reads a table of `tables.json`.
    ///
    /// - Throws: When a field is missing, unknown or of another type.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: FieldName.self)
        try fields.refuseFields(besides: Self.fields)
        name = try fields.value("name")
        typeName = try fields.value("type", or: name)
        schemaName = try fields.decodeIfPresent(String.self, forKey: FieldName("schema"))
        kind = try fields.value("kind", or: .table)
        isFullText = try fields.value("isFullText", or: false)
        columns = try fields.value("columns")
        policies.onConflictingDelete = try fields.decodeIfPresent(
            ConflictingDeletePolicy.self, forKey: FieldName("onConflictingDelete"))
        policies.renamedFrom = try fields.decodeIfPresent(
            String.self, forKey: FieldName("renamedFrom"))
    }

    /// Writes a table of `tables.json`.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: FieldName.self)
        try fields.write(typeName, "type")
        try fields.write(name, "name")
        try fields.writeIfPresent(schemaName, "schema")
        if kind != .table { try fields.write(kind, "kind") }
        try fields.write(isFullText, "isFullText")
        try fields.write(columns, "columns")
        try fields.writeIfPresent(policies.onConflictingDelete, "onConflictingDelete")
        try fields.writeIfPresent(policies.renamedFrom, "renamedFrom")
    }
}
