/// A table or a selection as its declaration describes it: what the expansion is written from.
public struct TableDescription: Sendable {
    public enum Role: String, Sendable { case table = "Table", selection = "Selection" }

    public var role: Role
    /// The Swift type.
    public var typeName: String
    public var access: Access
    public var isEnum: Bool
    public var isGeneric: Bool
    /// The name in SQL as a Swift expression: a literal, or what the user's own member says.
    public var tableName: String
    public var schemaName: String?
    public var isView = false
    public var hasNoRowID = false
    public var columns: [Column] = []
    /// Swift properties that are no columns, with their defaults.
    public var ephemerals: [Column] = []
    /// What stands in the macro's `coding:`, or what Codable selections have by themselves.
    public var codesColumns = false
    public var isSendable = false
    /// The attributes `@available` of the type.
    public var availability: [String] = []
    public var inherited: [String] = []
    public var ownMembers: Set<String> = []
    /// Names of the types that the declaration declares inside itself.
    public var nestedTypes: [String] = []

    /// The column that is the key.
    public var key: Column? { columns.first(where: \.isPrimaryKey) }

    /// Whether there is a draft: with a key or a lazy column.
    public var hasDraft: Bool {
        !isEnum && columns.contains { $0.isPrimaryKey || $0.isLazy }
    }
}

/// One stored property, or one case of an enum, as a column or a group of columns.
public struct Column: Sendable {
    /// The Swift name, without back ticks.
    public var property: String
    /// The name in SQL.
    public var name: String
    /// The type as written, or as a literal default tells it; nil where only the compiler knows.
    public var type: String?
    /// X in `@Column(as: X.self)`.
    public var representation: String?
    /// The default as written.
    public var defaultValue: String?
    /// Whether `type` is what the default tells: nothing is written.
    public var isInferred = false
    /// Whether the default is a literal whose own type is the column's.
    public var isLiteral = false
    public var isLet = false
    public var isPrimaryKey = false
    public var isGenerated = false
    public var isLazy = false
    /// Whether the user gave a name.
    public var isNamed = false
    /// The label of a case's value.
    public var label: String?
    /// A case without a value, stored as 1.
    public var isBare = false
    public var availability: [String] = []
    public var range: SourceSpan

    public init(property: String, name: String, type: String?, range: SourceSpan) {
        self.property = property
        self.name = name
        self.type = type
        self.range = range
    }

    /// Whether the type is written as an optional.
    public var isOptional: Bool { type.map(TypeText.isOptional) ?? (defaultValue == "nil") }

    /// The name as Swift reads it in a declaration.
    public var escaped: String { Keywords.escaped(property) }
}

/// A description and what there is to say about its source.
public struct Analysis: Sendable {
    /// Nil where the declaration is of a kind that cannot be a table.
    public var description: TableDescription?
    public var findings: [Finding] = []
}
