/// A table as a Swift type declares it.
///
/// `T.schema` makes it from the type alone. A database is compared with it by
/// `Database.mismatches(of:)` and by `strongroom schema check`.
public struct TableSchema: Sendable, Hashable {
    /// One column in the file, and the property that it belongs to.
    public struct Column: Sendable, Hashable {
        /// The name in the file.
        public var name: String
        /// The path of the property: `place.shelf`.
        public var property: String
        /// The Swift type of the property: `Date?`.
        public var type: String
        /// The type by which the value is stored, where it is not the property's own.
        public var representation: String?
        /// The affinity of what is stored.
        public var affinity: SQLiteTypeAffinity
        /// Whether the property takes NULL.
        public var isOptional = false
        /// The place in the primary key, from 1; nil outside of it.
        public var keyPosition: Int?
        /// Whether the database computes the column.
        public var isGenerated = false
        /// Whether a draft may leave the value to the database.
        public var isLazy = false
        /// Whether the property has a default.
        public var hasDefault = false
        /// Whether `affinity` is what the type says. Sources that are only read do not tell it of
        /// each type; a type that is compiled does.
        package var isStorageKnown = true
        /// What the declaration asks of later layers.
        public var policies = ColumnPolicies()

        /// Makes a column that is neither optional nor a key.
        public init(
            _ name: String, property: String? = nil, type: String, affinity: SQLiteTypeAffinity
        ) {
            self.name = name
            self.property = property ?? name
            self.type = type
            self.affinity = affinity
        }
    }

    /// The name of the Swift type.
    public var typeName: String
    /// The name of the table.
    public var name: String
    /// The schema of an attached database, if the type names one.
    public var schemaName: String?
    /// Whether it is a view, or a table without row numbers.
    public var kind: TableKind
    /// Whether the table is one of full-text search.
    public var isFullText = false
    /// The columns in declared order.
    public var columns: [Column]
    /// What the declaration asks of later layers.
    public var policies = TablePolicies()

    /// Makes a schema by hand.
    ///
    ///     let id = TableSchema.Column("id", type: "Int", affinity: .integer)
    ///     let schema = TableSchema("Item", name: "items", columns: [id])
    public init(
        _ typeName: String, name: String, schemaName: String? = nil, kind: TableKind = .table,
        columns: [Column]
    ) {
        self.typeName = typeName
        self.name = name
        self.schemaName = schemaName
        self.kind = kind
        self.columns = columns
    }

    var keyColumns: [Column] {
        columns.filter { $0.keyPosition != nil }
            .sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
    }
}
