/// A table or a selection as its declaration describes it: what the expansion is written from.
package struct TableDescription: Sendable {
    package enum Role: String, Sendable { case table = "Table", selection = "Selection" }

    package var role: Role
    /// The Swift type.
    package var typeName: String
    package var access: Access
    package var isEnum: Bool
    package var genericParameters: [String]
    /// The name in SQL.
    package var tableName: String
    package var schemaName: String?
    package var isView = false
    package var hasNoRowID = false
    package var columns: [Column] = []
    /// What is kept for later layers: arguments of `TablePolicies`.
    package var policies: [String] = []
    /// Swift properties that are no columns, with their defaults.
    package var ephemerals: [Column] = []
    /// What stands in the macro's `coding:`, or what Codable selections have by themselves.
    package var codesColumns = false
    /// Whether the declaration says that the type is read from, and written to, JSON.
    package var decodesColumns = false
    package var encodesColumns = false
    package var isSendable = false
    /// Whether a record is read and written by its own coding, not by its columns.
    package var keepsRecordCoding = false
    /// The attributes `@available` of the type.
    package var availability: [String] = []
    package var inherited: [String] = []
    package var ownMembers: Set<String> = []
    /// Whether the type is declared inside another one.
    package var isNested = false
    /// Whether it is declared in an extension, which does not show what the extended type is like.
    package var isInExtension = false
    /// The parameters of the generic types around it, by their names.
    package var enclosingParameters: [String: [String]] = [:]
    /// Names of the types that the declaration declares inside itself.
    package var nestedTypes: [String] = []

    package var isGeneric: Bool { !genericParameters.isEmpty }
    /// Whether it, or a type around it, is generic.
    package var hasParameters: Bool { isGeneric || !enclosingParameters.isEmpty }

    /// The column that is the key.
    package var key: Column? { columns.first(where: \.isPrimaryKey) }

    /// Whether there is a draft: with a key or a lazy column.
    package var hasDraft: Bool {
        !isEnum && columns.contains { $0.isPrimaryKey || $0.isLazy }
    }
}

/// One stored property, or one case of an enum, as a column or a group of columns.
package struct Column: Sendable {
    /// The Swift name, without back ticks.
    package var property: String
    /// The name in SQL.
    package var name: String
    /// The type as written, or as a literal default tells it; nil where only the compiler knows.
    package var type: String?
    /// X in `@Column(as: X.self)`.
    package var representation: String?
    /// The default as written.
    package var defaultValue: String?
    /// Whether `type` is what the default tells: nothing is written.
    package var isInferred = false
    /// Whether the default is a literal whose own type is the column's.
    package var isLiteral = false
    package var isLet = false
    package var isPrimaryKey = false
    package var isGenerated = false
    package var isLazy = false
    /// What is kept for later layers: arguments of `ColumnPolicies`.
    package var policies: [String] = []
    /// Whether the user gave a name.
    package var isNamed = false
    /// The label of a case's value.
    package var label: String?
    /// A case without a value, stored as 1.
    package var isBare = false
    package var availability: [String] = []
    package var range: SourceSpan

    package init(property: String, name: String, type: String?, range: SourceSpan) {
        self.property = property
        self.name = name
        self.type = type
        self.range = range
    }

    /// Whether the type is written as an optional.
    package var isOptional: Bool { type.map(TypeText.isOptional) ?? (defaultValue == "nil") }

    /// The name as Swift reads it in a declaration.
    package var escaped: String { Keywords.escaped(property) }
}

/// A description and what there is to say about its source.
package struct Analysis: Sendable {
    /// Nil where the declaration is of a kind that cannot be a table.
    package var description: TableDescription?
    package var findings: [Finding] = []
}
