internal import StrongroomSchema
internal import TableModel

/// A column of a table, and where its property stands.
struct DescribedColumn {
    var schema: TableSchema.Column
    /// That of the property or the case, which may belong to a group.
    let place: Place
    /// The properties of the groups that it is in, from the table on.
    var owners: [Place] = []
    /// The type of which nothing is known.
    var unknownType: String?
    /// Whether it may be a group of columns, of which nothing is known.
    var mayBeGroup = false
}

/// A type with `@Table`, as a schema and as places in the sources.
struct DescribedTable {
    let type: DeclaredType
    let schema: TableSchema
    let columns: [DescribedColumn]
    /// The place of the type's name.
    var place: Place { type.place(type.declaration.name.range) }
}

/// Derives schemas from descriptions, as `T.schema` does from the types themselves.
struct TableDescriber {
    private let types: SourceTypes
    private let rules: StorageRules

    init(_ types: SourceTypes) {
        self.types = types
        rules = StorageRules(types: types)
    }

    func table(_ type: DeclaredType, _ description: TableDescription) -> DescribedTable {
        var columns = columns(of: type, description, depth: 0)
        var keyCount = 0
        for index in columns.indices where columns[index].schema.keyPosition != nil {
            keyCount += 1
            columns[index].schema.keyPosition = keyCount
        }
        var schema = TableSchema(
            type.name, name: description.tableName, schemaName: description.schemaName,
            kind: description.isView ? .view : description.hasNoRowID ? .withoutRowID : .table,
            columns: columns.map(\.schema))
        schema.isFullText = types.conforms(type, to: "FullTextTable")
        return DescribedTable(type: type, schema: schema, columns: columns)
    }

    private func columns(
        of type: DeclaredType, _ description: TableDescription, depth: Int
    ) -> [DescribedColumn] {
        description.columns.flatMap { column -> [DescribedColumn] in
            let written = column.representation ?? column.type ?? ""
            var storage =
                type.isParameter(TypeText.base(written))
                ? Storage.unknown(written) : rules.storage(of: written, in: type.scope)
            storage.isOptional = storage.isOptional || column.isOptional || description.isEnum
            let place = type.place(column.range)
            guard case .group(let group) = storage.kind else {
                let hasDefault = column.defaultValue != nil && !description.isEnum
                return [
                    single(column, storage, in: type, at: place, hasDefault: hasDefault)
                ]
            }
            return members(of: group, of: column, storage, at: place, depth)
        }
    }

    private func single(
        _ column: TableModel.Column, _ storage: Storage, in type: DeclaredType, at place: Place,
        hasDefault: Bool
    ) -> DescribedColumn {
        let named =
            column.representation == nil
            ? nil : rules.storage(of: column.type ?? "", in: type.scope)
        var name = TypeText.base(column.type ?? "")
        if case .value(_, let known) = (named ?? storage).kind { name = known }
        var schema = TableSchema.Column(
            column.name, property: column.property, type: storage.isOptional ? name + "?" : name,
            affinity: .text)
        schema.representation = column.representation
        schema.isOptional = storage.isOptional
        schema.keyPosition = column.isPrimaryKey ? 1 : nil
        schema.isGenerated = column.isGenerated
        schema.isLazy = column.isLazy
        schema.hasDefault = hasDefault
        var described = DescribedColumn(schema: schema, place: place)
        switch storage.kind {
        case .value(let affinity, _): described.schema.affinity = affinity
        case .unknown(let name, let mayBeGroup):
            described.schema.isStorageKnown = false
            described.unknownType = name
            described.mayBeGroup = mayBeGroup && !column.isNamed && column.representation == nil
        case .group: break
        }
        return described
    }

    /// The columns of a group are those of the property that holds it.
    private func members(
        of group: DeclaredType, of column: TableModel.Column, _ storage: Storage, at place: Place,
        _ depth: Int
    ) -> [DescribedColumn] {
        guard depth < 20, let macro = group.macro,
            let description = Analyzer.analyze(
                group.declaration, attribute: macro.attribute, role: macro.role
            ).description
        else { return [] }
        return columns(of: group, description, depth: depth + 1).map { member in
            var member = member
            member.owners.insert(place, at: 0)
            member.schema.property = column.property + "." + member.schema.property
            if storage.isOptional, !member.schema.isOptional {
                member.schema.isOptional = true
                member.schema.type += "?"
            }
            if column.isPrimaryKey { member.schema.keyPosition = 1 }
            member.schema.isGenerated = member.schema.isGenerated || column.isGenerated
            member.schema.isLazy = member.schema.isLazy || column.isLazy
            return member
        }
    }
}
