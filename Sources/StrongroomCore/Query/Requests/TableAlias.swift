/// What can stand for a table of a request: see `TableAlias`.
public class TableAliasBase: @unchecked Sendable {
    // Safety: no class but TableAlias derives from it, and neither has a variable.
    let name: String?
    /// The alias in whose place this one stands, if in another's.
    private let original: TableAliasBase?

    fileprivate init(name: String?, original: TableAliasBase? = nil) {
        self.name = name
        self.original = original
    }

    final var identity: ObjectIdentifier { original?.identity ?? ObjectIdentifier(self) }

    /// A column of the table.
    public final subscript(_ column: String) -> SQLExpression {
        self[Column(column)]
    }

    /// An expression, whose columns are those of the table.
    public final subscript(_ expression: some SQLSpecificExpressible) -> SQLExpression {
        SQLExpression(AliasedNode(self, NestedNode(expression.sqlExpression)))
    }

    /// A selection, whose columns are those of the table.
    public final subscript(_ selection: some SQLSelectable) -> SQLSelection {
        SQLSelection(.literal(NestedNode(AliasedNode(self, NestedNode(selection.sqlSelection)))))
    }

    /// An ordering, whose columns are those of the table.
    public final subscript(_ ordering: some SQLOrderingTerm) -> SQLOrdering {
        ordering.sqlOrdering.map { SQLExpression(AliasedNode(self, $0)) }
    }

    /// Whether the table has a row here: an optional association may have found none.
    public final var exists: SQLExpression {
        SQLExpression(AliasedRowCheck(alias: self))
    }
}

extension TableAliasBase: Hashable {
    public static func == (lhs: TableAliasBase, rhs: TableAliasBase) -> Bool { lhs === rhs }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
    }
}

/// Stands for a table of a request, so that other tables and subqueries can name its columns.
///
///     let team = TableAlias<Team>()
///     let request = Team.aliased(team).filter(
///         Player.filter { $0.teamId == team.id && $0.score > 1000 }.exists())
///
/// Each alias is its own: two of them never stand for the same table.
@dynamicMemberLookup
public final class TableAlias<RowDecoder>: TableAliasBase, @unchecked Sendable {
    // Safety: as the base class, it has no variable.

    /// Makes an alias of a table of a type.
    ///
    /// - Parameters:
    ///   - name: The name of the table in SQL; one that is free by default.
    ///   - type: The type of the records of the table.
    public init(name: String? = nil, for type: RowDecoder.Type = RowDecoder.self) {
        super.init(name: name)
    }

    /// Makes an alias of the table that another stands for.
    init(standingFor alias: TableAliasBase) {
        super.init(name: alias.name, original: alias)
    }
}

extension TableAlias where RowDecoder == Void {
    /// Makes an alias of a table of any type.
    public convenience init(name: String? = nil) {
        self.init(name: name, for: Void.self)
    }
}

extension TableAlias where RowDecoder: TableRecord {
    /// What closures name columns with: the columns of the record type.
    public typealias DatabaseComponents = RowDecoder.DatabaseComponents

    /// What the record type declares, as that of this table.
    public subscript<Expression: SQLSpecificExpressible>(
        dynamicMember keyPath: KeyPath<RowDecoder.DatabaseComponents, Expression>
    ) -> SQLExpression {
        self[RowDecoder.databaseComponents[keyPath: keyPath]]
    }

    /// A selection that the record type declares, as that of this table.
    public subscript<Selection: SQLSelectable>(
        dynamicMember keyPath: KeyPath<RowDecoder.DatabaseComponents, Selection>
    ) -> SQLSelection {
        self[RowDecoder.databaseComponents[keyPath: keyPath]]
    }

    /// An ordering that the record type declares, as that of this table.
    public subscript<Ordering: SQLOrderingTerm>(
        dynamicMember keyPath: KeyPath<RowDecoder.DatabaseComponents, Ordering>
    ) -> SQLOrdering {
        self[RowDecoder.databaseComponents[keyPath: keyPath]]
    }
}

/// Something whose columns are those of the table that an alias stands for.
private struct AliasedNode: SQLNode {
    let alias: TableAliasBase
    let node: NestedNode
    // Known, rather than asked for down a long chain of aliases.
    let isJSON: Bool
    let isCall: Bool

    init(_ alias: TableAliasBase, _ node: NestedNode) {
        self.alias = alias
        self.node = node
        isJSON = node.isJSON
        isCall = node.isCall
    }

    var depth: Int { 1 + node.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        try sql.inTable(sql.table(of: alias)) { try node.write(to: &$0) }
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.inTable(sql.table(of: alias)) { try node.writeOperand(to: &$0) }
    }

    var isRowByRow: Bool { node.isRowByRow }

    var isLiteralNumber: Bool { node.isLiteralNumber }

    var negated: SQLExpression? {
        guard node.depth <= NestedNode.inspectedDepth else { return nil }
        return node.negated.map { SQLExpression(AliasedNode(alias, NestedNode($0))) }
    }
}

/// Whether the primary key of the table that an alias stands for is there.
private struct AliasedRowCheck: SQLNode {
    let alias: TableAliasBase
    var isNegated = false

    var depth: Int { 0 }

    func write(to sql: inout SQLGenerationContext) throws {
        let table = try sql.table(of: alias)
        let columns = try sql.database.keyOrAllColumns(of: table.name)
        // Of a key one column is enough, as none of them is NULL.
        let isKey = (try? sql.database.primaryKey(table.name)) != nil
        let checks = (isKey ? Array(columns.prefix(1)) : columns)
        sql.inTable(table) { sql in
            for (index, column) in checks.enumerated() {
                if index > 0 { sql.append(sql: isNegated ? " AND " : " OR ") }
                sql.append(column: column)
                sql.append(sql: isNegated ? " IS NULL" : " IS NOT NULL")
            }
        }
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.parenthesize { try write(to: &$0) }
    }

    var isRowByRow: Bool { true }

    var negated: SQLExpression? {
        SQLExpression(AliasedRowCheck(alias: alias, isNegated: !isNegated))
    }
}

extension SQLGenerationContext {
    /// - Throws: `SQLITE_MISUSE` if the alias stands for no table here.
    mutating func table(of alias: TableAliasBase) throws -> Table {
        guard let table = table(of: alias.identity) else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "A table alias stands for no table of this request: give it to one by "
                    + "aliased(_:).")
        }
        return Table(name: table.name, qualifier: table.qualifier ?? table.name)
    }
}
