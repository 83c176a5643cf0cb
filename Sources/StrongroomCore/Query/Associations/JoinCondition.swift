/// What rows of two tables have in common when an association leads from one to the other.
enum JoinCondition: Sendable {
    /// A foreign key, of the origin or of the destination; that of the schema if nil.
    case foreignKey(ForeignKey?, isOfOrigin: Bool)
    /// An expression of columns of both.
    case expression(
        @Sendable (_ origin: TableAliasBase, _ destination: TableAliasBase) -> SQLExpression)
    /// Nothing: every row of one goes with every row of the other.
    case none
    /// The first of the rows that an association leads to.
    indirect case first(FirstRow)
    /// The condition of the way back.
    indirect case reversed(JoinCondition)

    /// Stands for the condition of what is nested too deep.
    case tooDeep

    /// Columns of the origin and of the destination that are equal.
    struct Pair: Sendable {
        let origin: String
        let destination: String
    }

    /// The columns that are equal; nil where it is not columns that tell.
    func pairs(_ db: Database, from origin: String, to destination: String) throws -> [Pair]? {
        switch self {
        case .foreignKey(let key, isOfOrigin: true):
            try Self.pairs(of: key, db, from: origin, to: destination)
        case .foreignKey(let key, isOfOrigin: false):
            try Self.pairs(of: key, db, from: destination, to: origin).map(\.reversed)
        case .reversed(let condition):
            try condition.pairs(db, from: destination, to: origin)?.map(\.reversed)
        case .expression, .first, .none: nil
        case .tooDeep: throw DatabaseError.tooDeep
        }
    }

    /// The depth of what is in the condition.
    var depth: Int {
        switch self {
        case .first(let row): row.depth
        case .reversed(let condition): condition.depth
        case .tooDeep: NestedNode.depthLimit
        case .foreignKey, .expression, .none: 0
        }
    }

    private static func pairs(
        of key: ForeignKey?, _ db: Database, from origin: String, to destination: String
    ) throws -> [Pair] {
        guard let key else { return try inferredPairs(db, from: origin, to: destination) }
        let columns =
            try key.destinationColumns
            ?? schemaKeys(db, from: origin, to: destination)
            .first { lowercased($0.map(\.origin)) == lowercased(key.originColumns) }?
            .map(\.destination)
            ?? db.primaryKey(destination).columns
        guard columns.count == key.originColumns.count else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "A foreign key from '\(origin)' to '\(destination)' has other columns: "
                    + "(\(key.originColumns.joined(separator: ", "))) can't refer to "
                    + "(\(columns.joined(separator: ", "))).")
        }
        return zip(key.originColumns, columns).map { Pair(origin: $0, destination: $1) }
    }

    private static func inferredPairs(
        _ db: Database, from origin: String, to destination: String
    ) throws -> [Pair] {
        let keys = try schemaKeys(db, from: origin, to: destination)
        guard keys.count != 1 else { return keys[0] }
        let problem = keys.isEmpty ? "Could not infer" : "Ambiguous"
        throw DatabaseError(
            resultCode: .SQLITE_MISUSE,
            message: "\(problem) foreign key from '\(origin)' to '\(destination)'. Give the "
                + "association its columns: using: ForeignKey([…]).")
    }

    private static func schemaKeys(
        _ db: Database, from origin: String, to destination: String
    ) throws -> [[Pair]] {
        // What stands like a table, but is none, has no foreign keys in the schema.
        guard try db.tableExists(origin) else { return [] }
        return try db.foreignKeys(on: origin)
            .filter { $0.destinationTable.lowercased() == destination.lowercased() }
            .map { $0.mapping.map { Pair(origin: $0.origin, destination: $0.destination) } }
    }

    private static func lowercased(_ names: [String]) -> [String] { names.map { $0.lowercased() } }
}

extension JoinCondition.Pair {
    fileprivate var reversed: Self { Self(origin: destination, destination: origin) }
}

extension JoinCondition {
    /// The condition between two tables in view; nil where there is none.
    func expression(
        _ db: Database, from origin: AliasedTable, to destination: AliasedTable
    ) throws -> SQLExpression? {
        if let pairs = try pairs(db, from: origin.name, to: destination.name) {
            return pairs.map { pair in
                destination.alias[pair.destination] == origin.alias[pair.origin]
            }.joined(operator: .and)
        }
        switch self {
        case .expression(let expression): return expression(origin.alias, destination.alias)
        case .first(let row): return row.condition(from: origin, to: destination)
        case .reversed(let condition):
            return try condition.expression(db, from: destination, to: origin)
        case .none, .foreignKey, .tooDeep: return nil
        }
    }
}

/// A table in a query, and what names it there.
struct AliasedTable {
    let name: String
    let alias: TableAliasBase
}
