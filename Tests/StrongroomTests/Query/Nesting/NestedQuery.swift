import Strongroom

struct Knot: Codable, FetchableRecord, PersistableRecord {
    var id: Int64?
    var parentId: Int64?
    var name = "a"

    static let parent = belongsTo(Knot.self, key: "parent", using: ForeignKey(["parentId"]))
    static let children = hasMany(Knot.self, key: "child", using: ForeignKey(["parentId"]))

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let name = Column(CodingKeys.name)
        static let parentId = Column(CodingKeys.parentId)
    }

    static func createTable(_ db: Database) throws {
        try db.create(table: "knot") { t in
            t.autoIncrementedPrimaryKey("id")
            t.column("parentId", .integer).references("knot")
            t.column("name", .text)
        }
        try db.execute(sql: "INSERT INTO knot VALUES (1, NULL, 'a'), (2, 1, 'b'), (3, 2, 'c')")
    }
}

/// A way to nest an expression, or a query, in another of its kind.
enum NestedQuery: String, CaseIterable, Codable, Sendable {
    case negative, complement, not, sum, sumOnTheRight, difference, product, concatenation
    case or, and, orAndAnd, bits, shift, comparison, isNull, like, between, list, cast, collation
    case function, coalesce, date, aggregate, json, jsonPath, asJSON, alias, ordering
    case literal, literalSum, literalOfQuery, selection, window, scalarSubquery, exists, membership

    private static let aliasOfKnots = TableAlias<Knot>()

    private var start: SQLExpression { Knot.Columns.id.sqlExpression }

    /// A request with so many levels.
    func request(depth: Int) -> QueryInterfaceRequest<Knot> {
        switch self {
        case .ordering:
            var ordering = start.desc
            for _ in 0..<depth { ordering = Self.aliasOfKnots[ordering] }
            return Knot.aliased(Self.aliasOfKnots).order(ordering)
        case .selection:
            var selection = start.sqlSelection
            for _ in 0..<depth { selection = Self.aliasOfKnots[selection] }
            return Knot.aliased(Self.aliasOfKnots).select(selection)
        case .literalSum:
            var literal: SQL = "id"
            for _ in 0..<depth { literal = "(\(literal)) + 1" }
            return Knot.filter(literal)
        case .alias:
            return Knot.aliased(Self.aliasOfKnots).filter(expression(depth: depth))
        case .aggregate: return Knot.select(expression(depth: depth))
        default: return Knot.filter(expression(depth: depth))
        }
    }

    private func expression(depth: Int) -> SQLExpression {
        var expression = start
        for _ in 0..<depth { expression = around(expression) }
        return expression
    }

    private func around(_ inner: SQLExpression) -> SQLExpression {
        switch self {
        case .negative: -inner
        case .complement: ~inner
        case .not: !(inner && Knot.Columns.name == nil)
        case .sum: inner + 1
        case .sumOnTheRight: 1 + inner
        case .difference: 1 - inner
        case .product: inner * 2
        case .concatenation: [inner, start].joined(operator: .concat)
        case .or: inner || start == 2
        case .and: inner && start == 2
        case .orAndAnd: (inner || start == 1) && start == 2
        case .bits: inner & start
        case .shift: inner << 1
        case .comparison: inner > 0
        case .isNull: inner == nil
        case .like: inner.like("%a%")
        case .between: (1...2).contains(inner)
        case .list: [inner, start].contains(start)
        case .cast: Strongroom.cast(inner, as: .text)
        case .collation: inner.collating(.nocase)
        case .function: abs(inner)
        case .coalesce: inner ?? 1
        case .date: dateTime(inner)
        case .aggregate: max(start, filter: inner)
        case .json: Database.jsonArray([inner])
        case .jsonPath: inner.asJSON["a"]
        case .asJSON: inner.asJSON.sqlExpression
        case .alias: Self.aliasOfKnots[inner]
        case .literal: SQL("abs(\(inner))").sqlExpression
        case .literalOfQuery: SQL("(\(Knot.select(inner)))").sqlExpression
        case .window: max(start).over(.partition(by: inner))
        case .scalarSubquery: Knot.select(inner).sqlExpression
        case .exists: Knot.filter(inner).exists()
        case .membership: Knot.select(inner).contains(start)
        case .ordering, .literalSum, .selection: inner
        }
    }
}
