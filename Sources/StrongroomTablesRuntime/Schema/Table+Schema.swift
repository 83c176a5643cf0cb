public import StrongroomEssentials
public import StrongroomSchema

extension Table {
    /// The table as this type declares it: what a database is compared with.
    ///
    ///     let names = Item.schema.columns.map(\.name)
    public static var schema: TableSchema {
        var schema = declaredColumns.schema(typeName: _layout.typeName, name: _layout.table.name)
        schema.schemaName = _layout.table.schema
        schema.kind = _layout.kind
        schema.policies = _layout.policies
        schema.isFullText = Self.self is any FullTextTable.Type
        return schema
    }

    static var declaredColumns: ColumnDescriptions {
        var columns = ColumnDescriptions()
        _describe(&columns)
        return columns
    }
}

extension ColumnDescriptions {
    func schema(typeName: String, name: String) -> TableSchema {
        var keyCount = 0
        let columns = zip(self.columns, valueTypes).map { column, type in
            var result = TableSchema.Column(
                column.name, property: column.property, type: type.valueName,
                affinity: column.affinity)
            if column.isOptional { result.type += "?" }
            result.representation = type.representationName
            result.isOptional = column.isOptional
            result.policies = column.policies
            result.isGenerated = column.options.contains(.generated)
            result.isLazy = column.options.contains(.lazy)
            result.hasDefault = column.options.contains(.hasDefault)
            if column.options.contains(.primaryKey) {
                keyCount += 1
                result.keyPosition = keyCount
            }
            return result
        }
        return TableSchema(typeName, name: name, columns: columns)
    }

    /// Whether two columns have one name, so that no layout can be made of them.
    var hasDoubledNames: Bool {
        Set(columns.map { $0.name.lowercased() }).count < columns.count
    }
}

extension QueryBindable {
    /// The name of the type of values that are not NULL.
    fileprivate static var valueName: String {
        let name = SwiftTypeName.short(QueryOutput.self)
        guard _isOptional, name.hasPrefix("Optional<") else { return name }
        return String(name.dropFirst("Optional<".count).dropLast())
    }

    /// As `@Column(as:)` has it.
    fileprivate static var representationName: String? {
        if Self.self == QueryOutput.self { return nil }
        let name = SwiftTypeName.short(Self.self)
        for (generic, alias) in [("JSONOf<", "JSON"), ("JSONBOf<", "JSONB")]
        where name.hasPrefix(generic) {
            return "\(name.dropFirst(generic.count).dropLast()).\(alias)Representation"
        }
        return name
    }
}

/// The name of a type as its module writes it, the same in every build.
enum SwiftTypeName {
    /// `Date.UnixTimeRepresentation` for `(extension in M):Foundation.Date.UnixTimeRepresentation`.
    static func short(_ type: Any.Type) -> String {
        var result = ""
        var word = ""
        var depth = 0
        func flush() {
            // The module comes first; what stands alone has none.
            let parts = word.split(separator: ".")
            result += (parts.count > 1 ? parts.dropFirst() : parts[...]).joined(separator: ".")
            word = ""
        }
        for character in String(reflecting: type) {
            switch character {
            // `(extension in M):` and `(unknown context at $7f00)`.
            case "(": depth += 1
            case ")": depth -= 1
            case ":" where word.isEmpty: break
            case _ where depth > 0: break
            case "<", ">", ",", " ", "?", "[", "]", ":":
                flush()
                result.append(character)
            default: word.append(character)
            }
        }
        flush()
        return result
    }
}

extension TableSchema {
    /// Writes the schemas of types to a file, sorted and stable, for reviews and for the tool.
    ///
    ///     try TableSchema.write(AppTables.all, to: url)
    ///
    /// - Throws: When the file cannot be written.
    public static func write(_ types: [any Table.Type], to url: URL) throws {
        try write(types.map { $0.schema }, to: url)
    }
}
